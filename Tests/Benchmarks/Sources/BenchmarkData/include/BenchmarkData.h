/* The data and the measurement that all programs share. The data depend only on a quake's number. */
#ifndef BENCHMARK_DATA_H
#define BENCHMARK_DATA_H

#include <stdint.h>

enum { BENCHMARK_REGIONS = 750, BENCHMARK_TAGS = 200, BENCHMARK_FEED = 10000 };

struct benchmark_quake {
  char ident[16];
  double time, updated, magnitude, latitude, longitude, depth;
  char place[96];
  char net[4];
  char status[12];
  char type[16];
  int64_t felt; /* below zero: nil */
  int64_t significance;
  int64_t region;    /* 0 ..< BENCHMARK_REGIONS */
  int64_t tags[4];   /* 0 ..< BENCHMARK_TAGS, different from each other */
  int64_t tag_count; /* 0 ... 4 */
};

/* Creates quake number `index`. */
void benchmark_make(uint64_t index, struct benchmark_quake *quake);

/* Creates entry `index` of a feed for a store of `rows` quakes: 95 % as stored, 4 % with another magnitude and time of
   update, 1 % new. */
void benchmark_feed(uint64_t index, uint64_t rows, struct benchmark_quake *quake);

/* Returns the number of the quake for look-up `index`. */
uint64_t benchmark_pick(uint64_t index, uint64_t rows);

/* The cost of one stretch of work: the CPU, wall-clock and server CPU time in milliseconds, and the peak and the growth
   of resident memory in KiB. */
struct benchmark_times {
  double cpu, wall, server;
  long peak, held;
};

void benchmark_begin(void);
struct benchmark_times benchmark_end(void);

/* Runs and measures work. This is a separate function, so that callgrind can count only the instructions in it. */
struct benchmark_times benchmark_stretch(void (*work)(void *), void *context);

/* The sum of all values read: equal sums mean equal work. */
struct benchmark_sum {
  double reals;
  int64_t integers;
};

/* Prints one measurement as a line of JSON. */
void benchmark_report(const char *work, struct benchmark_times times, struct benchmark_sum sum);

#endif
