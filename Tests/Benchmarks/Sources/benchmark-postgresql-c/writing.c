#include "workloads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_integer(struct buffer *row, int64_t value) {
  put32(row, 8);
  put64(row, value);
}

static void put_real(struct buffer *row, double value) {
  int64_t word;
  memcpy(&word, &value, sizeof word);
  put_integer(row, word);
}

static void put_small(struct buffer *row, int64_t value) {
  put32(row, 4);
  put32(row, (int32_t)value);
}

static void put_text(struct buffer *row, const char *text) {
  size_t length = strlen(text);
  put32(row, (int32_t)length);
  put(row, text, length);
}

/* A row of COPY in the binary format. */
static void put_quake(struct buffer *row, const struct benchmark_quake *quake, int64_t key, int64_t entity,
                      int64_t region) {
  put16(row, 17);
  put_integer(row, key);
  put_small(row, entity);
  put_integer(row, 1);
  put_real(row, quake->time);
  put_real(row, quake->updated);
  put_real(row, quake->magnitude);
  put_real(row, quake->latitude);
  put_real(row, quake->longitude);
  put_real(row, quake->depth);
  put_text(row, quake->ident);
  put_text(row, quake->place);
  put_text(row, quake->net);
  put_text(row, quake->status);
  put_text(row, quake->type);
  if (quake->felt < 0)
    put32(row, -1);
  else
    put_small(row, quake->felt);
  put_small(row, quake->significance);
  put_integer(row, region);
}

static void copy(const struct benchmark_quake *quakes, uint64_t count, int64_t quake_entity, const int64_t *regions) {
  int64_t key = reserve_keys((int64_t)count);
  PQclear(checked(PQexec(connection, "COPY " QUAKE_INSERTION " FROM STDIN (FORMAT binary)"), PGRES_COPY_IN));
  static struct buffer buffer;
  buffer.count = 0;
  put(&buffer, "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
  for (uint64_t i = 0; i < count; i++) {
    put_quake(&buffer, &quakes[i], key++, quake_entity, regions[quakes[i].region]);
    if (buffer.count < 65536) continue;
    if (PQputCopyData(connection, buffer.bytes, (int)buffer.count) != 1) exit(1);
    buffer.count = 0;
  }
  put16(&buffer, -1);
  if (PQputCopyData(connection, buffer.bytes, (int)buffer.count) != 1) exit(1);
  if (PQputCopyEnd(connection, NULL) != 1) exit(1);
  PQclear(checked(PQgetResult(connection), PGRES_COMMAND_OK));
  PQclear(PQgetResult(connection));
}

static struct benchmark_sum insert(uint64_t count, uint64_t save_every) {
  struct benchmark_quake *list = events(0, count);
  start();
  int64_t number = entity("Quake");
  const int64_t *regions = region_keys();
  for (uint64_t done = 0; done < count; done += save_every) {
    run("BEGIN");
    copy(list + done, count - done < save_every ? count - done : save_every, number, regions);
    run("COMMIT");
  }
  stop();
  return (struct benchmark_sum){0, (int64_t)count};
}

struct benchmark_sum workload_insert(uint64_t rows) { return insert(rows, rows); }
struct benchmark_sum workload_insert_1000(uint64_t rows) { return insert(rows, 1000); }

/* The end of each statement that saves one object. `w` is the written row, $1 the number of the batch of changes, $2
   the kind of change, $3 the entity, and $4 the changed properties. */
#define HISTORY                                                                                                        \
  ", n AS (UPDATE strata_counter SET last = last + 1 WHERE (SELECT count(*) FROM w) = 1 RETURNING last), "            \
  "t AS (INSERT INTO atransaction (z_pk, zbatch, zbundleid, zprocessid, ztimestamp, zorigin) SELECT last, $1, "       \
  "'benchmark', '1', extract(epoch FROM now()) - 978307200, '00000000-0000-0000-0000-000000000001' FROM n), "         \
  "c AS (INSERT INTO achange (zbatch, zplace, zchangetype, zentity, zentitypk, zproperties) SELECT $1, 1, $2, $3, "   \
  "z_pk, $4 FROM n, w) SELECT last, pg_notify('strata_quakes', '') FROM n"

/* Returns a batch number that no store assigns. */
static int64_t batch(int64_t index) { return ((int64_t)1 << 40) + index; }

enum { SAVES = 1000 };

struct benchmark_sum workload_single(uint64_t rows) {
  struct benchmark_quake *list = events(rows, SAVES);
  start();
  int64_t number = entity("Quake");
  const int64_t *regions = region_keys();
  int64_t key = reserve_keys(SAVES);
  for (int i = 0; i < SAVES; i++) {
    const struct benchmark_quake *quake = &list[i];
    struct parameters parameters = {0};
    add_integer(&parameters, batch(i));
    add_integer(&parameters, 0);
    add_integer(&parameters, number);
    add_text(&parameters, NULL);
    add_integer(&parameters, key++);
    add_real(&parameters, quake->time);
    add_real(&parameters, quake->updated);
    add_real(&parameters, quake->magnitude);
    add_real(&parameters, quake->latitude);
    add_real(&parameters, quake->longitude);
    add_real(&parameters, quake->depth);
    add_text(&parameters, quake->ident);
    add_text(&parameters, quake->place);
    add_text(&parameters, quake->net);
    add_text(&parameters, quake->status);
    add_text(&parameters, quake->type);
    add_integer(&parameters, quake->felt);
    if (quake->felt < 0) parameters.values[parameters.count - 1] = NULL;
    add_integer(&parameters, quake->significance);
    add_integer(&parameters, regions[quake->region]);
    if (i == 0) {
      prepare("save",
              "WITH w AS (INSERT INTO " QUAKE_INSERTION " VALUES ($5, $3, 1, $6, $7, $8, $9, $10, $11, $12, $13, $14, "
              "$15, $16, $17, $18, $19) RETURNING z_pk)" HISTORY,
              &parameters);
    }
    PGresult *result = checked(execute("save", &parameters), PGRES_TUPLES_OK);
    if (PQntuples(result) != 1) exit(1);
    PQclear(result);
  }
  stop();
  return (struct benchmark_sum){0, SAVES};
}

struct benchmark_sum workload_single_change(uint64_t rows) {
  (void)rows;
  PGresult *quakes = query("SELECT z_pk, z_opt, zmagnitude FROM zquake ORDER BY zident LIMIT 1000");
  int64_t count = PQntuples(quakes), number = entity("Quake");
  start();
  for (int i = 0; i < count; i++) {
    struct parameters parameters = {0};
    add_integer(&parameters, batch(i));
    add_integer(&parameters, 1);
    add_integer(&parameters, number);
    add_text(&parameters, "magnitude");
    add_real(&parameters, real(quakes, i, 2) + 0.25);
    add_integer(&parameters, integer(quakes, i, 0));
    add_integer(&parameters, integer(quakes, i, 1));
    if (i == 0) {
      prepare("save",
              "WITH w AS (UPDATE zquake SET z_opt = z_opt + 1, zmagnitude = $5 WHERE z_pk = $6 AND z_opt = $7 "
              "RETURNING z_pk)" HISTORY,
              &parameters);
    }
    PGresult *result = checked(execute("save", &parameters), PGRES_TUPLES_OK);
    if (PQntuples(result) != 1) exit(1);
    PQclear(result);
  }
  stop();
  return (struct benchmark_sum){0, count};
}

/* The number of regions that have about 10,000 quakes in total. */
static int64_t regions_touched(uint64_t rows) {
  uint64_t regions = 10000 * 750 / rows;
  return (int64_t)(regions < 1 ? 1 : regions > 750 ? 750 : regions);
}

/* Writes the header of an array of `count` int8 or float8 values. */
static void put_array(struct buffer *array, Oid type, int count) {
  put32(array, 1);
  put32(array, 0);
  put32(array, (int32_t)type);
  put32(array, count);
  put32(array, 1);
}

enum { INT8 = 20, FLOAT8 = 701, FLOAT8_ARRAY = 1022, INT8_ARRAY = 1016 };

struct benchmark_sum workload_update(uint64_t rows) {
  char sql[400];
  snprintf(sql, sizeof sql,
           "SELECT " QUAKE_COLUMNS " FROM zquake WHERE zregion IN (SELECT z_pk FROM zregion WHERE znumber < %lld)",
           (long long)regions_touched(rows));
  start();
  PGresult *quakes = query(sql);
  int count = PQntuples(quakes);
  struct buffer keys = {0}, versions = {0}, magnitudes = {0};
  put_array(&keys, INT8, count);
  put_array(&versions, INT8, count);
  put_array(&magnitudes, FLOAT8, count);
  for (int row = 0; row < count; row++) {
    put_integer(&keys, integer(quakes, row, 0));
    put_integer(&versions, integer(quakes, row, 1));
    put_real(&magnitudes, real(quakes, row, 4) + 0.25);
  }
  struct parameters parameters = {0};
  add_bytes(&parameters, INT8_ARRAY, keys.bytes, keys.count);
  add_bytes(&parameters, INT8_ARRAY, versions.bytes, versions.count);
  add_bytes(&parameters, FLOAT8_ARRAY, magnitudes.bytes, magnitudes.count);
  prepare("update",
          "UPDATE zquake q SET z_opt = q.z_opt + 1, zmagnitude = v.magnitude FROM unnest($1, $2, $3) "
          "AS v (pk, opt, magnitude) WHERE q.z_pk = v.pk AND q.z_opt = v.opt",
          &parameters);
  PGresult *result = checked(execute("update", &parameters), PGRES_COMMAND_OK);
  if (atoi(PQcmdTuples(result)) != count) exit(1);
  PQclear(result);
  PQclear(quakes);
  stop();
  return (struct benchmark_sum){0, count};
}

/* Reads the rows before deleting them, as a client does that needs to know the deleted rows. */
struct benchmark_sum workload_delete(uint64_t rows) {
  char selection[400], regions[200];
  long long touched = (long long)regions_touched(rows);
  snprintf(selection, sizeof selection,
           "SELECT " QUAKE_COLUMNS " FROM zquake WHERE zregion IN (SELECT z_pk FROM zregion WHERE znumber < %lld)",
           touched);
  snprintf(regions, sizeof regions, "DELETE FROM zregion WHERE znumber < %lld", touched);
  start();
  run("BEGIN");
  PGresult *quakes = query(selection);
  int count = PQntuples(quakes);
  struct buffer keys = {0}, versions = {0};
  put_array(&keys, INT8, count);
  put_array(&versions, INT8, count);
  for (int row = 0; row < count; row++) {
    put_integer(&keys, integer(quakes, row, 0));
    put_integer(&versions, integer(quakes, row, 1));
  }
  struct parameters parameters = {0};
  add_bytes(&parameters, INT8_ARRAY, keys.bytes, keys.count);
  prepare("unlink", "DELETE FROM z_1tags WHERE z_1quakes = ANY ($1)", &parameters);
  PQclear(checked(execute("unlink", &parameters), PGRES_COMMAND_OK));
  add_bytes(&parameters, INT8_ARRAY, versions.bytes, versions.count);
  prepare("delete",
          "DELETE FROM zquake q USING unnest($1, $2) AS v (pk, opt) WHERE q.z_pk = v.pk AND q.z_opt = v.opt",
          &parameters);
  PQclear(checked(execute("delete", &parameters), PGRES_COMMAND_OK));
  PQclear(quakes);
  run(regions);
  run("COMMIT");
  PGresult *result = query("SELECT count(*) FROM zquake");
  int64_t left = integer(result, 0, 0);
  PQclear(result);
  stop();
  return (struct benchmark_sum){0, left};
}
