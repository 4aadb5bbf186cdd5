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

/// What a descriptor of a simulated process is.
enum file_kind { FILE_OTHER, FILE_EVENTS, FILE_RANDOM, FILE_STORE, FILE_SIGNAL, FILE_LEDGER };

struct process {
  pid_t id;
  int slot;
  /// Counts its calls, and those of the slot's processes before it.
  int64_t calls;
  int thread_count;
  int faults;
  /// It does not run until then.
  int64_t stopped_until;
  bool was_killed;
  uint8_t kinds[DESCRIPTORS];
};

enum thread_state {
  /// Has not made a call yet.
  THREAD_NEW,
  /// Before a call.
  THREAD_CALLS,
  /// Before a call that was tried and would have blocked: waits for another thread's call that may change that.
  THREAD_RETRIES,
  /// In a futex, until it is woken.
  THREAD_WAITS,
  /// Until its deadline.
  THREAD_SLEEPS,
  /// Its call, which is simulated, has this result.
  THREAD_RETURNS,
};

struct thread {
  pid_t id;
  struct process *process;
  int number;
  enum thread_state state;
  struct user_regs_struct registers;
  /// When to give up waiting, on which clock (CLOCK_REALTIME jumps), and with what result.
  int64_t deadline;
  int clock;
  int64_t late_result;
  int64_t result;
  /// For retries: what had happened when it was tried.
  int64_t seen;
  /// For futexes.
  uint64_t address;
  uint32_t bits;
  bool inherits;
  int64_t order;
  /// Where its death will be told.
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
  int64_t steps, happened, waits;
  uint64_t hash;
  /// While a program is loaded, which depends on where it is, nobody looks and no time passes.
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
  bool is_calm;
  struct sim_hit *hits;
  int hit_count;
  int log;
  enum sim_news news;
  char trouble[160];
  int ended_slot, ended_status, ended_faults;
  bool ended_by_plan;
};

uint64_t draw(uint64_t *state);
void lose(struct sim_world *world, const char *format, ...);

// What programs ask of the kernel.

/// The world's time on a clock of the kernel.
int64_t clock_now(const struct sim_world *world, int clock);
bool read_memory(const struct thread *thread, uint64_t address, void *bytes, size_t count);
bool write_memory(const struct thread *thread, uint64_t address, const void *bytes, size_t count);
bool read_text(const struct thread *thread, uint64_t address, char *text, size_t size);

/// What the file is that a call concerns, and its path if the call names one.
enum file_kind call_kind(const struct sim_world *world, const struct thread *thread, char *path, size_t size);

/// Simulates the call that a thread is about to make.
/// - Returns: false if the kernel is to make it.
bool simulate(struct sim_world *world, struct thread *thread);

/// The thread's death is told to those who wait for it.
void wake_all(struct sim_world *world, struct process *process);

/// Makes the timers ring that are due.
void ring_timers(struct sim_world *world);

/// Whether a call may block, and is to be tried without blocking. Changes the registers accordingly.
bool prepare_try(struct sim_world *world, struct thread *thread, struct user_regs_struct *registers);
bool would_block(const struct thread *thread, int64_t result);

/// Notes what a call by the kernel changed: what descriptors are, when files changed.
void note_before(struct sim_world *world, struct thread *thread);
void note_after(struct sim_world *world, struct thread *thread, int64_t result);
/// Whether another thread that waits may go on because of this call.
bool is_loud(long number);

/// What a call is about, for people.
void describe(const struct thread *thread, char *text, size_t size);

// Faults.

enum verdict { GO_ON, FAILS, SHORTENED, TWICE, LATER, DIES, ALL_DIE };

/// What befalls the call that a thread is about to make.
enum verdict befall(struct sim_world *world, struct thread *thread, int64_t *result);
/// Changes the events that a process just read.
int64_t change_events(struct sim_world *world, struct thread *thread, int64_t count);

#endif
