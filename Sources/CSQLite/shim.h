#if !__has_include(<sqlite3.h>)
#error "Strata needs the headers of SQLite: apt install libsqlite3-dev"
#else
#include <errno.h>
#include <fcntl.h>
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

/// Opens a file for SQLite, which opens one for reading only, and for as long as it is open, if it cannot open it for
/// writing. That is right for a file that may not be written, and wrong where the system merely lacks something for a
/// moment: then both fail.
static inline int strata_open(const char *path, int flags, int mode) {
  static _Thread_local const char *refused;
  static _Thread_local int refusal;
  if (path == refused && (flags & O_ACCMODE) == O_RDONLY) {
    refused = 0;
    errno = refusal;
    return -1;
  }
  int descriptor = open(path, flags, mode);
  _Bool is_missing = errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == EISDIR;
  _Bool is_forbidden = errno == EACCES || errno == EPERM || errno == EROFS || errno == ETXTBSY;
  refused = descriptor < 0 && (flags & O_ACCMODE) == O_RDWR && !is_missing && !is_forbidden ? path : 0;
  refusal = errno;
  return descriptor;
}

/// Has SQLite open files by `strata_open`. See https://sqlite.org/c3ref/vfs.html
static inline void strata_use_open(void) {
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  if (!system || system->iVersion < 3 || !system->xSetSystemCall) return;
  system->xSetSystemCall(system, "open", (sqlite3_syscall_ptr)strata_open);
}

/// The file system type of a path, `f_type` of statfs(2); 0 if unknown.
static inline unsigned int strata_file_system_type(const char *path) {
  struct statfs info;
  return statfs(path, &info) == 0 ? (unsigned int)info.f_type : 0;
}

#endif
