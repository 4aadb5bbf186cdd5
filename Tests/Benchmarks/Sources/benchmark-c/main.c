/* benchmark-c WORKLOAD STORE ROWS [obligations] [history]: runs one workload on the SQLite API and prints its cost;
   optionally with the obligations of an object graph (obligations.c), and with the history of its saves.
   benchmark-c versions: prints the versions of the libraries. */
#include "workloads.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct benchmark_times times;

void start(void) { benchmark_begin(); }
void stop(void) { times = benchmark_end(); }

struct named_workload {
  const char *name;
  struct benchmark_sum (*work)(uint64_t);
};

static const struct named_workload workloads[] = {
    {"insert", workload_insert},
    {"insert-1000", workload_insert_1000},
    {"single", workload_single},
    {"import", workload_import},
    {"update", workload_update},
    {"delete", workload_delete},
    {"all", workload_all},
    {"one", workload_one},
    {"ids", workload_ids},
    {"look-up", workload_look_up},
    {"sorted", workload_sorted},
    {"to-many", workload_to_many},
    {"to-many-prefetched", workload_to_many_prefetched},
    {"many-to-many", workload_many_to_many},
    {"many-to-many-prefetched", workload_many_to_many_prefetched},
    {"first-50", workload_first_50},
    {"first-50-batched", workload_first_50_batched},
    {"hold", workload_hold},
    {NULL, NULL},
};

static const struct named_workload workloads_with_obligations[] = {
    {"single", workload_single_obligations},
    {"all", workload_all_obligations},
    {"one", workload_one_obligations},
    {NULL, NULL},
};

int main(int count, char **arguments) {
  if (count == 2 && !strcmp(arguments[1], "versions")) {
    printf("SQLite %s, glibc %s\n", sqlite3_libversion(), gnu_get_libc_version());
    return 0;
  }
  if (count < 4) return 2;
  open_store(arguments[2]);
  const struct named_workload *known = workloads;
  for (int i = 4; i < count; i++) {
    if (!strcmp(arguments[i], "obligations")) known = workloads_with_obligations;
    if (!strcmp(arguments[i], "history")) open_history();
  }
  for (; known->name; known++) {
    if (strcmp(known->name, arguments[1])) continue;
    struct benchmark_sum sum = known->work(strtoull(arguments[3], NULL, 10));
    benchmark_report(arguments[1], times, sum);
    return 0;
  }
  fprintf(stderr, "Unknown workload '%s'.\n", arguments[1]);
  return 2;
}
