#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sqlite3 *database;

void check(int result) {
  if (result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW) return;
  fprintf(stderr, "SQLite: %s\n", sqlite3_errmsg(database));
  exit(1);
}

void open_store(const char *path) {
  check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));
  run("PRAGMA journal_mode = WAL");
  run("PRAGMA synchronous = NORMAL");
  run("PRAGMA wal_autocheckpoint = 0");
}

void run(const char *sql) { check(sqlite3_exec(database, sql, NULL, NULL, NULL)); }

sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
  return statement;
}

void finish(sqlite3_stmt *statement) {
  check(sqlite3_step(statement));
  check(sqlite3_reset(statement));
}

enum { TEXT_BLOCK = 1 << 20 };

static struct text copied_text(struct list *list, const unsigned char *bytes, int length) {
  if (!list->block || list->used + (size_t)length > TEXT_BLOCK) {
    char *block = malloc(TEXT_BLOCK);
    memcpy(block, &list->block, sizeof list->block);
    list->block = block;
    list->used = sizeof list->block;
  }
  char *copy = list->block + list->used;
  memcpy(copy, bytes, (size_t)length);
  list->used += (size_t)length;
  return (struct text){copy, length};
}

static struct text column_text(struct list *list, sqlite3_stmt *row, int column) {
  const unsigned char *bytes = sqlite3_column_text(row, column);
  return bytes ? copied_text(list, bytes, sqlite3_column_bytes(row, column)) : (struct text){NULL, 0};
}

static void read_quake(struct list *list, sqlite3_stmt *row, struct quake *quake) {
  quake->key = sqlite3_column_int64(row, 0);
  quake->version = sqlite3_column_int64(row, 1);
  quake->time = sqlite3_column_double(row, 2);
  quake->updated = sqlite3_column_double(row, 3);
  quake->magnitude = sqlite3_column_double(row, 4);
  quake->latitude = sqlite3_column_double(row, 5);
  quake->longitude = sqlite3_column_double(row, 6);
  quake->depth = sqlite3_column_double(row, 7);
  quake->ident = column_text(list, row, 8);
  quake->place = column_text(list, row, 9);
  quake->net = column_text(list, row, 10);
  quake->status = column_text(list, row, 11);
  quake->type = column_text(list, row, 12);
  quake->felt = sqlite3_column_type(row, 13) == SQLITE_NULL ? -1 : sqlite3_column_int64(row, 13);
  quake->significance = sqlite3_column_int64(row, 14);
  quake->region = sqlite3_column_int64(row, 15);
}

static struct quake *append(struct list *list) {
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? list->capacity * 2 : 64;
    list->quakes = realloc(list->quakes, list->capacity * sizeof(struct quake));
  }
  return &list->quakes[list->count++];
}

void read_all(sqlite3_stmt *statement, struct list *list) {
  int result;
  while ((result = sqlite3_step(statement)) == SQLITE_ROW) read_quake(list, statement, append(list));
  check(result);
  check(sqlite3_reset(statement));
}

void free_list(struct list *list) {
  while (list->block) {
    char *before;
    memcpy(&before, list->block, sizeof before);
    free(list->block);
    list->block = before;
  }
  free(list->quakes);
  *list = (struct list){0};
}

void reuse(struct list *list) {
  list->count = 0;
  if (list->block) list->used = sizeof list->block;
}

void add(const struct quake *quake, struct benchmark_sum *sum) {
  sum->reals += quake->magnitude + quake->latitude + quake->longitude + quake->depth;
  sum->reals += quake->time + quake->updated;
  sum->integers += quake->ident.length + quake->place.length + quake->net.length + quake->status.length +
                   quake->type.length;
  sum->integers += (quake->felt < 0 ? 0 : quake->felt) + quake->significance;
}

sqlite3_stmt *prepare_insert(void) {
  return prepare("INSERT INTO ZQUAKE (Z_PK, Z_ENT, Z_OPT, ZTIME, ZUPDATED, ZMAGNITUDE, ZLATITUDE, ZLONGITUDE, ZDEPTH, "
                 "ZIDENT, ZPLACE, ZNET, ZSTATUS, ZTYPE, ZFELT, ZSIGNIFICANCE, ZREGION) "
                 "VALUES (?, 1, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
}

static void bind_text(sqlite3_stmt *statement, int parameter, const char *text) {
  check(sqlite3_bind_text(statement, parameter, text, (int)strlen(text), SQLITE_STATIC));
}

void bind_quake(sqlite3_stmt *statement, const struct benchmark_quake *quake, int64_t region_key) {
  sqlite3_bind_double(statement, 2, quake->time);
  sqlite3_bind_double(statement, 3, quake->updated);
  sqlite3_bind_double(statement, 4, quake->magnitude);
  sqlite3_bind_double(statement, 5, quake->latitude);
  sqlite3_bind_double(statement, 6, quake->longitude);
  sqlite3_bind_double(statement, 7, quake->depth);
  bind_text(statement, 8, quake->ident);
  bind_text(statement, 9, quake->place);
  bind_text(statement, 10, quake->net);
  bind_text(statement, 11, quake->status);
  bind_text(statement, 12, quake->type);
  if (quake->felt < 0)
    sqlite3_bind_null(statement, 13);
  else
    sqlite3_bind_int64(statement, 13, quake->felt);
  sqlite3_bind_int64(statement, 14, quake->significance);
  sqlite3_bind_int64(statement, 15, region_key);
}

int64_t next_key(void) {
  static sqlite3_stmt *statement;
  if (!statement) statement = prepare("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1");
  check(sqlite3_step(statement));
  int64_t key = sqlite3_column_int64(statement, 0) + 1;
  check(sqlite3_reset(statement));
  return key;
}

void store_next_key(int64_t key) {
  static sqlite3_stmt *statement;
  if (!statement) statement = prepare("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = 1");
  sqlite3_bind_int64(statement, 1, key - 1);
  finish(statement);
}

const int64_t *region_keys(void) {
  static int64_t keys[BENCHMARK_REGIONS];
  sqlite3_stmt *statement = prepare("SELECT ZNUMBER, Z_PK FROM ZREGION");
  while (sqlite3_step(statement) == SQLITE_ROW)
    keys[sqlite3_column_int64(statement, 0)] = sqlite3_column_int64(statement, 1);
  check(sqlite3_reset(statement));
  return keys;
}
