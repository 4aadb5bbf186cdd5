#ifndef FAULT_VFS_H
#define FAULT_VFS_H

#include <stdint.h>

/// What SQLite asks of its files, what the framework asks of the files with large data, and signals of commits.
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
  /// Of a file in a folder whose name ends in "_SUPPORT"; what fails does so with a number of errno.
  FAULT_DATA_OPEN,
  FAULT_DATA_WRITE,
  FAULT_DATA_SYNC,
  FAULT_DATA_REMOVE,
  /// Before a signal is sent, and after.
  FAULT_SIGNAL,
  FAULT_SIGNALLED,
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

/// Asks the hook, if there is one.
int fault_ask(enum fault_call_kind kind, const char *path, const void *bytes, int64_t count);

#endif
