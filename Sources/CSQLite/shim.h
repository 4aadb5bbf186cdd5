#if !__has_include(<sqlite3.h>)
#error "Strata needs the headers of SQLite: apt install libsqlite3-dev"
#else
#include <sqlite3.h>
#include <sys/statfs.h>

// Swift cannot call sqlite3_db_config, which is variadic, and its Glibc module lacks statfs.

/// Whether closing the last connection checkpoints the WAL.
static inline int strata_set_checkpoint_on_close(sqlite3 *connection, int on) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !on, (int *)0);
}

/// Whether the next VACUUM resets the database, whatever it contains.
static inline int strata_set_reset(sqlite3 *connection, int on) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_RESET_DATABASE, on, (int *)0);
}

/// Whether EXPLAIN QUERY PLAN tells the plans of triggers too.
static inline int strata_set_trigger_plans(sqlite3 *connection, int on) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_TRIGGER_EQP, on, (int *)0);
}

/// The cursor of a list's virtual table. SQLite requires its own part first; then the list and the current member's
/// index.
struct strata_list_cursor {
  sqlite3_vtab_cursor base;
  const void *list;
  long place;
};

/// The file system type of a path, `f_type` of statfs(2); 0 if unknown.
static inline unsigned int strata_file_system_type(const char *path) {
  struct statfs info;
  return statfs(path, &info) == 0 ? (unsigned int)info.f_type : 0;
}

#endif
