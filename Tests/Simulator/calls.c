#ifdef __x86_64__
#define _GNU_SOURCE

#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// Simulates calls whose results would vary from run to run: time, random numbers and waiting.

#define SECOND 1000000000LL
/// The start of 2026.
#define FIRST_WALL_TIME (1767225600LL * SECOND)
#define FIRST_UPTIME (1000LL * SECOND)
/// The resolution of file times, which come from a coarser clock.
#define TICK 4000000LL

int64_t clock_now(const struct sim_world *world, int clock) {
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_REALTIME_ALARM:
  case CLOCK_TAI: return FIRST_WALL_TIME + world->now + world->boot_offset + world->wall_offset;
  case CLOCK_BOOTTIME:
  case CLOCK_BOOTTIME_ALARM: return FIRST_UPTIME + world->now + world->boot_offset;
  default: return FIRST_UPTIME + world->now;
  }
}

// Memory.

bool read_memory(const struct thread *thread, uint64_t address, void *bytes, size_t count) {
  struct iovec here = {bytes, count}, there = {(void *)address, count};
  return process_vm_readv(thread->id, &here, 1, &there, 1, 0) == (ssize_t)count;
}

bool write_memory(const struct thread *thread, uint64_t address, const void *bytes, size_t count) {
  struct iovec here = {(void *)bytes, count}, there = {(void *)address, count};
  return process_vm_writev(thread->id, &here, 1, &there, 1, 0) == (ssize_t)count;
}

bool read_text(const struct thread *thread, uint64_t address, char *text, size_t size) {
  // Reads a page at a time, because the next one may not be mapped.
  size_t done = 0;
  while (done < size) {
    size_t part = 4096 - (address + done) % 4096;
    if (part > size - done) part = size - done;
    if (!read_memory(thread, address + done, text + done, part)) break;
    if (memchr(text + done, 0, part)) return true;
    done += part;
  }
  text[done < size ? done : size - 1] = 0;
  return false;
}

static int64_t read_time(const struct thread *thread, uint64_t address) {
  struct timespec time = {0, 0};
  read_memory(thread, address, &time, sizeof time);
  return time.tv_sec > 1LL << 32 ? NEVER : time.tv_sec * SECOND + time.tv_nsec;
}

static int64_t later(int64_t time, int64_t wait) { return wait > NEVER - time ? NEVER : time + wait; }

static void return_with(struct thread *thread, int64_t result) {
  thread->state = THREAD_RETURNS;
  thread->result = result;
}

// Futexes. See futex(2).

static struct thread *first_waiter(struct sim_world *world, const struct thread *waker, uint64_t address, uint32_t bits,
                                   bool inherits) {
  struct thread *first = NULL;
  for (int index = 0; index < world->thread_count; index++) {
    struct thread *other = world->threads[index];
    if (other->state != THREAD_WAITS || other->process != waker->process || other->address != address) continue;
    if (other->inherits != inherits || !(other->bits & bits)) continue;
    if (!first || other->order < first->order) first = other;
  }
  return first;
}

static void wait_for(struct sim_world *world, struct thread *thread, uint32_t bits, bool inherits, int64_t deadline,
                     int clock) {
  thread->state = THREAD_WAITS;
  thread->address = thread->registers.rdi;
  thread->bits = bits;
  thread->inherits = inherits;
  thread->order = world->wait_count++;
  thread->deadline = deadline;
  thread->clock = clock;
  thread->late_result = -ETIMEDOUT;
}

static void futex(struct sim_world *world, struct thread *thread) {
  struct user_regs_struct *asked = &thread->registers;
  uint64_t address = asked->rdi;
  int operation = (int)asked->rsi & FUTEX_CMD_MASK;
  int clock = asked->rsi & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  uint32_t word = 0;
  if (!read_memory(thread, address, &word, 4)) return return_with(thread, -EFAULT);
  int64_t end = NEVER;
  switch (operation) {
  case FUTEX_WAIT:
    if (word != (uint32_t)asked->rdx) return return_with(thread, -EAGAIN);
    if (asked->r10) end = later(clock_now(world, clock), read_time(thread, asked->r10));
    return wait_for(world, thread, ~0u, false, end, clock);
  case FUTEX_WAIT_BITSET:
    if (word != (uint32_t)asked->rdx) return return_with(thread, -EAGAIN);
    if (asked->r10) end = read_time(thread, asked->r10);
    return wait_for(world, thread, (uint32_t)asked->r9, false, end, clock);
  case FUTEX_WAKE:
  case FUTEX_WAKE_BITSET: {
    uint32_t bits = operation == FUTEX_WAKE ? ~0u : (uint32_t)asked->r9;
    int64_t woken = 0;
    struct thread *waiter;
    while (woken < (int64_t)(int)asked->rdx && (waiter = first_waiter(world, thread, address, bits, false))) {
      return_with(waiter, 0);
      woken++;
    }
    return return_with(thread, woken);
  }
  case FUTEX_LOCK_PI:
  case FUTEX_LOCK_PI2:
  case FUTEX_TRYLOCK_PI:
    if (!(word & FUTEX_TID_MASK)) {
      bool is_wanted = first_waiter(world, thread, address, ~0u, true);
      word = (uint32_t)thread->id | (is_wanted ? FUTEX_WAITERS : 0);
      write_memory(thread, address, &word, 4);
      return return_with(thread, 0);
    }
    if (operation == FUTEX_TRYLOCK_PI) return return_with(thread, -EAGAIN);
    if ((word & FUTEX_TID_MASK) == (uint32_t)thread->id) return return_with(thread, -EDEADLK);
    word |= FUTEX_WAITERS;
    write_memory(thread, address, &word, 4);
    if (operation == FUTEX_LOCK_PI) clock = CLOCK_REALTIME;
    if (asked->r10) end = read_time(thread, asked->r10);
    return wait_for(world, thread, ~0u, true, end, clock);
  case FUTEX_UNLOCK_PI: {
    struct thread *next_owner = first_waiter(world, thread, address, ~0u, true);
    word = 0;
    if (next_owner) {
      return_with(next_owner, 0);
      word = (uint32_t)next_owner->id | (first_waiter(world, thread, address, ~0u, true) ? FUTEX_WAITERS : 0);
    }
    write_memory(thread, address, &word, 4);
    return return_with(thread, 0);
  }
  default: give_up(world, "futex operation %d is not supported", operation);
  }
}

void wake_all(struct sim_world *world, struct process *process) {
  // Spurious wake-ups of a futex are allowed, so the right thread does not have to be known.
  for (int index = 0; index < world->thread_count; index++) {
    struct thread *thread = world->threads[index];
    if (thread->process == process && thread->state == THREAD_WAITS && !thread->inherits) return_with(thread, 0);
  }
}

// Clocks and timers.

static void sleep_until(struct thread *thread, int64_t deadline, int clock) {
  thread->state = THREAD_SLEEPS;
  thread->deadline = deadline;
  thread->clock = clock;
  thread->late_result = 0;
}

static struct timer *timer_of(struct sim_world *world, const struct process *process, int descriptor) {
  for (int index = 0; index < world->timer_count; index++) {
    struct timer *timer = &world->timers[index];
    if (timer->process == process && timer->descriptor == descriptor) return timer;
  }
  return NULL;
}

/// Sets the kernel's timer, for which the program waits, to expire immediately or never.
static void set_kernel_timer(struct sim_world *world, const struct timer *timer, bool rings) {
  int process = (int)syscall(SYS_pidfd_open, timer->process->id, 0);
  int descriptor = (int)syscall(SYS_pidfd_getfd, process, timer->descriptor, 0);
  close(process);
  if (descriptor < 0) {
    give_up(world, "cannot access a timer: %s", strerror(errno));
    return;
  }
  struct itimerspec soon = {{0, 0}, {0, rings}};
  timerfd_settime(descriptor, 0, &soon, NULL);
  struct pollfd ready = {descriptor, POLLIN, 0};
  if (rings) poll(&ready, 1, 1000);
  close(descriptor);
}

static void set_timer(struct sim_world *world, struct thread *thread) {
  struct timer *timer = timer_of(world, thread->process, (int)thread->registers.rdi);
  struct itimerspec asked;
  if (!timer || !read_memory(thread, thread->registers.rdx, &asked, sizeof asked)) return return_with(thread, -EINVAL);
  int64_t value = read_time(thread, thread->registers.rdx + sizeof(struct timespec));
  timer->interval = read_time(thread, thread->registers.rdx);
  bool is_absolute = thread->registers.rsi & TFD_TIMER_ABSTIME;
  timer->deadline = value == 0 ? NEVER : is_absolute ? value : later(clock_now(world, timer->clock), value);
  set_kernel_timer(world, timer, false);
  return_with(thread, 0);
}

void ring_timers(struct sim_world *world) {
  for (int index = 0; index < world->timer_count; index++) {
    struct timer *timer = &world->timers[index];
    if (timer->deadline == NEVER || timer->process->stopped_until > world->now) continue;
    if (clock_now(world, timer->clock) < timer->deadline) continue;
    timer->deadline = timer->interval ? later(timer->deadline, timer->interval) : NEVER;
    set_kernel_timer(world, timer, true);
    world->event_count++;
  }
}

static void random_bytes(struct sim_world *world, struct thread *thread, uint64_t address, uint64_t count) {
  for (uint64_t done = 0; done < count; done += 8) {
    uint64_t value = draw(&world->chance);
    if (!write_memory(thread, address + done, &value, count - done < 8 ? count - done : 8)) {
      return return_with(thread, -EFAULT);
    }
  }
  return_with(thread, (int64_t)count);
}

static enum file_kind kind_of(const struct thread *thread, uint64_t descriptor) {
  return descriptor < DESCRIPTORS ? (enum file_kind)thread->process->kinds[descriptor] : FILE_OTHER;
}

bool simulate(struct sim_world *world, struct thread *thread) {
  struct user_regs_struct *asked = &thread->registers;
  switch (asked->orig_rax) {
  case SYS_futex: futex(world, thread); return true;
  case SYS_clock_gettime: {
    int64_t now = clock_now(world, (int)asked->rdi);
    struct timespec time = {now / SECOND, now % SECOND};
    return_with(thread, write_memory(thread, asked->rsi, &time, sizeof time) ? 0 : -EFAULT);
    return true;
  }
  case SYS_gettimeofday: {
    int64_t now = clock_now(world, CLOCK_REALTIME);
    struct timeval time = {now / SECOND, now % SECOND / 1000};
    if (asked->rdi) write_memory(thread, asked->rdi, &time, sizeof time);
    return_with(thread, 0);
    return true;
  }
  case SYS_time: {
    int64_t now = clock_now(world, CLOCK_REALTIME) / SECOND;
    if (asked->rdi) write_memory(thread, asked->rdi, &now, 8);
    return_with(thread, now);
    return true;
  }
  case SYS_nanosleep:
    sleep_until(thread, later(clock_now(world, CLOCK_MONOTONIC), read_time(thread, asked->rdi)), CLOCK_MONOTONIC);
    return true;
  case SYS_clock_nanosleep: {
    int64_t time = read_time(thread, asked->rdx);
    bool is_absolute = asked->rsi & TIMER_ABSTIME;
    // A relative sleep ignores clock jumps.
    int clock = is_absolute || asked->rdi != CLOCK_REALTIME ? (int)asked->rdi : CLOCK_MONOTONIC;
    sleep_until(thread, is_absolute ? time : later(clock_now(world, clock), time), clock);
    return true;
  }
  case SYS_sched_yield:
    sleep_until(thread, clock_now(world, CLOCK_MONOTONIC) + 20000, CLOCK_MONOTONIC);
    return true;
  case SYS_getrandom: random_bytes(world, thread, asked->rdi, asked->rsi); return true;
  case SYS_read:
    if (kind_of(thread, asked->rdi) != FILE_RANDOM) return false;
    random_bytes(world, thread, asked->rsi, asked->rdx);
    return true;
  case SYS_sched_getaffinity: {
    // The processes run on one processor, but see four.
    uint64_t mask = 15;
    if (asked->rsi < 8) return false;
    write_memory(thread, asked->rdx, &mask, 8);
    return_with(thread, 8);
    return true;
  }
  case SYS_timerfd_settime: set_timer(world, thread); return true;
  case SYS_openat: {
    // The machine's other processes are not part of this world.
    char path[8];
    if (!read_text(thread, asked->rsi, path, sizeof path) || strcmp(path, "/proc")) return false;
    return_with(thread, -EACCES);
    return true;
  }
  default: return false;
  }
}

// Calls that may block.

/// - Parameter milliseconds: The time to wait, or a negative number to wait forever.
static void wait_at_most(struct sim_world *world, struct thread *thread, int milliseconds) {
  if (thread->state != THREAD_CALLS) return;
  thread->clock = CLOCK_MONOTONIC;
  thread->late_result = 0;
  thread->deadline = milliseconds < 0 ? NEVER : clock_now(world, CLOCK_MONOTONIC) + milliseconds * 1000000LL;
}

bool prepare_try(struct sim_world *world, struct thread *thread, struct user_regs_struct *registers) {
  const struct user_regs_struct *asked = &thread->registers;
  switch (asked->orig_rax) {
  case SYS_poll:
    wait_at_most(world, thread, (int)asked->rdx);
    registers->rdx = 0;
    return (int)asked->rdx != 0;
  case SYS_epoll_wait:
  case SYS_epoll_pwait:
    wait_at_most(world, thread, (int)asked->r10);
    registers->r10 = 0;
    return (int)asked->r10 != 0;
  case SYS_ppoll:
  case SYS_epoll_pwait2: {
    unsigned long long *argument = asked->orig_rax == SYS_ppoll ? &registers->rdx : &registers->r10;
    int64_t time = *argument ? read_time(thread, *argument) : NEVER;
    if (time == 0) return false;
    wait_at_most(world, thread, time == NEVER ? -1 : (int)((time + 999999) / 1000000));
    struct timespec none = {0, 0};
    *argument = asked->rsp - 512;
    write_memory(thread, *argument, &none, sizeof none);
    return true;
  }
  case SYS_fcntl:
    // The waiting forms of F_SETLK and F_OFD_SETLK.
    if ((int)asked->rsi != F_SETLKW && (int)asked->rsi != F_OFD_SETLKW) return false;
    registers->rsi = asked->rsi - 1;
    thread->late_result = -EINTR;
    return true;
  case SYS_flock:
    if (asked->rsi & (LOCK_NB | LOCK_UN)) return false;
    registers->rsi |= LOCK_NB;
    return true;
  case SYS_read: return asked->rdi == 0;
  case SYS_pselect6:
  case SYS_select: {
    int64_t time = asked->r8 ? read_time(thread, asked->r8) : NEVER;
    if (time != 0) give_up(world, "select with a timeout is not supported");
    return false;
  }
  case SYS_wait4:
  case SYS_waitid: give_up(world, "waiting for a process is not supported"); return false;
  default: return false;
  }
}

bool would_block(const struct thread *thread, int64_t result) {
  switch (thread->registers.orig_rax) {
  case SYS_poll:
  case SYS_ppoll:
  case SYS_epoll_wait:
  case SYS_epoll_pwait:
  case SYS_epoll_pwait2: return result == 0;
  case SYS_fcntl: return result == -EAGAIN || result == -EACCES;
  default: return result == -EAGAIN;
  }
}

bool may_wake_others(long number) {
  switch (number) {
  case SYS_pread64:
  case SYS_mmap:
  case SYS_newfstatat:
  case SYS_fstat:
  case SYS_stat:
  case SYS_lstat:
  case SYS_statx:
  case SYS_access:
  case SYS_faccessat:
  case SYS_readlink:
  case SYS_readlinkat:
  case SYS_getdents64:
  case SYS_poll:
  case SYS_ppoll:
  case SYS_pselect6:
  case SYS_epoll_wait:
  case SYS_epoll_pwait:
  case SYS_epoll_pwait2:
  case SYS_fsync:
  case SYS_fdatasync: return false;
  default: return true;
  }
}

// Kinds and times of files. The world has its own times, because the kernel's clock is not the world's.

static bool is_in_proc(const char *path) { return !strncmp(path, "/proc/", 6); }

static enum file_kind kind_at(const struct sim_world *world, const char *path) {
  if (!strcmp(path, "/dev/urandom") || !strcmp(path, "/dev/random")) return FILE_RANDOM;
  if (is_in_proc(path)) return FILE_PROC;
  if (strncmp(path, world->folder, strlen(world->folder))) return FILE_OTHER;
  if (strstr(path, "/ledger-")) return FILE_LEDGER;
  return strstr(path, "-notify") ? FILE_SIGNAL : FILE_STORE;
}

static struct file_times *times_of(struct sim_world *world, uint64_t device, uint64_t number) {
  for (int index = 0; index < world->times_count; index++) {
    struct file_times *times = &world->times[index];
    if (times->device == device && times->number == number) return times;
  }
  if (world->times_count % 64 == 0) {
    world->times = realloc(world->times, (size_t)(world->times_count + 64) * sizeof *world->times);
  }
  world->times[world->times_count] =
      (struct file_times){device, number, FIRST_WALL_TIME - 3600 * SECOND, FIRST_WALL_TIME - 3600 * SECOND};
  return &world->times[world->times_count++];
}

static void touch_at(struct sim_world *world, const char *path, bool follows, bool has_new_contents) {
  struct stat found;
  if (follows ? stat(path, &found) : lstat(path, &found)) return;
  struct file_times *times = times_of(world, found.st_dev, found.st_ino);
  int64_t now = clock_now(world, CLOCK_REALTIME);
  times->changed = now - now % TICK;
  if (has_new_contents) times->modified = times->changed;
}

static void touch_folder(struct sim_world *world, const char *path) {
  char folder[512];
  snprintf(folder, sizeof folder, "%s", path);
  char *end = strrchr(folder, '/');
  if (!end) return;
  *end = 0;
  touch_at(world, folder, true, true);
}

static void touch_open(struct sim_world *world, const struct thread *thread, uint64_t descriptor, bool has_new_contents) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", thread->process->id, (int)descriptor);
  if (kind_of(thread, descriptor) != FILE_OTHER) touch_at(world, path, true, has_new_contents);
}

/// Returns the address of a call's path, or 0 if the call does not have a path.
static uint64_t path_argument(const struct thread *thread) {
  const struct user_regs_struct *asked = &thread->registers;
  switch (asked->orig_rax) {
  case SYS_open:
  case SYS_creat:
  case SYS_stat:
  case SYS_lstat:
  case SYS_access:
  case SYS_unlink:
  case SYS_rename:
  case SYS_mkdir:
  case SYS_rmdir:
  case SYS_readlink:
  case SYS_chmod: return asked->rdi;
  case SYS_openat:
  case SYS_newfstatat:
  case SYS_faccessat:
  case SYS_faccessat2:
  case SYS_unlinkat:
  case SYS_renameat:
  case SYS_renameat2:
  case SYS_mkdirat:
  case SYS_utimensat:
  case SYS_statx:
  case SYS_inotify_add_watch:
  case SYS_readlinkat: return asked->rsi;
  default: return 0;
  }
}

bool has_assigned_result(const struct thread *thread) {
  char path[512];
  switch (thread->registers.orig_rax) {
  // Numbers of processes and threads, and addresses.
  case SYS_clone:
  case SYS_clone3:
  case SYS_set_tid_address:
  case SYS_exit:
  case SYS_getppid: return true;
  // The length of "pipe:[9999]" is not that of "pipe:[10000]".
  case SYS_readlink:
  case SYS_readlinkat: read_text(thread, path_argument(thread), path, sizeof path); return is_in_proc(path);
  case SYS_read: return kind_of(thread, thread->registers.rdi) == FILE_PROC;
  default: return false;
  }
}

static bool has_descriptor(long number) {
  switch (number) {
  case SYS_read:
  case SYS_pread64:
  case SYS_write:
  case SYS_pwrite64:
  case SYS_fsync:
  case SYS_fdatasync:
  case SYS_ftruncate:
  case SYS_fallocate:
  case SYS_fcntl:
  case SYS_fstat:
  case SYS_close:
  case SYS_fchmod:
  case SYS_fchown: return true;
  default: return false;
  }
}

enum file_kind call_kind(const struct sim_world *world, const struct thread *thread, char *path, size_t size) {
  *path = 0;
  uint64_t argument = path_argument(thread);
  if (argument) {
    read_text(thread, argument, path, size);
    return kind_at(world, path);
  }
  long number = (long)thread->registers.orig_rax;
  if (number == SYS_mmap) return kind_of(thread, thread->registers.r8);
  return has_descriptor(number) ? kind_of(thread, thread->registers.rdi) : FILE_OTHER;
}

void note_before(struct sim_world *world, struct thread *thread) {
  struct user_regs_struct *asked = &thread->registers;
  char path[512];
  switch (asked->orig_rax) {
  case SYS_open:
  case SYS_openat: {
    struct stat found;
    read_text(thread, path_argument(thread), path, sizeof path);
    thread->result = kind_at(world, path) > FILE_RANDOM && lstat(path, &found) != 0;
    break;
  }
  case SYS_inotify_init:
  case SYS_inotify_init1:
    // Retries, because other processes of the user may use all instances for a moment.
    for (int tries = 0; tries < 1000; tries++) {
      int descriptor = inotify_init1(IN_CLOEXEC);
      if (descriptor >= 0 && close(descriptor) == 0) break;
      usleep(10000);
    }
    break;
  case SYS_fsync:
  case SYS_fdatasync: world->now += 50000 + (int64_t)(draw(&world->schedule) % 3000000); break;
  default: break;
  }
}

static void replace_times(struct sim_world *world, struct thread *thread, uint64_t address, bool is_extended) {
  char bytes[256];
  if (!read_memory(thread, address, bytes, is_extended ? 256 : sizeof(struct stat))) return;
  uint64_t device, number;
  struct statx *extended = (struct statx *)bytes;
  struct stat *plain = (struct stat *)bytes;
  device = is_extended ? makedev(extended->stx_dev_major, extended->stx_dev_minor) : plain->st_dev;
  number = is_extended ? extended->stx_ino : plain->st_ino;
  struct stat folder;
  if (stat(world->folder, &folder) || folder.st_dev != device) return;
  const struct file_times *times = times_of(world, device, number);
  struct timespec modified = {times->modified / SECOND, times->modified % SECOND};
  struct timespec changed = {times->changed / SECOND, times->changed % SECOND};
  if (is_extended) {
    extended->stx_mtime.tv_sec = modified.tv_sec;
    extended->stx_mtime.tv_nsec = (uint32_t)modified.tv_nsec;
    extended->stx_ctime.tv_sec = changed.tv_sec;
    extended->stx_ctime.tv_nsec = (uint32_t)changed.tv_nsec;
    extended->stx_atime = extended->stx_btime = extended->stx_mtime;
  } else {
    plain->st_mtim = plain->st_atim = modified;
    plain->st_ctim = changed;
  }
  write_memory(thread, address, bytes, is_extended ? 256 : sizeof(struct stat));
}

void note_after(struct sim_world *world, struct thread *thread, int64_t result) {
  struct user_regs_struct *asked = &thread->registers;
  uint8_t *kinds = thread->process->kinds;
  if (result < 0) return;
  char path[512];
  uint64_t argument = path_argument(thread);
  switch (asked->orig_rax) {
  case SYS_open:
  case SYS_openat:
    read_text(thread, argument, path, sizeof path);
    if (result < DESCRIPTORS) kinds[result] = (uint8_t)kind_at(world, path);
    if (!thread->result) break;
    touch_at(world, path, true, true);
    touch_folder(world, path);
    break;
  case SYS_close:
    if (asked->rdi < DESCRIPTORS) kinds[asked->rdi] = FILE_OTHER;
    for (int index = world->timer_count - 1; index >= 0; index--) {
      struct timer *timer = &world->timers[index];
      if (timer->process == thread->process && timer->descriptor == (int)asked->rdi) {
        *timer = world->timers[--world->timer_count];
      }
    }
    break;
  case SYS_inotify_init:
  case SYS_inotify_init1:
    if (result < DESCRIPTORS) kinds[result] = FILE_EVENTS;
    break;
  case SYS_timerfd_create:
    if (world->timer_count == 64) {
      give_up(world, "there are more than 64 timers");
      break;
    }
    world->timers[world->timer_count++] =
        (struct timer){thread->process, (int)result, (int)asked->rdi, NEVER, 0};
    break;
  case SYS_write:
  case SYS_pwrite64:
  case SYS_ftruncate:
  case SYS_fallocate: touch_open(world, thread, asked->rdi, true); break;
  case SYS_fchmod:
  case SYS_fchown: touch_open(world, thread, asked->rdi, false); break;
  case SYS_utimensat:
    read_text(thread, argument, path, sizeof path);
    touch_at(world, path, false, true);
    break;
  case SYS_unlink:
  case SYS_unlinkat:
  case SYS_mkdir:
  case SYS_mkdirat:
  case SYS_rename:
  case SYS_renameat:
  case SYS_renameat2:
    read_text(thread, argument, path, sizeof path);
    touch_folder(world, path);
    break;
  case SYS_stat:
  case SYS_lstat:
  case SYS_fstat: replace_times(world, thread, asked->rsi, false); break;
  case SYS_newfstatat: replace_times(world, thread, asked->rdx, false); break;
  case SYS_statx: replace_times(world, thread, asked->r8, true); break;
  default: break;
  }
}

static const char *name_of(long number) {
  switch (number) {
  case SYS_read: return "read";
  case SYS_write: return "write";
  case SYS_pread64: return "pread";
  case SYS_pwrite64: return "pwrite";
  case SYS_open:
  case SYS_openat: return "open";
  case SYS_close: return "close";
  case SYS_fsync: return "fsync";
  case SYS_fdatasync: return "fdatasync";
  case SYS_ftruncate: return "ftruncate";
  case SYS_fallocate: return "fallocate";
  case SYS_fcntl: return "fcntl";
  case SYS_mmap: return "mmap";
  case SYS_stat:
  case SYS_lstat:
  case SYS_newfstatat:
  case SYS_statx: return "stat";
  case SYS_fstat: return "fstat";
  case SYS_access:
  case SYS_faccessat:
  case SYS_faccessat2: return "access";
  case SYS_unlink:
  case SYS_unlinkat: return "unlink";
  case SYS_rename: return "rename";
  case SYS_utimensat: return "utimensat";
  case SYS_inotify_init:
  case SYS_inotify_init1: return "inotify_init";
  case SYS_inotify_add_watch: return "inotify_add_watch";
  case SYS_inotify_rm_watch: return "inotify_rm_watch";
  case SYS_futex: return "futex";
  case SYS_poll: return "poll";
  case SYS_ppoll: return "ppoll";
  case SYS_pselect6: return "select";
  case SYS_clock_gettime: return "clock_gettime";
  case SYS_clock_nanosleep: return "sleep";
  case SYS_sched_yield: return "sched_yield";
  case SYS_epoll_wait: return "epoll_wait";
  case SYS_getrandom: return "getrandom";
  case SYS_clone:
  case SYS_clone3: return "clone";
  case SYS_exit: return "exit";
  case SYS_exit_group: return "exit_group";
  case SYS_execve: return "execve";
  case SYS_getdents64: return "getdents";
  case SYS_readlink: return "readlink";
  case SYS_timerfd_settime: return "timerfd_settime";
  default: return NULL;
  }
}

void describe(const struct thread *thread, char *text, size_t size) {
  const struct user_regs_struct *asked = &thread->registers;
  const char *name = name_of((long)asked->orig_rax);
  char number[24], path[512] = "";
  snprintf(number, sizeof number, "call %d", (int)asked->orig_rax);
  uint64_t argument = path_argument(thread);
  bool is_open = has_descriptor((long)asked->orig_rax) || (asked->orig_rax == SYS_mmap && (int)asked->r8 >= 0);
  if (argument) {
    read_text(thread, argument, path, sizeof path);
  } else if (is_open) {
    char link[64];
    uint64_t descriptor = asked->orig_rax == SYS_mmap ? asked->r8 : asked->rdi;
    snprintf(link, sizeof link, "/proc/%d/fd/%d", thread->process->id, (int)descriptor);
    ssize_t count = readlink(link, path, sizeof path - 1);
    path[count < 0 ? 0 : count] = 0;
  }
  const char *end = strrchr(path, '/');
  snprintf(text, size, "%s%s%.60s", name ? name : number, *path ? " " : "", end ? end + 1 : path);
}

#endif
