#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// Reports to the thread sanitizer that one thread releases Swift's Mutex and another one acquires it.
//
// The sanitizer notices when a thread takes a free lock, because that code is compiled into the program. A thread that has to
// wait takes the lock in libswiftSynchronization, which is not built with the sanitizer: accesses under such a lock would look
// like data races. These functions replace those of the library when they are preloaded (LD_PRELOAD). They call the originals
// and annotate the lock.
// See https://github.com/swiftlang/swift/blob/main/stdlib/public/Synchronization/Mutex/LinuxImpl.swift

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Weak: programs without the sanitizer, such as the shell, inherit LD_PRELOAD too.
void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*lock_function)(uint32_t thread, SELF void *self);
typedef SWIFT bool (*try_lock_function)(SELF void *self);
typedef SWIFT void (*unlock_function)(SELF void *self);

SWIFT void lock_slow(uint32_t thread, SELF void *self) __asm__(LOCK_SLOW);
SWIFT bool try_lock_slow(SELF void *self) __asm__(TRY_LOCK_SLOW);
SWIFT void unlock_slow(SELF void *self) __asm__(UNLOCK_SLOW);

SWIFT void lock_slow(uint32_t thread, SELF void *self) {
  ((lock_function)dlsym(RTLD_NEXT, LOCK_SLOW))(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_lock_slow(SELF void *self) {
  bool is_locked = ((try_lock_function)dlsym(RTLD_NEXT, TRY_LOCK_SLOW))(self);
  if (is_locked && __tsan_acquire) __tsan_acquire(self);
  return is_locked;
}

SWIFT void unlock_slow(SELF void *self) {
  if (__tsan_release) __tsan_release(self);
  ((unlock_function)dlsym(RTLD_NEXT, UNLOCK_SLOW))(self);
}
