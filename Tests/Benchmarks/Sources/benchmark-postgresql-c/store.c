#include "store.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PGconn *connection;

static void fail(void) {
  fprintf(stderr, "PostgreSQL: %s\n", PQerrorMessage(connection));
  exit(1);
}

PGresult *checked(PGresult *result, ExecStatusType status) {
  if (PQresultStatus(result) != status) fail();
  return result;
}

void open_store(const char *url) {
  char *own = strdup(url), *schema = strstr(own, "&schema=");
  if (!schema) exit(2);
  *schema = 0;
  connection = PQconnectdb(own);
  if (PQstatus(connection) != CONNECTION_OK) fail();
  char sql[100];
  snprintf(sql, sizeof sql, "SET search_path = %s", schema + strlen("&schema="));
  run(sql);
  free(own);
}

void run(const char *sql) { PQclear(checked(PQexec(connection, sql), PGRES_COMMAND_OK)); }

PGresult *query(const char *sql) {
  return checked(PQexecParams(connection, sql, 0, NULL, NULL, NULL, NULL, 1), PGRES_TUPLES_OK);
}

int64_t integer(const PGresult *result, int row, int column) {
  const char *value = PQgetvalue(result, row, column);
  if (PQgetlength(result, row, column) == 4) {
    uint32_t word;
    memcpy(&word, value, sizeof word);
    return (int32_t)be32toh(word);
  }
  uint64_t word;
  memcpy(&word, value, sizeof word);
  return (int64_t)be64toh(word);
}

double real(const PGresult *result, int row, int column) {
  int64_t word = integer(result, row, column);
  double value;
  memcpy(&value, &word, sizeof value);
  return value;
}

enum { INT8 = 20, TEXT = 25, FLOAT8 = 701 };

void add_bytes(struct parameters *parameters, Oid type, const char *bytes, size_t length) {
  int index = parameters->count++;
  parameters->types[index] = type;
  parameters->values[index] = bytes;
  parameters->lengths[index] = (int)length;
  parameters->formats[index] = 1;
}

static void add_word(struct parameters *parameters, Oid type, uint64_t word) {
  int64_t *slot = &parameters->words[parameters->count];
  *slot = (int64_t)htobe64(word);
  add_bytes(parameters, type, (const char *)slot, sizeof *slot);
}

void add_integer(struct parameters *parameters, int64_t value) { add_word(parameters, INT8, (uint64_t)value); }

void add_real(struct parameters *parameters, double value) {
  uint64_t word;
  memcpy(&word, &value, sizeof word);
  add_word(parameters, FLOAT8, word);
}

void add_text(struct parameters *parameters, const char *text) {
  add_bytes(parameters, TEXT, text, text ? strlen(text) : 0);
}

void prepare(const char *name, const char *sql, const struct parameters *parameters) {
  PQclear(checked(PQprepare(connection, name, sql, parameters->count, parameters->types), PGRES_COMMAND_OK));
}

PGresult *execute(const char *name, const struct parameters *parameters) {
  return PQexecPrepared(connection, name, parameters->count, parameters->values, parameters->lengths,
                        parameters->formats, 1);
}

void add_row(const PGresult *result, int row, struct benchmark_sum *sum) {
  for (int column = 2; column < 8; column++) sum->reals += real(result, row, column);
  for (int column = 8; column < 13; column++) sum->integers += PQgetlength(result, row, column);
  if (!PQgetisnull(result, row, 13)) sum->integers += integer(result, row, 13);
  sum->integers += integer(result, row, 14);
}

int64_t entity(const char *name) {
  struct parameters parameters = {0};
  add_text(&parameters, name);
  PGresult *result = checked(PQexecParams(connection, "SELECT z_ent FROM z_primarykey WHERE z_name = $1", 1,
                                          parameters.types, parameters.values, parameters.lengths,
                                          parameters.formats, 1),
                             PGRES_TUPLES_OK);
  int64_t number = integer(result, 0, 0);
  PQclear(result);
  return number;
}

int64_t reserve_keys(int64_t count) {
  struct parameters parameters = {0};
  add_integer(&parameters, count);
  const char *sql = "UPDATE z_primarykey SET z_max = z_max + $1 WHERE z_name = 'Quake' RETURNING z_max";
  PGresult *result = checked(PQexecParams(connection, sql, 1, parameters.types, parameters.values, parameters.lengths,
                                          parameters.formats, 1),
                             PGRES_TUPLES_OK);
  int64_t last = integer(result, 0, 0);
  PQclear(result);
  return last - count + 1;
}

const int64_t *region_keys(void) {
  static int64_t keys[BENCHMARK_REGIONS];
  PGresult *result = query("SELECT z_pk, znumber FROM zregion");
  for (int row = 0; row < PQntuples(result); row++) keys[integer(result, row, 1)] = integer(result, row, 0);
  PQclear(result);
  return keys;
}

struct benchmark_quake *events(uint64_t first, uint64_t count) {
  struct benchmark_quake *list = malloc(count * sizeof *list);
  for (uint64_t i = 0; i < count; i++) benchmark_make(first + i, &list[i]);
  return list;
}

void put(struct buffer *buffer, const void *bytes, size_t count) {
  if (buffer->count + count > buffer->capacity) {
    buffer->capacity = (buffer->count + count) * 2;
    buffer->bytes = realloc(buffer->bytes, buffer->capacity);
  }
  memcpy(buffer->bytes + buffer->count, bytes, count);
  buffer->count += count;
}

void put16(struct buffer *buffer, int16_t value) {
  uint16_t word = htobe16((uint16_t)value);
  put(buffer, &word, sizeof word);
}

void put32(struct buffer *buffer, int32_t value) {
  uint32_t word = htobe32((uint32_t)value);
  put(buffer, &word, sizeof word);
}

void put64(struct buffer *buffer, int64_t value) {
  uint64_t word = htobe64((uint64_t)value);
  put(buffer, &word, sizeof word);
}
