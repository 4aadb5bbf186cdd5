#define _GNU_SOURCE

#include "fault_vfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Interposes C library functions in programs linked with this file: calls that concern external data files and commit
// signals ask the hook first; all others go straight to the kernel.

// The descriptors of the files, and of their folders.
#define DESCRIPTORS 4096
static _Atomic _Bool is_data[DESCRIPTORS];

static _Bool is_known(int descriptor) { return descriptor >= 0 && descriptor < DESCRIPTORS && is_data[descriptor]; }

static _Bool lies_beside(const char *path) { return path && strstr(path, "_SUPPORT"); }

static int fail(int code) {
  errno = code;
  return -1;
}

static int open_in(int folder, const char *path, int flags, mode_t mode) {
  _Bool is_asked = lies_beside(path) || is_known(folder);
  int answer = is_asked ? fault_ask(FAULT_DATA_OPEN, path, NULL, 0) : 0;
  if (answer) return fail(answer);
  int descriptor = (int)syscall(SYS_openat, folder, path, flags, mode);
  if (descriptor >= 0 && descriptor < DESCRIPTORS) is_data[descriptor] = is_asked;
  return descriptor;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return open_in(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return open_in(folder, path, flags, mode);
}

int close(int descriptor) {
  if (is_known(descriptor)) is_data[descriptor] = 0;
  return (int)syscall(SYS_close, descriptor);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  if (is_known(descriptor)) {
    int answer = fault_ask(FAULT_DATA_WRITE, "data", bytes, (int64_t)count);
    if (answer == FAULT_SHORT_WRITE && count < 2) answer = ENOSPC;
    if (answer == FAULT_SHORT_WRITE) count /= 2;
    else if (answer) return fail(answer);
  }
  return syscall(SYS_write, descriptor, bytes, count);
}

int fsync(int descriptor) {
  if (is_known(descriptor)) {
    int answer = fault_ask(FAULT_DATA_SYNC, "data", NULL, 0);
    if (answer) return answer == FAULT_PRETEND ? 0 : fail(answer);
  }
  return (int)syscall(SYS_fsync, descriptor);
}

int unlinkat(int folder, const char *path, int flags) {
  int answer = lies_beside(path) || is_known(folder) ? fault_ask(FAULT_DATA_REMOVE, path, NULL, 0) : 0;
  return answer ? fail(answer) : (int)syscall(SYS_unlinkat, folder, path, flags);
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  const char *ending = strstr(path, "-notify");
  int answer = ending ? fault_ask(FAULT_SIGNAL, path, NULL, 0) : 0;
  if (answer) return fail(answer);
  int result = (int)syscall(SYS_utimensat, folder, path, times, flags);
  if (ending) fault_ask(FAULT_SIGNALED, path, NULL, 0);
  return result;
}
