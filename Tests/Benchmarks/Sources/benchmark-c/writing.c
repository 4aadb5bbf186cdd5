#include "workloads.h"

#include <stdlib.h>
#include <string.h>

static struct benchmark_quake *events(uint64_t first, uint64_t count) {
  struct benchmark_quake *list = malloc(count * sizeof *list);
  for (uint64_t i = 0; i < count; i++) benchmark_make(first + i, &list[i]);
  return list;
}

static struct benchmark_sum insert(uint64_t first, uint64_t count, uint64_t save_every) {
  struct benchmark_quake *list = events(first, count);
  start();
  const int64_t *regions = region_keys();
  sqlite3_stmt *statement = prepare_insert();
  for (uint64_t done = 0; done < count;) {
    run("BEGIN IMMEDIATE");
    int64_t key = next_key();
    char touched[BENCHMARK_REGIONS] = {0};
    begin_history();
    for (uint64_t i = 0; i < save_every && done < count; i++, done++) {
      sqlite3_bind_int64(statement, 1, key++);
      bind_quake(statement, &list[done], regions[list[done].region]);
      finish(statement);
      record_change(INSERTED, QUAKE, key - 1);
      touched[list[done].region] = 1;
    }
    record_regions(touched, regions);
    end_history();
    store_next_key(key);
    run("COMMIT");
  }
  stop();
  return (struct benchmark_sum){0, (int64_t)count};
}

struct benchmark_sum workload_insert(uint64_t rows) { return insert(0, rows, rows); }
struct benchmark_sum workload_insert_1000(uint64_t rows) { return insert(0, rows, 1000); }
struct benchmark_sum workload_single(uint64_t rows) { return insert(rows, 1000, 1); }

static uint64_t hash(const char *bytes, int length) {
  uint64_t value = 14695981039346656037u;
  for (int i = 0; i < length; i++) value = (value ^ (unsigned char)bytes[i]) * 1099511628211u;
  return value;
}

/* A hash table of quakes' indices by ident: open addressing, 0 is free. */
static uint32_t *table_of(const struct list *known, size_t size) {
  uint32_t *table = calloc(size, sizeof *table);
  for (size_t i = 0; i < known->count; i++) {
    size_t bucket = hash(known->quakes[i].ident.bytes, known->quakes[i].ident.length) & (size - 1);
    while (table[bucket]) bucket = (bucket + 1) & (size - 1);
    table[bucket] = (uint32_t)i + 1;
  }
  return table;
}

static const struct quake *find(const struct list *known, const uint32_t *table, size_t size, const char *ident) {
  int length = (int)strlen(ident);
  for (size_t bucket = hash(ident, length) & (size - 1); table[bucket]; bucket = (bucket + 1) & (size - 1)) {
    const struct quake *quake = &known->quakes[table[bucket] - 1];
    if (quake->ident.length == length && !memcmp(quake->ident.bytes, ident, (size_t)length)) return quake;
  }
  return NULL;
}

static int is_text(struct text text, const char *other) {
  return (size_t)text.length == strlen(other) && !memcmp(text.bytes, other, (size_t)text.length);
}

static int is_same(const struct quake *known, const struct benchmark_quake *entry) {
  return known->time == entry->time && known->updated == entry->updated && known->magnitude == entry->magnitude &&
         known->latitude == entry->latitude && known->longitude == entry->longitude && known->depth == entry->depth &&
         is_text(known->place, entry->place) && is_text(known->net, entry->net) &&
         is_text(known->status, entry->status) && is_text(known->type, entry->type) &&
         known->felt == (entry->felt < 0 ? -1 : entry->felt) && known->significance == entry->significance;
}

/* Queries 1,000 idents at a time, as usual for large lists. */
static void read_known(const struct benchmark_quake *feed, struct list *known) {
  enum { CHUNK = 1000 };
  char sql[CHUNK * 2 + 400] = "SELECT " QUAKE_COLUMNS " FROM ZQUAKE WHERE ZIDENT IN (?";
  for (int i = 1; i < CHUNK; i++) strcat(sql, ",?");
  strcat(sql, ")");
  sqlite3_stmt *statement = prepare(sql);
  for (int first = 0; first < BENCHMARK_FEED; first += CHUNK) {
    for (int i = 0; i < CHUNK; i++) sqlite3_bind_text(statement, i + 1, feed[first + i].ident, -1, SQLITE_STATIC);
    read_all(statement, known);
  }
}

struct benchmark_sum workload_import(uint64_t rows) {
  struct benchmark_quake *feed = malloc(BENCHMARK_FEED * sizeof *feed);
  for (uint64_t i = 0; i < BENCHMARK_FEED; i++) benchmark_feed(i, rows, &feed[i]);
  start();
  run("BEGIN IMMEDIATE");
  struct list known = {0};
  read_known(feed, &known);
  size_t size = 32768;
  uint32_t *table = table_of(&known, size);
  const int64_t *regions = region_keys();
  sqlite3_stmt *insertion = prepare_insert();
  sqlite3_stmt *update = prepare("UPDATE ZQUAKE SET Z_OPT = ?, ZMAGNITUDE = ?, ZUPDATED = ? WHERE Z_PK = ? AND Z_OPT = ?");
  int64_t key = next_key(), inserted = 0;
  char touched[BENCHMARK_REGIONS] = {0};
  begin_history();
  for (int i = 0; i < BENCHMARK_FEED; i++) {
    const struct quake *quake = find(&known, table, size, feed[i].ident);
    if (!quake) {
      sqlite3_bind_int64(insertion, 1, key++);
      bind_quake(insertion, &feed[i], regions[feed[i].region]);
      finish(insertion);
      record_change(INSERTED, QUAKE, key - 1);
      touched[feed[i].region] = 1;
      inserted++;
    } else if (!is_same(quake, &feed[i])) {
      sqlite3_bind_int64(update, 1, quake->version + 1);
      sqlite3_bind_double(update, 2, feed[i].magnitude);
      sqlite3_bind_double(update, 3, feed[i].updated);
      sqlite3_bind_int64(update, 4, quake->key);
      sqlite3_bind_int64(update, 5, quake->version);
      finish(update);
      record_change(UPDATED, QUAKE, quake->key);
    }
  }
  record_regions(touched, regions);
  end_history();
  store_next_key(key);
  run("COMMIT");
  free(table);
  free_list(&known);
  stop();
  return (struct benchmark_sum){0, inserted};
}

static int64_t regions_touched(uint64_t rows) {
  int64_t count = (int64_t)(10000 * 750 / rows);
  return count < 1 ? 1 : count > 750 ? 750 : count;
}

struct benchmark_sum workload_update(uint64_t rows) {
  start();
  run("BEGIN IMMEDIATE");
  struct list found = {0};
  sqlite3_stmt *select = prepare("SELECT " QUAKE_COLUMNS
                                 " FROM ZQUAKE WHERE ZREGION IN (SELECT Z_PK FROM ZREGION WHERE ZNUMBER < ?)");
  sqlite3_bind_int64(select, 1, regions_touched(rows));
  read_all(select, &found);
  sqlite3_stmt *update = prepare("UPDATE ZQUAKE SET Z_OPT = ?, ZMAGNITUDE = ? WHERE Z_PK = ? AND Z_OPT = ?");
  begin_history();
  for (size_t i = 0; i < found.count; i++) {
    struct quake *quake = &found.quakes[i];
    quake->magnitude += 0.25;
    sqlite3_bind_int64(update, 1, quake->version + 1);
    sqlite3_bind_double(update, 2, quake->magnitude);
    sqlite3_bind_int64(update, 3, quake->key);
    sqlite3_bind_int64(update, 4, quake->version);
    finish(update);
    record_change(UPDATED, QUAKE, quake->key);
  }
  end_history();
  run("COMMIT");
  int64_t updated = (int64_t)found.count;
  free_list(&found);
  stop();
  return (struct benchmark_sum){0, updated};
}

struct benchmark_sum workload_delete(uint64_t rows) {
  start();
  run("BEGIN IMMEDIATE");
  run("CREATE TEMP TABLE gone (key INTEGER PRIMARY KEY)");
  sqlite3_stmt *collect = prepare("INSERT INTO gone SELECT Z_PK FROM ZQUAKE WHERE ZREGION IN "
                                  "(SELECT Z_PK FROM ZREGION WHERE ZNUMBER < ?)");
  sqlite3_bind_int64(collect, 1, regions_touched(rows));
  finish(collect);
  begin_history();
  record_all(DELETED, QUAKE, prepare("SELECT key FROM gone"));
  record_all(UPDATED, TAG, prepare("SELECT DISTINCT Z_3TAGS FROM Z_1TAGS WHERE Z_1QUAKES IN (SELECT key FROM gone)"));
  run("DELETE FROM Z_1TAGS WHERE Z_1QUAKES IN (SELECT key FROM gone)");
  run("DELETE FROM ZQUAKE WHERE Z_PK IN (SELECT key FROM gone)");
  sqlite3_stmt *regions = prepare("DELETE FROM ZREGION WHERE ZNUMBER < ?");
  sqlite3_stmt *gone = prepare("SELECT Z_PK FROM ZREGION WHERE ZNUMBER < ?");
  sqlite3_bind_int64(gone, 1, regions_touched(rows));
  record_all(DELETED, REGION, gone);
  end_history();
  sqlite3_bind_int64(regions, 1, regions_touched(rows));
  finish(regions);
  run("COMMIT");
  sqlite3_stmt *count = prepare("SELECT COUNT(*) FROM ZQUAKE");
  check(sqlite3_step(count));
  int64_t left = sqlite3_column_int64(count, 0);
  stop();
  return (struct benchmark_sum){0, left};
}
