#if !__has_include(<sqlite3.h>)
#error "Strata needs the headers of SQLite: apt install libsqlite3-dev"
#else
#include <sqlite3.h>
#include <sys/statfs.h>

// sqlite3_db_config takes a variable list of arguments, which Swift cannot call; statfs is not in Swift's Glibc.

/// Whether a connection that is closed last copies the WAL into the file.
static inline int strata_set_checkpoint_on_close(sqlite3 *connection, int on) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !on, (int *)0);
}

/// Whether the next VACUUM empties the file, whatever is in it.
static inline int strata_set_reset(sqlite3 *connection, int on) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_RESET_DATABASE, on, (int *)0);
}

/// A walk through the members of a list: what a virtual table has of a cursor, which SQLite wants to come first, the list,
/// and the number of the member.
struct strata_list_cursor {
  sqlite3_vtab_cursor base;
  const void *list;
  long place;
};

/// The kind of file system that a path is on, `f_type` of statfs(2); 0 if it cannot be told.
static inline unsigned int strata_file_system_type(const char *path) {
  struct statfs info;
  return statfs(path, &info) == 0 ? (unsigned int)info.f_type : 0;
}

#endif
