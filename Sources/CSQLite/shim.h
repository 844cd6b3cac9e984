#include <sqlite3.h>

/* One thread uses SQLite: without locks it is a fifth faster. `most` is how many bytes all of it may take, 0 for no limit; only where there is
   one they are counted. To be called before anything else; the function that does it takes a variable number of arguments. */
static inline void btscribe_sqlite_configure(long long most) {
  sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, most > 0);
  if (most > 0) sqlite3_hard_heap_limit64(most);
}
