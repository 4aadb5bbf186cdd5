/* A store, its statements, and quakes as structs whose text is in an arena owned by the list. */
#ifndef STORE_H
#define STORE_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "BenchmarkData.h"

struct text {
  const char *bytes;
  int length;
};

struct quake {
  int64_t key;
  int64_t version;
  double time, updated, magnitude, latitude, longitude, depth;
  struct text ident, place, net, status, type;
  int64_t felt;
  int64_t significance;
  int64_t region;
};

struct list {
  struct quake *quakes;
  size_t count, capacity;
  /* The arena: the first word of each block points to the previous block. */
  char *block;
  size_t used;
};

#define QUAKE_COLUMNS                                                                                                  \
  "Z_PK, Z_OPT, ZTIME, ZUPDATED, ZMAGNITUDE, ZLATITUDE, ZLONGITUDE, ZDEPTH, ZIDENT, ZPLACE, ZNET, ZSTATUS, ZTYPE, "  \
  "ZFELT, ZSIGNIFICANCE, ZREGION"

extern sqlite3 *database;

void open_store(const char *path);
void run(const char *sql);
sqlite3_stmt *prepare(const char *sql);
void check(int result);
/* Steps to the end and resets. */
void finish(sqlite3_stmt *statement);

void read_all(sqlite3_stmt *statement, struct list *list);
/* Frees the rows that were read, as a long-running program must. */
void free_list(struct list *list);
/* Empties a list, keeping its memory for the next rows. */
void reuse(struct list *list);
void add(const struct quake *quake, struct benchmark_sum *sum);

/* Binds an insert's values from parameter 2 on. The quake must live until the statement has run. */
void bind_quake(sqlite3_stmt *statement, const struct benchmark_quake *quake, int64_t region_key);
sqlite3_stmt *prepare_insert(void);
int64_t next_key(void);
void store_next_key(int64_t key);
/* The regions' keys by number. */
const int64_t *region_keys(void);

/* Creates the history tables; before that, the functions below do nothing. */
void open_history(void);
enum change { INSERTED, UPDATED, DELETED };
enum { QUAKE = 1, REGION = 2, TAG = 3 };
/* One save: its transaction, a row for each changed object, and the assigned keys. */
void begin_history(void);
void record_change(enum change kind, int entity, int64_t key);
void record_all(enum change kind, int entity, sqlite3_stmt *keys);
/* Records the regions whose quakes changed, given as one flag per region. */
void record_regions(const char *touched, const int64_t *keys);
void end_history(void);

#endif
