#ifndef WORLD_H
#define WORLD_H

#include "simulator.h"

#include <stdbool.h>
#include <sys/user.h>

// All times are nanoseconds since the world began, unless they say otherwise.

#define NEVER INT64_MAX
#define SLOTS 32
#define THREADS 1024
#define DESCRIPTORS 1024

/// The kind of the file behind a descriptor of a simulated process. The kernel makes the contents of FILE_PROC: they name
/// numbers that it assigns, such as those of pipes.
enum file_kind { FILE_OTHER, FILE_EVENTS, FILE_PROC, FILE_RANDOM, FILE_STORE, FILE_SIGNAL, FILE_LEDGER };

struct process {
  pid_t id;
  int slot;
  /// The number of its calls, and of those of the slot's earlier processes.
  int64_t calls;
  int thread_count;
  int faults;
  /// The process does not run before this time.
  int64_t stopped_until;
  bool was_killed;
  uint8_t kinds[DESCRIPTORS];
};

enum thread_state {
  /// The thread has not made a call yet.
  THREAD_NEW,
  /// The thread is before a call.
  THREAD_CALLS,
  /// The thread is before a call that would have blocked, and waits for a call of another thread that may change that.
  THREAD_RETRIES,
  /// The thread waits in a futex until it is woken.
  THREAD_WAITS,
  /// The thread sleeps until its deadline.
  THREAD_SLEEPS,
  /// The simulated call of the thread has a result.
  THREAD_RETURNS,
};

struct thread {
  pid_t id;
  struct process *process;
  int number;
  enum thread_state state;
  struct user_regs_struct registers;
  /// The time when waiting ends, its clock (CLOCK_REALTIME jumps), and the result in that case.
  int64_t deadline;
  int clock;
  int64_t late_result;
  int64_t result;
  /// For retries: the number of events when the call was tried.
  int64_t seen_event_count;
  /// For futexes.
  uint64_t address;
  uint32_t bits;
  bool inherits;
  int64_t order;
  /// The address that the kernel clears when the thread ends.
  uint64_t clear_address;
};

struct timer {
  struct process *process;
  int descriptor;
  int clock;
  int64_t deadline;
  int64_t interval;
};

struct file_times {
  uint64_t device;
  uint64_t number;
  int64_t modified;
  int64_t changed;
};

struct sim_world {
  uint64_t schedule, chance;
  int stickiness;
  char folder[256];
  int64_t now, wall_offset, boot_offset;
  int64_t steps, event_count, wait_count;
  uint64_t hash;
  /// Whether a program is being loaded. Its calls depend on its location, so they are not traced and take no time.
  bool is_loading;
  struct process *slots[SLOTS];
  int64_t slot_calls[SLOTS];
  struct thread *threads[THREADS];
  int thread_count;
  struct thread *last;
  struct timer timers[64];
  int timer_count;
  struct file_times *times;
  int times_count;
  struct sim_fault *faults;
  int fault_count;
  bool faults_ended;
  struct sim_hit *hits;
  int hit_count;
  int log;
  enum sim_run_result run_result;
  char trouble[160];
  int ended_slot, ended_status, ended_faults;
  bool ended_by_plan;
};

uint64_t draw(uint64_t *state);
void give_up(struct sim_world *world, const char *format, ...);

// Calls of the programs to the kernel.

/// The world's time on a clock of the kernel.
int64_t clock_now(const struct sim_world *world, int clock);
bool read_memory(const struct thread *thread, uint64_t address, void *bytes, size_t count);
bool write_memory(const struct thread *thread, uint64_t address, const void *bytes, size_t count);
bool read_text(const struct thread *thread, uint64_t address, char *text, size_t size);

/// Returns the kind of the file that a call uses, and its path if the call has one.
enum file_kind call_kind(const struct sim_world *world, const struct thread *thread, char *path, size_t size);

/// Simulates the call that a thread is about to make.
/// - Returns: False if the kernel has to make it.
bool simulate(struct sim_world *world, struct thread *thread);

/// Wakes all threads of a process that wait, because one of its threads ended.
void wake_all(struct sim_world *world, struct process *process);

/// Fires the timers that are due.
void ring_timers(struct sim_world *world);

/// Returns whether a call may block. Changes the registers so that it does not.
bool prepare_try(struct sim_world *world, struct thread *thread, struct user_regs_struct *registers);
bool would_block(const struct thread *thread, int64_t result);

/// Returns whether the result of a call depends on numbers that the kernel assigns, which differ from run to run.
bool has_assigned_result(const struct thread *thread);

/// Records the changes of a call by the kernel: kinds of descriptors and times of files.
void note_before(struct sim_world *world, struct thread *thread);
void note_after(struct sim_world *world, struct thread *thread, int64_t result);
/// Returns whether another thread may stop waiting because of this call.
bool may_wake_others(long number);

/// Describes a call for people.
void describe(const struct thread *thread, char *text, size_t size);

// Faults.

enum fault_effect { GO_ON, FAILS, SHORTENED, LATER, DIES, ALL_DIE };

/// Injects a fault into the call that a thread is about to make.
enum fault_effect inject_fault(struct sim_world *world, struct thread *thread, int64_t *result);
/// Changes the events that a process just read.
int64_t change_events(struct sim_world *world, struct thread *thread, int64_t count);

#endif
