#ifdef __x86_64__
#define _GNU_SOURCE

#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/// Whether a call may fail with an errno on Linux.
static bool can_fail(const struct thread *thread, enum file_kind kind, const char *path, int64_t code) {
  const struct user_regs_struct *asked = &thread->registers;
  switch (asked->orig_rax) {
  case SYS_inotify_init:
  case SYS_inotify_init1: return code == EMFILE;
  case SYS_inotify_add_watch: return code == ENOSPC || code == ENOMEM;
  default: break;
  }
  if (kind != FILE_STORE && kind != FILE_SIGNAL) return false;
  switch (asked->orig_rax) {
  case SYS_open:
  case SYS_openat: {
    uint64_t flags = asked->orig_rax == SYS_open ? asked->rsi : asked->rdx;
    struct stat found;
    if (code == ENOSPC) return (flags & O_CREAT) && lstat(path, &found);
    return code == EIO || code == EMFILE || code == EINTR;
  }
  case SYS_read:
  case SYS_pread64:
  case SYS_ftruncate: return code == EIO || code == EINTR;
  case SYS_write:
  case SYS_pwrite64:
  case SYS_fallocate:
  case SYS_fsync:
  case SYS_fdatasync: return code == EIO || code == EINTR || code == ENOSPC;
  case SYS_fcntl: {
    int command = (int)asked->rsi;
    short type = F_UNLCK;
    bool waits = command == F_SETLKW || command == F_OFD_SETLKW;
    if (!waits && command != F_SETLK && command != F_OFD_SETLK) return false;
    // Releasing a lock cannot fail.
    if (!read_memory(thread, asked->rdx, &type, sizeof type) || type == F_UNLCK) return false;
    return code == EIO || code == ENOLCK || (code == EINTR && waits);
  }
  case SYS_mmap: return code == ENOMEM;
  case SYS_stat:
  case SYS_lstat:
  case SYS_fstat:
  case SYS_newfstatat:
  case SYS_statx:
  case SYS_unlink:
  case SYS_unlinkat:
  case SYS_utimensat: return code == EIO;
  case SYS_rename: return code == EIO || code == ENOSPC;
  default: return false;
  }
}

static bool can_shorten(const struct thread *thread, enum file_kind kind) {
  if (kind != FILE_STORE || thread->registers.rdx < 2) return false;
  switch (thread->registers.orig_rax) {
  case SYS_read:
  case SYS_pread64:
  case SYS_write:
  case SYS_pwrite64: return true;
  default: return false;
  }
}

static void note_hit(struct sim_world *world, const struct thread *thread, int index) {
  if (world->hit_count % 64 == 0) {
    world->hits = realloc(world->hits, (size_t)(world->hit_count + 64) * sizeof *world->hits);
  }
  struct sim_hit *hit = &world->hits[world->hit_count++];
  *hit = (struct sim_hit){index, thread->process->slot, world->steps, world->slot_calls[thread->process->slot], ""};
  describe(thread, hit->what, sizeof hit->what);
}

/// Returns the next fault for a slot's call that fits, or NULL.
static struct sim_fault *due_fault(struct sim_world *world, const struct thread *thread,
                                   bool (*fits)(enum sim_fault_kind)) {
  if (world->faults_ended) return NULL;
  int slot = thread->process->slot;
  for (int index = 0; index < world->fault_count; index++) {
    struct sim_fault *fault = &world->faults[index];
    if (fault->slot == slot && fault->repeats > 0 && fault->call <= world->slot_calls[slot] && fits(fault->kind)) {
      return fault;
    }
  }
  return NULL;
}

static bool affects_events(enum sim_fault_kind kind) {
  return kind == SIM_LOSE_EVENTS || kind == SIM_DOUBLE_EVENT || kind == SIM_OVERFLOW;
}

enum fault_effect inject_fault(struct sim_world *world, struct thread *thread, int64_t *result) {
  struct process *process = thread->process;
  int64_t call = ++world->slot_calls[process->slot];
  if (world->faults_ended) return GO_ON;
  char path[512];
  enum file_kind kind = call_kind(world, thread, path, sizeof path);
  bool is_signal = thread->registers.orig_rax == SYS_utimensat && kind == FILE_SIGNAL;
  for (int index = 0; index < world->fault_count; index++) {
    struct sim_fault *fault = &world->faults[index];
    if (fault->slot != process->slot || fault->repeats <= 0 || fault->call > call) continue;
    switch (fault->kind) {
    case SIM_FAIL:
      if (!can_fail(thread, kind, path, fault->detail)) continue;
      *result = -fault->detail;
      break;
    case SIM_SHORT:
      if (!can_shorten(thread, kind)) continue;
      break;
    case SIM_LOSE_SIGNAL:
    case SIM_DOUBLE_SIGNAL:
      if (!is_signal) continue;
      break;
    case SIM_KILL:
    case SIM_KILL_ALL:
    case SIM_STOP:
    case SIM_WALL_JUMP:
    case SIM_SUSPEND: break;
    default: continue;
    }
    fault->repeats--;
    process->faults++;
    note_hit(world, thread, index);
    switch (fault->kind) {
    case SIM_FAIL: return FAILS;
    case SIM_SHORT: return SHORTENED;
    case SIM_LOSE_SIGNAL: *result = 0; return FAILS;
    case SIM_DOUBLE_SIGNAL: utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW); return GO_ON;
    case SIM_KILL: return DIES;
    case SIM_KILL_ALL: return ALL_DIE;
    case SIM_STOP: process->stopped_until = world->now + fault->detail * 1000; return LATER;
    case SIM_WALL_JUMP: world->wall_offset += fault->detail * 1000000000LL; return GO_ON;
    default: world->boot_offset += fault->detail * 1000000000LL; return GO_ON;
    }
  }
  return GO_ON;
}

int64_t change_events(struct sim_world *world, struct thread *thread, int64_t count) {
  const struct user_regs_struct *asked = &thread->registers;
  if (asked->rdi >= DESCRIPTORS || thread->process->kinds[asked->rdi] != FILE_EVENTS) return count;
  struct sim_fault *fault = due_fault(world, thread, affects_events);
  char *bytes = fault ? malloc((size_t)count * 2) : NULL;
  if (!fault || !read_memory(thread, asked->rsi, bytes, (size_t)count)) {
    free(bytes);
    return count;
  }
  int64_t last = 0;
  bool has_named = false;
  for (int64_t index = 0; index < count;) {
    struct inotify_event *event = (struct inotify_event *)(bytes + index);
    last = index;
    if (event->len > 0) {
      has_named = true;
      // Programs ignore other files in the folder.
      if (fault->kind == SIM_LOSE_EVENTS) event->name[0] = '?';
    }
    index += (int64_t)sizeof *event + event->len;
  }
  int64_t result = count;
  if (fault->kind == SIM_DOUBLE_EVENT && count + (count - last) <= (int64_t)asked->rdx) {
    memcpy(bytes + count, bytes + last, (size_t)(count - last));
    result = count + (count - last);
  } else if (fault->kind == SIM_OVERFLOW) {
    struct inotify_event overflow = {.wd = -1, .mask = IN_Q_OVERFLOW};
    memcpy(bytes, &overflow, sizeof overflow);
    result = sizeof overflow;
  } else if (fault->kind != SIM_LOSE_EVENTS || !has_named) {
    free(bytes);
    return count;
  }
  fault->repeats--;
  thread->process->faults++;
  note_hit(world, thread, (int)(fault - world->faults));
  write_memory(thread, asked->rsi, bytes, (size_t)result);
  free(bytes);
  return result;
}

#endif
