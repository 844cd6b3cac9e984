#include <sqlite3.h>

/* One thread uses SQLite, and nobody asks how much memory it has: without locks it is a fifth faster. To be called before anything else;
   the function that does it takes a variable number of arguments. */
static inline void btscribe_sqlite_configure(void) {
  sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
