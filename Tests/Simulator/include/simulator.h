#ifndef SIMULATOR_H
#define SIMULATOR_H

#include <stdint.h>
#include <sys/types.h>

/// The kinds of faults. `detail` is an errno, microseconds, seconds, or unused.
enum sim_fault_kind {
  /// The call fails with the errno `detail`.
  SIM_FAIL,
  /// A read or write transfers only a part.
  SIM_SHORT,
  /// The signal after a commit is not sent, or is sent twice.
  SIM_LOSE_SIGNAL,
  SIM_DOUBLE_SIGNAL,
  /// Changes of the events that a process reads from inotify: events of files in the folder are lost, the last event
  /// arrives twice, or all events are lost and the kernel reports that its queue overflowed.
  SIM_LOSE_EVENTS,
  SIM_DOUBLE_EVENT,
  SIM_OVERFLOW,
  /// The process is killed before the call.
  SIM_KILL,
  /// All processes are killed before the call.
  SIM_KILL_ALL,
  /// The process does not run for `detail` microseconds.
  SIM_STOP,
  /// The wall clock jumps by `detail` seconds.
  SIM_WALL_JUMP,
  /// The machine sleeps for `detail` seconds. Only the clocks that include sleep advance.
  SIM_SUSPEND,
  SIM_FAULT_KIND_COUNT
};

/// A fault of the schedule.
struct sim_fault {
  enum sim_fault_kind kind;
  /// The slot of the affected process.
  int slot;
  /// The fault affects the first suitable call from that slot's call `call` on.
  int64_t call;
  int64_t detail;
  /// The number of affected calls in a row.
  int repeats;
};

/// A call that a fault affected.
struct sim_hit {
  /// The fault's index in the schedule.
  int fault;
  int slot;
  int64_t step;
  int64_t call;
  char what[64];
};

/// The reason why `sim_run` returned.
enum sim_run_result {
  /// The steps are used up.
  SIM_RAN,
  /// A process ended; see `sim_ended`.
  SIM_ENDED,
  /// No thread can ever run again.
  SIM_STUCK,
  /// A thread runs too long in real time without a call.
  SIM_SPINS,
  /// The simulator does not support an operation; see `sim_trouble`.
  SIM_LOST,
};

struct sim_world;

/// Runs this process and those that it starts on one processor, because changing processors takes longer than a call.
/// The simulated processes see four processors.
void sim_pin_processor(int number);

/// Creates a world without processes, in which time does not pass between calls. The seed determines everything that
/// the programs do not determine: the next thread, the time of the clocks and random numbers.
/// - stickiness: The number of 256 choices of the next thread that keep the current one.
struct sim_world *sim_create(uint64_t seed, int stickiness, const char *folder, const struct sim_fault *faults, int count);

/// Kills all processes.
void sim_destroy(struct sim_world *world);

/// Starts a program in a slot, with `input` as standard input and `errors` as standard error.
/// - Returns: 0, or an errno.
int sim_start(struct sim_world *world, int slot, const char *program, char *const arguments[], char *const environment[],
              int input, int errors);

/// Lets the processes make at most `steps` calls.
enum sim_run_result sim_run(struct sim_world *world, int64_t steps);

/// Ends all faults, and resumes stopped processes.
void sim_end_faults(struct sim_world *world);

/// Returns the slot of the process that ended, its wait status, whether it was killed as planned, and the number of its
/// faults.
int sim_ended(const struct sim_world *world, int *status, _Bool *was_killed, int *faults);

int64_t sim_nanoseconds(const struct sim_world *world);
int64_t sim_steps(const struct sim_world *world);
/// Returns a hash of all calls of all processes and their results.
uint64_t sim_trace_hash(const struct sim_world *world);
const char *sim_trouble(const struct sim_world *world);

int sim_hit_count(const struct sim_world *world);
struct sim_hit sim_hit_at(const struct sim_world *world, int index);

/// Writes a line for every call to a file, or to none if the descriptor is -1.
void sim_set_log(struct sim_world *world, int descriptor);

#endif
