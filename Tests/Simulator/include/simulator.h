#ifndef SIMULATOR_H
#define SIMULATOR_H

#include <stdint.h>
#include <sys/types.h>

/// What is done to the simulated processes. `detail` is an errno, microseconds, seconds, or none.
enum sim_deed {
  /// The call fails with the errno `detail`.
  SIM_FAIL,
  /// A read or write transfers only a part.
  SIM_SHORT,
  /// The signal after a commit is not sent, or is sent twice.
  SIM_LOSE_SIGNAL,
  SIM_DOUBLE_SIGNAL,
  /// The events that a process reads from inotify: none of a file in the folder arrives, the last one arrives twice, or
  /// all are lost and the kernel says that its queue overflowed.
  SIM_LOSE_EVENTS,
  SIM_DOUBLE_EVENT,
  SIM_OVERFLOW,
  /// The process is killed before the call.
  SIM_KILL,
  /// All are.
  SIM_KILL_ALL,
  /// The process does not run for `detail` microseconds.
  SIM_STOP,
  /// The wall clock jumps by `detail` seconds.
  SIM_WALL_JUMP,
  /// The machine sleeps for `detail` seconds: only the clocks that count that too go on.
  SIM_SUSPEND,
  SIM_DEED_COUNT
};

/// A fault of the schedule.
struct sim_fault {
  enum sim_deed deed;
  /// The process that it befalls.
  int slot;
  /// At the first call that it can befall, from that slot's call `call` on.
  int64_t call;
  int64_t detail;
  /// How many such calls in a row.
  int repeats;
};

/// A call that a fault befell.
struct sim_hit {
  /// The fault's place in the schedule.
  int fault;
  int slot;
  int64_t step;
  int64_t call;
  char what[64];
};

/// Why `sim_run` returned.
enum sim_news {
  /// The steps are used up.
  SIM_RAN,
  /// A process ended; see `sim_ended`.
  SIM_ENDED,
  /// No thread can ever run again.
  SIM_STUCK,
  /// A thread ran for a second of real time without a call.
  SIM_SPINS,
  /// Something that the simulator does not know; see `sim_trouble`.
  SIM_LOST,
};

struct sim_world;

/// Runs this process and those that it starts on one processor, because changing processors takes longer than a call.
/// They are told that there are four.
void sim_hold_processor(int number);

/// A world without processes, in which time stands still between calls. Everything that is not determined by what the
/// programs do is determined by the seed: which thread runs next, what the clocks tell, what is random.
/// - stickiness: of 256 choices of the next thread, how many keep the one that runs.
struct sim_world *sim_create(uint64_t seed, int stickiness, const char *folder, const struct sim_fault *faults, int count);

/// Kills all processes.
void sim_destroy(struct sim_world *world);

/// Starts a program in a slot; its standard input is `input`, its standard error `errors`.
/// - Returns: 0, or an errno.
int sim_start(struct sim_world *world, int slot, const char *program, char *const arguments[], char *const environment[],
              int input, int errors);

/// Lets the processes make at most so many calls.
enum sim_news sim_run(struct sim_world *world, int64_t steps);

/// Ends all faults, and wakes who is stopped.
void sim_calm(struct sim_world *world);

/// The slot of the process that ended, its wait status, whether it was killed as planned, and how many faults it met.
int sim_ended(const struct sim_world *world, int *status, _Bool *was_killed, int *faults);

int64_t sim_nanoseconds(const struct sim_world *world);
int64_t sim_steps(const struct sim_world *world);
/// Depends on every call of every process and its result.
uint64_t sim_trace_hash(const struct sim_world *world);
const char *sim_trouble(const struct sim_world *world);

int sim_hit_count(const struct sim_world *world);
struct sim_hit sim_hit_at(const struct sim_world *world, int place);

/// Writes a line for every call to a file; -1 for none.
void sim_set_log(struct sim_world *world, int descriptor);

#endif
