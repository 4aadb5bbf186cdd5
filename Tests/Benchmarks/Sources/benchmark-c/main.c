/* benchmark-c WORK STORE ROWS [duties] [history]: does one work by hand on the SQLite API and prints what it took; with
   the duties of an object graph (duties.c), and with the history of what it saves, if told so.
   benchmark-c versions: the libraries that it runs on. */
#include "works.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct benchmark_times times;

void start(void) { benchmark_begin(); }
void stop(void) { times = benchmark_end(); }

struct named_work {
  const char *name;
  struct benchmark_sum (*work)(uint64_t);
};

static const struct named_work works[] = {
    {"insert", work_insert},
    {"insert-1000", work_insert_1000},
    {"single", work_single},
    {"import", work_import},
    {"update", work_update},
    {"delete", work_delete},
    {"all", work_all},
    {"one", work_one},
    {"ids", work_ids},
    {"look-up", work_look_up},
    {"sorted", work_sorted},
    {"to-many", work_to_many},
    {"to-many-prefetched", work_to_many_prefetched},
    {"many-to-many", work_many_to_many},
    {"many-to-many-prefetched", work_many_to_many_prefetched},
    {"first-50", work_first_50},
    {"first-50-batched", work_first_50_batched},
    {"hold", work_hold},
    {NULL, NULL},
};

static const struct named_work works_with_duties[] = {
    {"single", work_single_duties},
    {"all", work_all_duties},
    {"one", work_one_duties},
    {NULL, NULL},
};

int main(int count, char **arguments) {
  if (count == 2 && !strcmp(arguments[1], "versions")) {
    printf("SQLite %s, glibc %s\n", sqlite3_libversion(), gnu_get_libc_version());
    return 0;
  }
  if (count < 4) return 2;
  open_store(arguments[2]);
  const struct named_work *known = works;
  for (int i = 4; i < count; i++) {
    if (!strcmp(arguments[i], "duties")) known = works_with_duties;
    if (!strcmp(arguments[i], "history")) open_history();
  }
  for (; known->name; known++) {
    if (strcmp(known->name, arguments[1])) continue;
    struct benchmark_sum sum = known->work(strtoull(arguments[3], NULL, 10));
    benchmark_report(arguments[1], times, sum);
    return 0;
  }
  fprintf(stderr, "There is no work '%s'.\n", arguments[1]);
  return 2;
}
