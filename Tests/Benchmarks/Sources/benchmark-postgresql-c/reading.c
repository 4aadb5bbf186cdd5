#include "workloads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads with a cursor, so that the client never holds more rows than one FETCH returns. */
static void read_all(const char *columns, void (*add)(const PGresult *, int, struct benchmark_sum *),
                     struct benchmark_sum *sum) {
  char sql[400];
  snprintf(sql, sizeof sql, "DECLARE quakes BINARY CURSOR FOR SELECT %s FROM zquake", columns);
  run("BEGIN");
  run(sql);
  for (int count = 1; count;) {
    PGresult *result = query("FETCH 10000 FROM quakes");
    count = PQntuples(result);
    for (int row = 0; row < count; row++) add(result, row, sum);
    PQclear(result);
  }
  run("COMMIT");
}

static void add_magnitude(const PGresult *result, int row, struct benchmark_sum *sum) {
  sum->reals += real(result, row, 4);
}

struct benchmark_sum workload_all(uint64_t rows) {
  (void)rows;
  struct benchmark_sum sum = {0};
  start();
  read_all(QUAKE_COLUMNS, add_row, &sum);
  stop();
  return sum;
}

/* Reads whole rows, as an object has them. */
struct benchmark_sum workload_one(uint64_t rows) {
  (void)rows;
  struct benchmark_sum sum = {0};
  start();
  read_all(QUAKE_COLUMNS, add_magnitude, &sum);
  stop();
  return sum;
}

struct benchmark_sum workload_look_up(uint64_t rows) {
  enum { COUNT = 1000 };
  struct benchmark_quake *quakes = malloc(COUNT * sizeof *quakes);
  for (uint64_t i = 0; i < COUNT; i++) benchmark_make(benchmark_pick(i, rows), &quakes[i]);
  struct benchmark_sum sum = {0};
  start();
  for (int i = 0; i < COUNT; i++) {
    struct parameters parameters = {0};
    add_text(&parameters, quakes[i].ident);
    if (i == 0) prepare("look-up", "SELECT " QUAKE_COLUMNS " FROM zquake WHERE zident = $1 LIMIT 1", &parameters);
    PGresult *result = checked(execute("look-up", &parameters), PGRES_TUPLES_OK);
    if (PQntuples(result)) add_row(result, 0, &sum);
    PQclear(result);
  }
  stop();
  return sum;
}

struct benchmark_sum workload_faults(uint64_t rows) {
  (void)rows;
  struct benchmark_sum sum = {0};
  PGresult *keys = query("SELECT z_pk FROM zquake ORDER BY zident LIMIT 1000");
  start();
  for (int i = 0; i < PQntuples(keys); i++) {
    struct parameters parameters = {0};
    add_integer(&parameters, integer(keys, i, 0));
    if (i == 0) prepare("fault", "SELECT " QUAKE_COLUMNS " FROM zquake WHERE z_pk = $1", &parameters);
    PGresult *result = checked(execute("fault", &parameters), PGRES_TUPLES_OK);
    add_row(result, 0, &sum);
    PQclear(result);
  }
  stop();
  PQclear(keys);
  return sum;
}

struct benchmark_sum workload_count(uint64_t rows) {
  (void)rows;
  struct benchmark_sum sum = {0};
  start();
  for (int step = 0; step < 100; step++) {
    struct parameters parameters = {0};
    add_real(&parameters, 7 + (double)step / 100);
    if (step == 0) prepare("count", "SELECT count(*) FROM zquake WHERE zmagnitude >= $1", &parameters);
    PGresult *result = checked(execute("count", &parameters), PGRES_TUPLES_OK);
    sum.integers += integer(result, 0, 0);
    PQclear(result);
  }
  stop();
  return sum;
}
