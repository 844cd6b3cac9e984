#include "CNoLocaleData.h"

/* A YAML reader among the dependencies imports all of Foundation, and with it 34 MB of ICU's locales, calendars and collations, none of
   which is asked for. A static link takes this table in their place: an empty one. Hidden, so that a dynamic link keeps its own. */
#ifdef __linux__
__attribute__((visibility("hidden"), aligned(16))) const char icudt76_dat[64] = {0};
#endif
