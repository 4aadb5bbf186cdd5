#define _GNU_SOURCE
#include "MappedFiles.h"

#include "../CSQLite/shim.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// A mapping; free if its length is 0. The signal handler reads regions without the lock. The one that it looks for is in
// use by the thread that it interrupts, so nobody changes it; of the others, `find` sees either the former or the new
// state, never half of each.
typedef struct {
  _Atomic uintptr_t start;
  _Atomic size_t length;
  _Atomic _Bool is_torn;
} region;

/// Mappings beyond this number are not guarded.
enum { most_regions = 256 };

static region regions[most_regions];
static atomic_uint torn;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction former;
static uintptr_t page_size;

static region *find(uintptr_t address) {
  for (int index = 0; index < most_regions; index++) {
    size_t length = atomic_load(&regions[index].length);
    uintptr_t start = atomic_load(&regions[index].start);
    // The start is written while the length is 0.
    if (address - start < length && atomic_load(&regions[index].length) == length) return &regions[index];
  }
  return NULL;
}

/// Called as if there were no handler here.
static void pass_on(int number, siginfo_t *info, void *context) {
  if (former.sa_flags & SA_SIGINFO) return former.sa_sigaction(number, info, context);
  if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN) return former.sa_handler(number);
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigaction(number, &usual, NULL);
  // A bad access happens again on return; a signal that was sent does not.
  if (info->si_code <= 0) raise(number);
}

static void handle(int number, siginfo_t *info, void *context) {
  int error = errno;
  uintptr_t address = (uintptr_t)info->si_addr;
  region *found = info->si_code == BUS_ADRERR ? find(address) : NULL;
  void *page = (void *)(address & ~(page_size - 1));
  if (found && mmap(page, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page) {
    if (!atomic_exchange(&found->is_torn, 1)) atomic_fetch_add(&torn, 1);
  } else {
    pass_on(number, info, context);
  }
  errno = error;
}

static void install(void) {
  page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, NULL, &former);
  sigaction(SIGBUS, &action, NULL);
}

static void guard(void *address, size_t length) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  pthread_mutex_lock(&lock);
  for (int index = 0; index < most_regions; index++) {
    if (atomic_load(&regions[index].length)) continue;
    atomic_store(&regions[index].start, (uintptr_t)address);
    atomic_store(&regions[index].length, length);
    break;
  }
  pthread_mutex_unlock(&lock);
}

/// Forgets a mapping from an address on.
static void release(const void *address) {
  pthread_mutex_lock(&lock);
  region *found = find((uintptr_t)address);
  if (found) {
    size_t kept = (uintptr_t)address - atomic_load(&found->start);
    if (!kept && atomic_exchange(&found->is_torn, 0)) atomic_fetch_sub(&torn, 1);
    atomic_store(&found->length, kept);
  }
  pthread_mutex_unlock(&lock);
}

static void *map(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  void *mapped = mmap(address, length, protection, flags, file, offset);
  if (mapped != MAP_FAILED && protection == PROT_READ) guard(mapped, length);
  return mapped;
}

// Whoever gets the addresses next may be guarded before munmap returns, so they are released first.
static int unmap(void *address, size_t length) {
  release(address);
  return munmap(address, length);
}

/// A torn mapping cannot grow. SQLite unmaps what it cannot remap.
static void *remap(void *address, size_t length, size_t new_length, int flags, ...) {
  if (strata_is_torn(address)) {
    errno = EFAULT;
    return MAP_FAILED;
  }
  release(address);
  void *mapped = mremap(address, length, new_length, flags);
  if (mapped != MAP_FAILED) guard(mapped, new_length);
  return mapped;
}

void strata_guard_mappings(void) {
  sqlite3_vfs *system = sqlite3_vfs_find(NULL);
  if (!system || system->iVersion < 3 || !system->xSetSystemCall) return;
  // munmap first: what is mapped by then is unmapped without being known.
  system->xSetSystemCall(system, "munmap", (sqlite3_syscall_ptr)unmap);
  system->xSetSystemCall(system, "mremap", (sqlite3_syscall_ptr)remap);
  system->xSetSystemCall(system, "mmap", (sqlite3_syscall_ptr)map);
}

unsigned strata_torn_mappings(void) { return atomic_load_explicit(&torn, memory_order_relaxed); }

_Bool strata_is_torn(const void *address) {
  region *found = find((uintptr_t)address);
  return found && atomic_load(&found->is_torn);
}
