#include "workloads.h"

#include <stdio.h>
#include <stdlib.h>

/* Each reader holds one transaction over all its reads. */

static struct benchmark_sum read_table(struct list *all) {
  struct benchmark_sum sum = {0};
  run("BEGIN");
  read_all(prepare("SELECT " QUAKE_COLUMNS " FROM ZQUAKE"), all);
  for (size_t i = 0; i < all->count; i++) add(&all->quakes[i], &sum);
  run("COMMIT");
  return sum;
}

struct benchmark_sum workload_all(uint64_t rows) {
  (void)rows;
  start();
  struct list all = {0};
  struct benchmark_sum sum = read_table(&all);
  free_list(&all);
  stop();
  return sum;
}

/* All quakes are in memory when it is measured. */
struct benchmark_sum workload_hold(uint64_t rows) {
  (void)rows;
  start();
  struct list all = {0};
  struct benchmark_sum sum = read_table(&all);
  stop();
  free_list(&all);
  return sum;
}

struct benchmark_sum workload_one(uint64_t rows) {
  (void)rows;
  struct benchmark_sum sum = {0};
  start();
  run("BEGIN");
  struct list all = {0};
  read_all(prepare("SELECT " QUAKE_COLUMNS " FROM ZQUAKE"), &all);
  for (size_t i = 0; i < all.count; i++) sum.reals += all.quakes[i].magnitude;
  run("COMMIT");
  free_list(&all);
  stop();
  return sum;
}

struct benchmark_sum workload_ids(uint64_t rows) {
  (void)rows;
  start();
  run("BEGIN");
  size_t count = 0, capacity = 64;
  int64_t *keys = malloc(capacity * sizeof *keys);
  sqlite3_stmt *statement = prepare("SELECT Z_PK FROM ZQUAKE");
  while (sqlite3_step(statement) == SQLITE_ROW) {
    if (count == capacity) keys = realloc(keys, (capacity *= 2) * sizeof *keys);
    keys[count++] = sqlite3_column_int64(statement, 0);
  }
  run("COMMIT");
  free(keys);
  stop();
  return (struct benchmark_sum){0, (int64_t)count};
}

struct benchmark_sum workload_look_up(uint64_t rows) {
  uint64_t count = rows < 100000 ? rows : 100000;
  struct benchmark_quake *wanted = malloc(count * sizeof *wanted);
  for (uint64_t i = 0; i < count; i++) benchmark_make(benchmark_pick(i, rows), &wanted[i]);
  struct benchmark_sum sum = {0};
  start();
  run("BEGIN");
  sqlite3_stmt *statement = prepare("SELECT " QUAKE_COLUMNS " FROM ZQUAKE WHERE ZIDENT = ?");
  struct list found = {0};
  for (uint64_t i = 0; i < count; i++) {
    sqlite3_bind_text(statement, 1, wanted[i].ident, -1, SQLITE_STATIC);
    reuse(&found);
    read_all(statement, &found);
    add(&found.quakes[0], &sum);
  }
  run("COMMIT");
  free_list(&found);
  stop();
  return sum;
}

struct benchmark_sum workload_sorted(uint64_t rows) {
  (void)rows;
  struct benchmark_sum sum = {0};
  start();
  run("BEGIN");
  sqlite3_stmt *statement =
      prepare("SELECT " QUAKE_COLUMNS
              " FROM ZQUAKE WHERE ZMAGNITUDE >= ? AND ZTIME >= ? AND ZTIME < ? ORDER BY ZTIME DESC LIMIT 50");
  struct list found = {0};
  for (int page = 0; page < 200; page++) {
    double first = 600000000 + page * 1000000.0;
    sqlite3_bind_double(statement, 1, 5);
    sqlite3_bind_double(statement, 2, first);
    sqlite3_bind_double(statement, 3, first + 100000000);
    reuse(&found);
    read_all(statement, &found);
    for (size_t i = 0; i < found.count; i++) add(&found.quakes[i], &sum);
  }
  run("COMMIT");
  free_list(&found);
  stop();
  return sum;
}

struct benchmark_sum workload_to_many(uint64_t rows) {
  (void)rows;
  struct benchmark_sum sum = {0};
  start();
  run("BEGIN");
  const int64_t *regions = region_keys();
  sqlite3_stmt *statement = prepare("SELECT " QUAKE_COLUMNS " FROM ZQUAKE WHERE ZREGION = ?");
  struct list members = {0};
  for (int i = 0; i < BENCHMARK_REGIONS; i++) {
    sqlite3_bind_int64(statement, 1, regions[i]);
    reuse(&members);
    read_all(statement, &members);
    for (size_t j = 0; j < members.count; j++) sum.reals += members.quakes[j].magnitude;
  }
  run("COMMIT");
  free_list(&members);
  stop();
  return sum;
}

static int by_region(const void *left, const void *right) {
  int64_t a = (*(struct quake *const *)left)->region, b = (*(struct quake *const *)right)->region;
  return a < b ? -1 : a > b;
}

struct benchmark_sum workload_to_many_prefetched(uint64_t rows) {
  (void)rows;
  struct benchmark_sum sum = {0};
  start();
  run("BEGIN");
  region_keys();
  struct list all = {0};
  read_all(prepare("SELECT " QUAKE_COLUMNS " FROM ZQUAKE WHERE ZREGION IN (SELECT Z_PK FROM ZREGION)"), &all);
  struct quake **members = malloc(all.count * sizeof *members);
  for (size_t i = 0; i < all.count; i++) members[i] = &all.quakes[i];
  qsort(members, all.count, sizeof *members, by_region);
  for (size_t i = 0; i < all.count; i++) sum.reals += members[i]->magnitude;
  run("COMMIT");
  free(members);
  free_list(&all);
  stop();
  return sum;
}

/* The tags' numbers by key. */
static int64_t *tag_numbers(void) {
  int64_t *numbers = calloc(BENCHMARK_TAGS + 1, sizeof *numbers);
  sqlite3_stmt *statement = prepare("SELECT Z_PK, ZNUMBER, ZNAME FROM ZTAG");
  while (sqlite3_step(statement) == SQLITE_ROW)
    numbers[sqlite3_column_int64(statement, 0)] = sqlite3_column_int64(statement, 1);
  return numbers;
}

struct benchmark_sum workload_many_to_many(uint64_t rows) {
  (void)rows;
  struct benchmark_sum sum = {0};
  start();
  run("BEGIN");
  struct list found = {0};
  read_all(prepare("SELECT " QUAKE_COLUMNS " FROM ZQUAKE LIMIT 10000"), &found);
  int64_t *numbers = tag_numbers();
  sqlite3_stmt *statement = prepare("SELECT Z_3TAGS FROM Z_1TAGS WHERE Z_1QUAKES = ?");
  for (size_t i = 0; i < found.count; i++) {
    sqlite3_bind_int64(statement, 1, found.quakes[i].key);
    while (sqlite3_step(statement) == SQLITE_ROW) sum.integers += numbers[sqlite3_column_int64(statement, 0)];
    sqlite3_reset(statement);
  }
  run("COMMIT");
  free(numbers);
  free_list(&found);
  stop();
  return sum;
}

struct benchmark_sum workload_many_to_many_prefetched(uint64_t rows) {
  (void)rows;
  struct benchmark_sum sum = {0};
  start();
  run("BEGIN");
  struct list found = {0};
  read_all(prepare("SELECT " QUAKE_COLUMNS " FROM ZQUAKE"), &found);
  int64_t *numbers = tag_numbers();
  size_t count = 0, capacity = 64;
  int64_t *tags = malloc(capacity * sizeof *tags);
  int64_t last = 0;
  uint32_t *first_of = calloc(found.count + 2, sizeof *first_of);
  sqlite3_stmt *statement = prepare("SELECT Z_1QUAKES, Z_3TAGS FROM Z_1TAGS ORDER BY Z_1QUAKES");
  while (sqlite3_step(statement) == SQLITE_ROW) {
    if (count == capacity) tags = realloc(tags, (capacity *= 2) * sizeof *tags);
    for (int64_t owner = sqlite3_column_int64(statement, 0); last < owner;) first_of[++last] = (uint32_t)count;
    tags[count++] = sqlite3_column_int64(statement, 1);
  }
  while (last <= (int64_t)found.count) first_of[++last] = (uint32_t)count;
  for (size_t i = 0; i < found.count; i++) {
    int64_t key = found.quakes[i].key;
    for (uint32_t j = first_of[key]; j < first_of[key + 1]; j++) sum.integers += numbers[tags[j]];
  }
  run("COMMIT");
  free(tags);
  free(first_of);
  free(numbers);
  free_list(&found);
  stop();
  return sum;
}

struct benchmark_sum workload_first_50(uint64_t rows) {
  (void)rows;
  struct benchmark_sum sum = {0};
  start();
  run("BEGIN");
  struct list found = {0};
  read_all(prepare("SELECT " QUAKE_COLUMNS " FROM ZQUAKE ORDER BY ZTIME DESC LIMIT 50"), &found);
  for (size_t i = 0; i < found.count; i++) add(&found.quakes[i], &sum);
  run("COMMIT");
  free_list(&found);
  stop();
  return sum;
}

/* All keys in order, then the rows of the first 50. */
struct benchmark_sum workload_first_50_batched(uint64_t rows) {
  struct benchmark_sum sum = {0};
  start();
  run("BEGIN");
  int64_t *keys = malloc(rows * sizeof *keys);
  size_t count = 0;
  sqlite3_stmt *statement = prepare("SELECT Z_PK FROM ZQUAKE ORDER BY ZTIME DESC");
  while (sqlite3_step(statement) == SQLITE_ROW) keys[count++] = sqlite3_column_int64(statement, 0);
  sqlite3_stmt *row = prepare("SELECT " QUAKE_COLUMNS " FROM ZQUAKE WHERE Z_PK = ?");
  struct list found = {0};
  for (size_t i = 0; i < count && i < 50; i++) {
    sqlite3_bind_int64(row, 1, keys[i]);
    read_all(row, &found);
  }
  for (size_t i = 0; i < found.count; i++) add(&found.quakes[i], &sum);
  run("COMMIT");
  free(keys);
  free_list(&found);
  stop();
  return sum;
}
