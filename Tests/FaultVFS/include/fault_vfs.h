#ifndef FAULT_VFS_H
#define FAULT_VFS_H

#include <stdint.h>

/// The file operations of SQLite, those on external data files, and commit signals.
enum fault_call_kind {
  FAULT_OPEN,
  FAULT_CLOSE,
  FAULT_READ,
  FAULT_WRITE,
  FAULT_TRUNCATE,
  FAULT_SYNC,
  FAULT_SIZE,
  FAULT_LOCK,
  FAULT_UNLOCK,
  FAULT_DELETE,
  FAULT_ACCESS,
  FAULT_SHARED_MAP,
  FAULT_SHARED_LOCK,
  FAULT_SHARED_UNLOCK,
  /// For files in a folder whose name ends in "_SUPPORT"; failures are errno values.
  FAULT_DATA_OPEN,
  FAULT_DATA_WRITE,
  FAULT_DATA_SYNC,
  FAULT_DATA_REMOVE,
  /// Before and after a signal is sent.
  FAULT_SIGNAL,
  FAULT_SIGNALED,
  FAULT_KIND_COUNT
};

/// A call about to be made.
struct fault_call {
  enum fault_call_kind kind;
  /// The file's path; empty for a temporary file.
  const char *path;
  /// The bytes to write; NULL for other calls.
  const void *bytes;
  /// The number of bytes; for a deletion, whether the folder is synced too.
  int64_t count;
  int64_t offset;
};

/// Returns 0 (SQLITE_OK) to make the call, `FAULT_SHORT_WRITE`, `FAULT_PRETEND` (for a sync), or an SQLite error code.
typedef int (*fault_hook)(const struct fault_call *call);

/// Does nothing and reports success.
#define FAULT_PRETEND (-2)

/// Writes half of the bytes, then reports a full disk.
#define FAULT_SHORT_WRITE (-1)

/// Makes every connection opened from now on ask `hook` before each call; returns 0 on success.
/// See https://sqlite.org/vfs.html
int fault_vfs_install(fault_hook hook);

/// Calls the hook if there is one.
int fault_ask(enum fault_call_kind kind, const char *path, const void *bytes, int64_t count);

#endif
