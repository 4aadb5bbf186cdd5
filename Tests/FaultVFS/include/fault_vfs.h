#ifndef FAULT_VFS_H
#define FAULT_VFS_H

#include <stdint.h>

/// What SQLite asks of its files.
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
  FAULT_KIND_COUNT
};

/// One call, before it is made.
struct fault_call {
  enum fault_call_kind kind;
  /// The file; empty for a temporary one.
  const char *path;
  /// What is written; NULL of other calls.
  const void *bytes;
  /// Of bytes; of a deletion whether the folder is synced too.
  int64_t count;
  int64_t offset;
};

/// Answers 0 (SQLITE_OK) to have the call made, `FAULT_SHORT_WRITE`, `FAULT_PRETEND` (of a sync), or the SQLite code to fail with.
typedef int (*fault_hook)(const struct fault_call *call);

/// Nothing is done, and that counts as success.
#define FAULT_PRETEND (-2)

/// Half of the bytes are written, and then the disk is full.
#define FAULT_SHORT_WRITE (-1)

/// Makes every connection that is opened from here on ask `hook` before each call; 0 is success.
/// See https://sqlite.org/vfs.html
int fault_vfs_install(fault_hook hook);

#endif
