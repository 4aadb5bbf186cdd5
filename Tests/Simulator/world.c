#ifdef __x86_64__
#define _GNU_SOURCE

#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

// Every thread of every process is stopped before a system call. One thread at a time is resumed: it makes its call,
// runs to its next call, and is stopped again. See ptrace(2) and seccomp(2).

uint64_t draw(uint64_t *state) {
  *state += 0x9E3779B97F4A7C15;
  uint64_t mixed = *state;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

void give_up(struct sim_world *world, const char *format, ...) {
  if (world->run_result == SIM_LOST) return;
  world->run_result = SIM_LOST;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(world->trouble, sizeof world->trouble, format, arguments);
  va_end(arguments);
}

static void mix(struct sim_world *world, uint64_t value) {
  world->hash = (world->hash ^ value) * 0x100000001B3;
  world->hash ^= world->hash >> 29;
}

void sim_pin_processor(int number) {
  cpu_set_t available, one;
  if (sched_getaffinity(0, sizeof available, &available)) return;
  int left = number % CPU_COUNT(&available);
  for (int processor = 0; processor < CPU_SETSIZE; processor++) {
    if (!CPU_ISSET(processor, &available) || left-- > 0) continue;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

struct sim_world *sim_create(uint64_t seed, int stickiness, const char *folder, const struct sim_fault *faults, int count) {
  struct sim_world *world = calloc(1, sizeof *world);
  world->schedule = seed;
  world->chance = seed ^ 0x5DEECE66D;
  world->stickiness = stickiness;
  snprintf(world->folder, sizeof world->folder, "%s", folder);
  world->log = -1;
  world->hash = 0xCBF29CE484222325;
  world->faults = calloc((size_t)count + 1, sizeof *faults);
  memcpy(world->faults, faults, (size_t)count * sizeof *faults);
  world->fault_count = count;
  return world;
}

// Starting and ending.

/// Calls that are deterministic and do not affect other processes. The kernel makes them without a stop.
static const int untraced[] = {
    SYS_mprotect,       SYS_munmap,        SYS_brk,     SYS_madvise, SYS_mremap,      SYS_rt_sigaction,
    SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,   SYS_lseek,   SYS_rseq,    SYS_set_robust_list,
    SYS_getpid,       SYS_gettid,         SYS_getuid,        SYS_geteuid, SYS_getgid,  SYS_getegid,     SYS_prctl,
    SYS_arch_prctl,   SYS_prlimit64,      SYS_uname,         SYS_getcwd,  SYS_ioctl,   SYS_sched_setaffinity,
    SYS_sched_getscheduler, SYS_sched_getparam, SYS_sched_setscheduler, SYS_restart_syscall, SYS_tgkill,
};

static void install_filter(void) {
  enum { count = sizeof untraced / sizeof *untraced };
  struct sock_filter program[count + 3];
  program[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (int index = 0; index < count; index++) {
    program[index + 1] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)untraced[index],
                                     (unsigned char)(count - index), 0);
  }
  program[count + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
  program[count + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog filter = {count + 3, program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) _exit(126);
}

static struct thread *add_thread(struct sim_world *world, struct process *process, pid_t id) {
  if (world->thread_count == THREADS) {
    give_up(world, "there are more than %d threads", THREADS);
    return NULL;
  }
  struct thread *thread = calloc(1, sizeof *thread);
  thread->id = id;
  thread->process = process;
  thread->number = process->thread_count++;
  thread->deadline = NEVER;
  world->threads[world->thread_count++] = thread;
  return thread;
}

static void remove_thread(struct sim_world *world, struct thread *thread) {
  for (int index = 0; index < world->thread_count; index++) {
    if (world->threads[index] != thread) continue;
    memmove(&world->threads[index], &world->threads[index + 1],
            (size_t)(world->thread_count - index - 1) * sizeof thread);
    world->thread_count--;
    break;
  }
  if (world->last == thread) world->last = NULL;
  free(thread);
}

/// Waits for all threads of a process that is ending. The kernel reports the end of the first thread last.
static void reap(struct sim_world *world, struct process *process, int status) {
  for (int index = world->thread_count - 1; index >= 0; index--) {
    struct thread *thread = world->threads[index];
    if (thread->process != process) continue;
    if (thread->id != process->id) {
      int own;
      while (waitpid(thread->id, &own, __WALL) == thread->id && WIFSTOPPED(own)) ptrace(PTRACE_CONT, thread->id, 0, 0);
    }
    remove_thread(world, thread);
  }
  int own = status;
  pid_t found;
  while ((found = waitpid(process->id, &own, __WALL)) == process->id && WIFSTOPPED(own)) {
    ptrace(PTRACE_CONT, process->id, 0, 0);
  }
  world->ended_status = found == process->id ? own : status;
  world->ended_slot = process->slot;
  world->ended_by_plan = process->was_killed;
  world->ended_faults = process->faults;
  for (int index = world->timer_count - 1; index >= 0; index--) {
    if (world->timers[index].process == process) world->timers[index] = world->timers[--world->timer_count];
  }
  world->slots[process->slot] = NULL;
  world->event_count++;
  mix(world, 0xDEAD + (uint64_t)process->slot);
  if (world->run_result == SIM_RAN) world->run_result = SIM_ENDED;
  free(process);
}

static void kill_process(struct sim_world *world, struct process *process) {
  process->was_killed = true;
  kill(process->id, SIGKILL);
  reap(world, process, SIGKILL);
}

void sim_destroy(struct sim_world *world) {
  for (int slot = 0; slot < SLOTS; slot++) {
    if (world->slots[slot]) kill_process(world, world->slots[slot]);
  }
  free(world->times);
  free(world->faults);
  free(world->hits);
  free(world);
}

/// Disables the clocks of the C library that read the time without a call, and sets its random bytes.
static void prepare_program(struct sim_world *world, struct thread *thread) {
  struct user_regs_struct registers;
  ptrace(PTRACE_GETREGS, thread->id, 0, &registers);
  uint64_t address = registers.rsp + 8, word = 1;
  for (int lists = 0; lists < 2; lists++) {
    do {
      if (!read_memory(thread, address, &word, 8)) return give_up(world, "cannot read the new program's stack");
      address += 8;
    } while (word);
  }
  uint64_t entry[2];
  while (read_memory(thread, address, entry, 16) && entry[0] != AT_NULL) {
    uint64_t ignored = 1;
    if (entry[0] == AT_SYSINFO_EHDR) write_memory(thread, address, &ignored, 8);
    uint64_t random[2] = {draw(&world->chance), draw(&world->chance)};
    if (entry[0] == AT_RANDOM) write_memory(thread, entry[1], random, 16);
    address += 16;
  }
}

enum halt { HALT_CALL, HALT_RESULT, HALT_GONE };

static pid_t tracer;

/// Interrupts the tracer's wait, regardless of the thread that receives the alarm.
static void interrupt_wait(int number) {
  if (gettid() != tracer) syscall(SYS_tgkill, getpid(), tracer, number);
}

/// Waits for a thread that received a signal. If the signal kills the process, the kernel reports the end of the first
/// thread only after that of all others.
static pid_t wait_after_signal(struct sim_world *world, struct thread *thread, int *status) {
  struct process *process = thread->process;
  pid_t id = thread->id, found;
  while (!(found = waitpid(id, status, __WALL | WNOHANG))) {
    for (int index = world->thread_count - 1; index >= 0; index--) {
      struct thread *other = world->threads[index];
      int own;
      if (other == thread || other->process != process) continue;
      if (waitpid(other->id, &own, __WALL | WNOHANG) == other->id && !WIFSTOPPED(own)) remove_thread(world, other);
    }
    sched_yield();
  }
  return found;
}

/// Lets a thread run until its next call, or the result of this one.
/// - Parameter how: PTRACE_CONT, or PTRACE_SYSCALL to stop at the result.
static enum halt resume(struct sim_world *world, struct thread *thread, int how) {
  struct process *process = thread->process;
  pid_t id = thread->id;
  if (ptrace(how, id, 0, 0)) {
    give_up(world, "cannot resume thread %d: %s", thread->number, strerror(errno));
    return HALT_GONE;
  }
  bool is_signaled = false;
  while (true) {
    int status;
    pid_t found = is_signaled ? wait_after_signal(world, thread, &status) : waitpid(id, &status, __WALL);
    if (found != id) {
      if (errno == EINTR && world->run_result != SIM_SPINS) {
        // The alarm, see `sim_run`.
        world->run_result = SIM_SPINS;
        snprintf(world->trouble, sizeof world->trouble, "thread %d of slot %d does not make a call", thread->number,
                 process->slot);
        return HALT_GONE;
      }
      give_up(world, "cannot wait for thread %d: %s", thread->number, strerror(errno));
      return HALT_GONE;
    }
    if (!WIFSTOPPED(status)) {
      bool was_last = id == process->id || WIFSIGNALED(status);
      remove_thread(world, thread);
      if (was_last) reap(world, process, status);
      return HALT_GONE;
    }
    int signal = WSTOPSIG(status), event = status >> 16;
    unsigned long message = 0;
    switch (event) {
    case PTRACE_EVENT_SECCOMP: ptrace(PTRACE_GETREGS, id, 0, &thread->registers); return HALT_CALL;
    case PTRACE_EVENT_EXEC: prepare_program(world, thread); break;
    case PTRACE_EVENT_CLONE: {
      ptrace(PTRACE_GETEVENTMSG, id, 0, &message);
      struct thread *new_thread = add_thread(world, process, (pid_t)message);
      int first;
      if (waitpid((pid_t)message, &first, __WALL) != (pid_t)message || !new_thread) {
        give_up(world, "cannot wait for a new thread");
      }
      break;
    }
    case 0:
      if (signal == (SIGTRAP | 0x80)) return HALT_RESULT;
      if (world->log >= 0) dprintf(world->log, "  signal %d to thread %d of slot %d\n", signal, thread->number, process->slot);
      ptrace(how, id, 0, signal);
      is_signaled = true;
      continue;
    default: give_up(world, "a process forked, or event %d is not supported", event);
    }
    ptrace(how, id, 0, 0);
  }
}

// Running.

static bool is_due(const struct sim_world *world, const struct thread *thread) {
  return thread->deadline != NEVER && clock_now(world, thread->clock) >= thread->deadline;
}

static bool can_run(const struct sim_world *world, const struct thread *thread) {
  if (thread->process->stopped_until > world->now) return false;
  switch (thread->state) {
  case THREAD_NEW:
  case THREAD_CALLS:
  case THREAD_RETURNS: return true;
  case THREAD_RETRIES: return thread->seen_event_count != world->event_count || is_due(world, thread);
  case THREAD_WAITS:
  case THREAD_SLEEPS: return is_due(world, thread);
  }
  return false;
}

/// Returns the next thread, or NULL if no thread can run now.
static struct thread *choose(struct sim_world *world) {
  struct thread *runnable[THREADS];
  int count = 0;
  for (int index = 0; index < world->thread_count; index++) {
    if (can_run(world, world->threads[index])) runnable[count++] = world->threads[index];
  }
  if (!count) return NULL;
  uint64_t chance = draw(&world->schedule);
  if (world->last && (int)(chance & 255) < world->stickiness && can_run(world, world->last)) return world->last;
  return runnable[(chance >> 8) % (uint64_t)count];
}

/// Advances the time to the next deadline. Returns false without a deadline.
static bool pass_time(struct sim_world *world) {
  int64_t next = NEVER;
  for (int index = 0; index < world->thread_count; index++) {
    struct thread *thread = world->threads[index];
    int64_t wake = thread->process->stopped_until;
    if (wake > world->now) {
      if (wake < next) next = wake;
    } else if (thread->deadline != NEVER) {
      int64_t due = world->now + thread->deadline - clock_now(world, thread->clock);
      if (due < next) next = due;
    }
  }
  for (int index = 0; index < world->timer_count; index++) {
    struct timer *timer = &world->timers[index];
    if (timer->deadline == NEVER || timer->process->stopped_until > world->now) continue;
    int64_t due = world->now + timer->deadline - clock_now(world, timer->clock);
    if (due < next) next = due;
  }
  if (next == NEVER) return false;
  if (next > world->now) world->now = next;
  return true;
}

static void trace(struct sim_world *world, const struct thread *thread, int64_t result, const char *note) {
  uint64_t call = thread->registers.orig_rax;
  if (world->is_loading) return;
  bool is_known = result > -4096 && result < 1 << 20 && !has_assigned_result(thread);
  mix(world, (uint64_t)thread->process->slot << 32 | (uint64_t)thread->number << 16 | call);
  mix(world, is_known ? (uint64_t)result : 0);
  if (world->log < 0) return;
  char text[96];
  describe(thread, text, sizeof text);
  dprintf(world->log, "%lld %lld.%06lld %d/%d %s = %lld%s%s\n", (long long)world->steps,
          (long long)(world->now / 1000000000), (long long)(world->now / 1000 % 1000000), thread->process->slot,
          thread->number, text, is_known ? (long long)result : 0LL, *note ? " " : "", note);
}

/// Sets the result of a call without making it.
static void skip_call(struct sim_world *world, struct thread *thread, int64_t result, const char *note) {
  trace(world, thread, result, note);
  thread->registers.orig_rax = (uint64_t)-1;
  thread->registers.rax = (uint64_t)result;
  thread->deadline = NEVER;
  ptrace(PTRACE_SETREGS, thread->id, 0, &thread->registers);
  if (resume(world, thread, PTRACE_CONT) == HALT_CALL) thread->state = THREAD_CALLS;
}

static void end_call(struct sim_world *world, struct thread *thread) {
  struct process *process = thread->process;
  bool is_all = thread->registers.orig_rax == SYS_exit_group;
  trace(world, thread, 0, "");
  ptrace(PTRACE_CONT, thread->id, 0, 0);
  world->event_count++;
  if (is_all) return reap(world, process, 0);
  if (thread->id == process->id) {
    // The kernel reports its end only when all others have ended.
    thread->state = THREAD_SLEEPS;
    return;
  }
  int status;
  waitpid(thread->id, &status, __WALL);
  remove_thread(world, thread);
  wake_all(world, process);
}

/// Whether the result of a call is not needed, which saves a stop for half of all calls. A stop takes longer than a call.
static bool ignores_result(long number) { return number == SYS_pread64 || number == SYS_fcntl || number == SYS_mmap; }

/// Lets the kernel make the call. A shortened transfer is made in part.
static void make_call(struct sim_world *world, struct thread *thread, const char *note, bool is_short) {
  struct user_regs_struct asked = thread->registers, changed = asked;
  bool is_try = prepare_try(world, thread, &changed);
  if (!is_try && !is_short && ignores_result((long)asked.orig_rax)) {
    if (may_wake_others((long)asked.orig_rax)) world->event_count++;
    trace(world, thread, 0, note);
    if (resume(world, thread, PTRACE_CONT) == HALT_CALL) thread->state = THREAD_CALLS;
    return;
  }
  if (is_short) changed.rdx = 1 + draw(&world->chance) % (asked.rdx - 1);
  note_before(world, thread);
  if (is_try || is_short) ptrace(PTRACE_SETREGS, thread->id, 0, &changed);
  if (resume(world, thread, PTRACE_SYSCALL) != HALT_RESULT) return;
  struct user_regs_struct now;
  ptrace(PTRACE_GETREGS, thread->id, 0, &now);
  int64_t result = (int64_t)now.rax;
  if (is_try && would_block(thread, result)) {
    if (is_due(world, thread)) {
      result = thread->late_result;
    } else {
      // Returns the thread to the state before the call.
      thread->state = THREAD_RETRIES;
      thread->seen_event_count = world->event_count;
      asked.rip -= 2;
      asked.rax = asked.orig_rax;
      ptrace(PTRACE_SETREGS, thread->id, 0, &asked);
      if (resume(world, thread, PTRACE_CONT) != HALT_CALL) return;
      mix(world, 0xB10C);
      return;
    }
  }
  if (may_wake_others((long)asked.orig_rax)) world->event_count++;
  note_after(world, thread, result);
  if (asked.orig_rax == SYS_read && result > 0) result = change_events(world, thread, result);
  thread->deadline = NEVER;
  trace(world, thread, result, note);
  if (is_try || is_short || result != (int64_t)now.rax) {
    asked.rax = (uint64_t)result;
    asked.rcx = now.rcx;
    asked.r11 = now.r11;
    asked.orig_rax = (uint64_t)-1;
    ptrace(PTRACE_SETREGS, thread->id, 0, &asked);
  }
  if (resume(world, thread, PTRACE_CONT) == HALT_CALL) thread->state = THREAD_CALLS;
}

static void handle_call(struct sim_world *world, struct thread *thread) {
  struct process *process = thread->process;
  uint64_t number = thread->registers.orig_rax;
  if (number == SYS_exit || number == SYS_exit_group) return end_call(world, thread);
  int64_t result = 0;
  switch (inject_fault(world, thread, &result)) {
  case FAILS: return skip_call(world, thread, result, "(fault)");
  case SHORTENED: return make_call(world, thread, "(short)", true);
  case LATER: return;
  case DIES:
    mix(world, 0x4B494C4C);
    return kill_process(world, process);
  case ALL_DIE:
    for (int slot = 0; slot < SLOTS; slot++) {
      if (world->slots[slot]) world->slots[slot]->was_killed = true;
    }
    return kill_process(world, process);
  case GO_ON: break;
  }
  if (simulate(world, thread)) {
    if (thread->state == THREAD_RETURNS) skip_call(world, thread, thread->result, "");
    return;
  }
  make_call(world, thread, "", false);
}

/// Lets a new process run until it accesses the folder.
static void load(struct sim_world *world, struct process *process, struct thread *thread) {
  char path[512];
  world->is_loading = true;
  while (world->slots[process->slot] == process && thread->state == THREAD_CALLS) {
    if (call_kind(world, thread, path, sizeof path) > FILE_RANDOM) break;
    if (!simulate(world, thread)) make_call(world, thread, "", false);
    else if (thread->state == THREAD_RETURNS) skip_call(world, thread, thread->result, "");
  }
  world->is_loading = false;
}

int sim_start(struct sim_world *world, int slot, const char *program, char *const arguments[], char *const environment[],
              int input, int errors) {
  pid_t id = fork();
  if (id < 0) return errno;
  if (id == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    kill(getpid(), SIGSTOP);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGALRM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    personality(ADDR_NO_RANDOMIZE);
    dup2(input, 0);
    dup2(errors, 2);
    // The program does not inherit the open files of this process.
    close_range(3, ~0u, 0);
    install_filter();
    execve(program, arguments, environment);
    _exit(127);
  }
  int status;
  if (waitpid(id, &status, __WALL) != id || !WIFSTOPPED(status)) return ESRCH;
  long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                 PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SETOPTIONS, id, 0, options)) {
    int code = errno;
    kill(id, SIGKILL);
    waitpid(id, &status, __WALL);
    return code;
  }
  struct process *process = calloc(1, sizeof *process);
  process->id = id;
  process->slot = slot;
  world->slots[slot] = process;
  struct thread *first = add_thread(world, process, id);
  // The calls before the program's own are not part of the simulation, except for execve.
  if (first && resume(world, first, PTRACE_CONT) == HALT_CALL && resume(world, first, PTRACE_CONT) == HALT_CALL) {
    first->state = THREAD_CALLS;
    load(world, process, first);
  }
  return world->run_result == SIM_LOST ? EIO : 0;
}

static void step(struct sim_world *world, struct thread *thread) {
  world->last = thread;
  world->steps++;
  world->now += 1000 * (1 + (int64_t)(draw(&world->schedule) % 8));
  switch (thread->state) {
  case THREAD_NEW:
    if (resume(world, thread, PTRACE_CONT) == HALT_CALL) thread->state = THREAD_CALLS;
    return;
  case THREAD_RETURNS: return skip_call(world, thread, thread->result, "");
  case THREAD_WAITS:
  case THREAD_SLEEPS: return skip_call(world, thread, thread->late_result, "");
  case THREAD_RETRIES: return make_call(world, thread, "", false);
  case THREAD_CALLS: return handle_call(world, thread);
  }
}

enum sim_run_result sim_run(struct sim_world *world, int64_t steps) {
  // The alarm detects threads that do not make a call again.
  tracer = gettid();
  struct sigaction action = {.sa_handler = interrupt_wait};
  sigaction(SIGALRM, &action, NULL);
  world->run_result = SIM_RAN;
  for (int64_t count = 0; count < steps && world->run_result == SIM_RAN; count++) {
    // Kills the remaining processes when all are killed.
    for (int slot = 0; slot < SLOTS; slot++) {
      if (world->slots[slot] && world->slots[slot]->was_killed) {
        kill_process(world, world->slots[slot]);
        return world->run_result;
      }
    }
    if (count % 64 == 0) alarm(20);
    ring_timers(world);
    struct thread *next = choose(world);
    if (next) {
      step(world, next);
    } else if (!pass_time(world)) {
      snprintf(world->trouble, sizeof world->trouble, "every thread waits for another");
      world->run_result = SIM_STUCK;
    }
  }
  alarm(0);
  return world->run_result;
}

void sim_end_faults(struct sim_world *world) {
  world->faults_ended = true;
  for (int slot = 0; slot < SLOTS; slot++) {
    if (world->slots[slot]) world->slots[slot]->stopped_until = 0;
  }
}

int sim_ended(const struct sim_world *world, int *status, bool *was_killed, int *faults) {
  *status = world->ended_status;
  *was_killed = world->ended_by_plan;
  *faults = world->ended_faults;
  return world->ended_slot;
}

int64_t sim_nanoseconds(const struct sim_world *world) { return world->now; }
int64_t sim_steps(const struct sim_world *world) { return world->steps; }
uint64_t sim_trace_hash(const struct sim_world *world) { return world->hash; }
const char *sim_trouble(const struct sim_world *world) { return world->trouble; }
int sim_hit_count(const struct sim_world *world) { return world->hit_count; }
struct sim_hit sim_hit_at(const struct sim_world *world, int index) { return world->hits[index]; }
void sim_set_log(struct sim_world *world, int descriptor) { world->log = descriptor; }

#endif
