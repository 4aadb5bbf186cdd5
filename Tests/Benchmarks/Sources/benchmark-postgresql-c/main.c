/* benchmark-postgresql-c WORKLOAD URL ROWS: runs one workload on libpq, in the fastest way that we know, and prints its
   cost. The saves of one object write a history.
   benchmark-postgresql-c events FIRST COUNT | picks COUNT ROWS: prints the data. */
#include "workloads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct benchmark_times times;

void start(void) { benchmark_begin(); }
void stop(void) { times = benchmark_end(); }

/* Prints the data for programs in other languages: tab-separated quakes, or the idents to look up. */
static int print(const char *what, uint64_t first, uint64_t second) {
  struct benchmark_quake quake;
  int prints_events = !strcmp(what, "events");
  for (uint64_t i = 0; i < (prints_events ? second : first); i++) {
    benchmark_make(prints_events ? first + i : benchmark_pick(i, second), &quake);
    if (!prints_events) {
      puts(quake.ident);
      continue;
    }
    printf("%s\t%s\t%s\t%s\t%s\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%lld\t%lld\t%lld\n", quake.ident,
           quake.place, quake.net, quake.status, quake.type, quake.time, quake.updated, quake.magnitude, quake.latitude,
           quake.longitude, quake.depth, (long long)quake.felt, (long long)quake.significance, (long long)quake.region);
  }
  return 0;
}

static const struct {
  const char *name;
  struct benchmark_sum (*work)(uint64_t);
} workloads[] = {
    {"insert", workload_insert},   {"insert-1000", workload_insert_1000},
    {"single", workload_single},   {"single-change", workload_single_change},
    {"update", workload_update},   {"delete", workload_delete},
    {"all", workload_all},         {"one", workload_one},
    {"look-up", workload_look_up}, {"faults", workload_faults},
    {"count", workload_count},     {"batch-insert", workload_insert},
};

int main(int count, char **arguments) {
  if (count < 4) return 2;
  if (!strcmp(arguments[1], "events") || !strcmp(arguments[1], "picks"))
    return print(arguments[1], strtoull(arguments[2], NULL, 10), strtoull(arguments[3], NULL, 10));
  open_store(arguments[2]);
  for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
    if (strcmp(workloads[i].name, arguments[1])) continue;
    struct benchmark_sum sum = workloads[i].work(strtoull(arguments[3], NULL, 10));
    benchmark_report(arguments[1], times, sum);
    PQfinish(connection);
    return 0;
  }
  fprintf(stderr, "Unknown workload '%s'.\n", arguments[1]);
  return 2;
}
