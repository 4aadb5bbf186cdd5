/* A connection, parameters in the server's binary format, and the rows of quakes. */
#ifndef STORE_H
#define STORE_H

#include <postgresql/libpq-fe.h>
#include <stddef.h>
#include <stdint.h>

#include "BenchmarkData.h"

extern PGconn *connection;

/* Opens the schema that ends the URL. */
void open_store(const char *url);
/* Ends the program unless the result has the status. */
PGresult *checked(PGresult *result, ExecStatusType status);
/* Runs a statement without an answer. */
void run(const char *sql);
/* Runs a query whose answer is binary. */
PGresult *ask(const char *sql);

int64_t integer(const PGresult *result, int row, int column);
double real(const PGresult *result, int row, int column);

enum { MOST_PARAMETERS = 40 };

struct parameters {
  int count;
  Oid types[MOST_PARAMETERS];
  const char *values[MOST_PARAMETERS];
  int lengths[MOST_PARAMETERS];
  int formats[MOST_PARAMETERS];
  int64_t words[MOST_PARAMETERS];
};

void add_integer(struct parameters *parameters, int64_t value);
void add_real(struct parameters *parameters, double value);
/* The text must live until the statement has run. NULL is NULL. */
void add_text(struct parameters *parameters, const char *text);
void add_bytes(struct parameters *parameters, Oid type, const char *bytes, size_t length);
/* Prepares a statement under the name of its text. */
void prepare(const char *name, const char *sql, const struct parameters *parameters);
PGresult *execute(const char *name, const struct parameters *parameters);

#define QUAKE_COLUMNS                                                                                                  \
  "z_pk, z_opt, ztime, zupdated, zmagnitude, zlatitude, zlongitude, zdepth, zident, zplace, znet, zstatus, ztype, "   \
  "zfelt, zsignificance, zregion"
#define QUAKE_INSERTION                                                                                                \
  "zquake (z_pk, z_ent, z_opt, ztime, zupdated, zmagnitude, zlatitude, zlongitude, zdepth, zident, zplace, znet, "    \
  "zstatus, ztype, zfelt, zsignificance, zregion)"

/* Adds all values of a row of QUAKE_COLUMNS. */
void add_row(const PGresult *result, int row, struct benchmark_sum *sum);
/* The number of the entity, and the first of so many new keys. */
int64_t entity(const char *name);
int64_t take_keys(int64_t count);
/* The regions' keys by number. */
const int64_t *region_keys(void);
struct benchmark_quake *events(uint64_t first, uint64_t count);

/* Bytes that grow, in network order. */
struct buffer {
  char *bytes;
  size_t count, capacity;
};
void put(struct buffer *buffer, const void *bytes, size_t count);
void put16(struct buffer *buffer, int16_t value);
void put32(struct buffer *buffer, int32_t value);
void put64(struct buffer *buffer, int64_t value);

#endif
