/* A connection, parameters in the server's binary format, and the rows of quakes. */
#ifndef STORE_H
#define STORE_H

#include <postgresql/libpq-fe.h>
#include <stddef.h>
#include <stdint.h>

#include "BenchmarkData.h"

extern PGconn *connection;

/* Opens the schema at the end of the URL. */
void open_store(const char *url);
/* Ends the program unless the result has the status. */
PGresult *checked(PGresult *result, ExecStatusType status);
/* Runs a statement that returns no rows. */
void run(const char *sql);
/* Runs a query and returns its rows in binary format. */
PGresult *query(const char *sql);

int64_t integer(const PGresult *result, int row, int column);
double real(const PGresult *result, int row, int column);

enum { MAXIMUM_PARAMETERS = 40 };

struct parameters {
  int count;
  Oid types[MAXIMUM_PARAMETERS];
  const char *values[MAXIMUM_PARAMETERS];
  int lengths[MAXIMUM_PARAMETERS];
  int formats[MAXIMUM_PARAMETERS];
  int64_t words[MAXIMUM_PARAMETERS];
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
/* Returns the number of an entity. */
int64_t entity(const char *name);
/* Reserves new keys and returns the first one. */
int64_t reserve_keys(int64_t count);
/* The regions' keys by number. */
const int64_t *region_keys(void);
struct benchmark_quake *events(uint64_t first, uint64_t count);

/* A growing buffer of bytes in network order. */
struct buffer {
  char *bytes;
  size_t count, capacity;
};
void put(struct buffer *buffer, const void *bytes, size_t count);
void put16(struct buffer *buffer, int16_t value);
void put32(struct buffer *buffer, int32_t value);
void put64(struct buffer *buffer, int64_t value);

#endif
