#include "fault_vfs.h"

#include <sqlite3.h>
#include <stddef.h>

// A VFS that asks the hook before each call and then forwards it to the default VFS. Its files are the default VFS's,
// preceded by a header.

static fault_hook hook;
static sqlite3_vfs *below;
static sqlite3_vfs above;

typedef struct {
  sqlite3_file base;
  const char *path;
  sqlite3_file *real;
} fault_file;

static int ask_hook(const struct fault_call *call) {
  // The hook itself may use files.
  static _Thread_local _Bool is_asking;
  if (!hook || is_asking) return 0;
  is_asking = 1;
  int answer = hook(call);
  is_asking = 0;
  return answer;
}

static int ask(sqlite3_file *file, enum fault_call_kind kind, const void *bytes, int64_t count, int64_t offset) {
  const char *path = ((fault_file *)file)->path;
  struct fault_call call = {kind, path ? path : "", bytes, count, offset};
  return ask_hook(&call);
}

int fault_ask(enum fault_call_kind kind, const char *path, const void *bytes, int64_t count) {
  struct fault_call call = {kind, path ? path : "", bytes, count, 0};
  return ask_hook(&call);
}

#define REAL(file) (((fault_file *)(file))->real)
#define ASK(...)                    \
  do {                              \
    int answer = ask(__VA_ARGS__);  \
    if (answer) return answer;      \
  } while (0)

static int file_close(sqlite3_file *file) {
  // Closing always closes the file, so the hook's result is ignored.
  ask(file, FAULT_CLOSE, NULL, 0, 0);
  return REAL(file)->pMethods->xClose(REAL(file));
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  ASK(file, FAULT_READ, NULL, count, offset);
  return REAL(file)->pMethods->xRead(REAL(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int answer = ask(file, FAULT_WRITE, bytes, count, offset);
  if (answer == FAULT_SHORT_WRITE) {
    REAL(file)->pMethods->xWrite(REAL(file), bytes, count / 2, offset);
    return SQLITE_FULL;
  }
  return answer ? answer : REAL(file)->pMethods->xWrite(REAL(file), bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  ASK(file, FAULT_TRUNCATE, NULL, 0, size);
  return REAL(file)->pMethods->xTruncate(REAL(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
  int answer = ask(file, FAULT_SYNC, NULL, 0, 0);
  if (answer) return answer == FAULT_PRETEND ? SQLITE_OK : answer;
  return REAL(file)->pMethods->xSync(REAL(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  ASK(file, FAULT_SIZE, NULL, 0, 0);
  return REAL(file)->pMethods->xFileSize(REAL(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
  ASK(file, FAULT_LOCK, NULL, 0, 0);
  return REAL(file)->pMethods->xLock(REAL(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
  ask(file, FAULT_UNLOCK, NULL, 0, 0);
  return REAL(file)->pMethods->xUnlock(REAL(file), level);
}

static int file_check(sqlite3_file *file, int *result) {
  return REAL(file)->pMethods->xCheckReservedLock(REAL(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return REAL(file)->pMethods->xFileControl(REAL(file), operation, argument);
}

static int file_sector(sqlite3_file *file) { return REAL(file)->pMethods->xSectorSize(REAL(file)); }

static int file_traits(sqlite3_file *file) { return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file)); }

static int shared_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
  ASK(file, FAULT_SHARED_MAP, NULL, 0, 0);
  return REAL(file)->pMethods->xShmMap(REAL(file), page, size, extend, memory);
}

static int shared_lock(sqlite3_file *file, int offset, int count, int flags) {
  if (flags & SQLITE_SHM_UNLOCK) {
    ask(file, FAULT_SHARED_UNLOCK, NULL, count, offset);
  } else {
    ASK(file, FAULT_SHARED_LOCK, NULL, count, offset);
  }
  return REAL(file)->pMethods->xShmLock(REAL(file), offset, count, flags);
}

static void shared_barrier(sqlite3_file *file) { REAL(file)->pMethods->xShmBarrier(REAL(file)); }

static int shared_unmap(sqlite3_file *file, int drop) { return REAL(file)->pMethods->xShmUnmap(REAL(file), drop); }

static int page_fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **memory) {
  return REAL(file)->pMethods->xFetch(REAL(file), offset, count, memory);
}

static int page_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *memory) {
  return REAL(file)->pMethods->xUnfetch(REAL(file), offset, memory);
}

static const sqlite3_io_methods methods = {
    3,           file_close,   file_read,    file_write,  file_truncate, file_sync,      file_size,
    file_lock,   file_unlock,  file_check,   file_control, file_sector,  file_traits,    shared_map,
    shared_lock, shared_barrier, shared_unmap, page_fetch, page_unfetch,
};

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out) {
  fault_file *wrapped = (fault_file *)file;
  wrapped->base.pMethods = NULL;
  int answer = fault_ask(FAULT_OPEN, path, NULL, 0);
  if (answer) return answer;
  wrapped->path = path;
  wrapped->real = (sqlite3_file *)(wrapped + 1);
  wrapped->real->pMethods = NULL;
  int result = below->xOpen(below, path, wrapped->real, flags, out);
  if (wrapped->real->pMethods) wrapped->base.pMethods = &methods;
  return result;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int sync) {
  int answer = fault_ask(FAULT_DELETE, path, NULL, sync);
  return answer ? answer : below->xDelete(below, path, sync);
}

static int vfs_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  int answer = fault_ask(FAULT_ACCESS, path, NULL, 0);
  return answer ? answer : below->xAccess(below, path, flags, result);
}

int fault_vfs_install(fault_hook new_hook) {
  hook = new_hook;
  if (below) return SQLITE_OK;
  below = sqlite3_vfs_find(NULL);
  if (!below) return SQLITE_ERROR;
  above = *below;
  above.zName = "fault";
  above.pNext = NULL;
  above.szOsFile = (int)sizeof(fault_file) + below->szOsFile;
  above.xOpen = vfs_open;
  above.xDelete = vfs_delete;
  above.xAccess = vfs_access;
  return sqlite3_vfs_register(&above, 1);
}
