/* The history that a store writes in addition to its rows, in Apple's tables. */
#include <stdio.h>

#include "store.h"

static sqlite3_stmt *transaction, *change, *numbers;
static int64_t last_transaction, last_change;

void open_history(void) {
  run("CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY "
      "INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );"
      "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
      "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID "
      "VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB );"
      "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );"
      "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID);"
      "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS);"
      "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS);"
      "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS);"
      "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS);"
      "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC);"
      "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC);"
      "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC);"
      "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0), "
      "(16003, 'TRANSACTIONSTRING', 0, 2);"
      "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (1, 16003, 'benchmark-c'), (2, 16003, 'process');");
  transaction = prepare("INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZBUNDLEIDTS, ZPROCESSIDTS, ZTIMESTAMP) "
                        "VALUES (?, 16002, 1, 2, unixepoch('now') - 978307200.0)");
  change = prepare("INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) "
                   "VALUES (?, 16001, ?, ?, ?, ?, ?)");
  numbers = prepare("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?");
}

static void store_number(int entity, int64_t number) {
  sqlite3_bind_int64(numbers, 1, number);
  sqlite3_bind_int(numbers, 2, entity);
  finish(numbers);
}

void begin_history(void) {
  if (!transaction) return;
  sqlite3_bind_int64(transaction, 1, ++last_transaction);
  finish(transaction);
}

void record_change(enum change kind, int entity, int64_t key) {
  if (!transaction) return;
  sqlite3_bind_int64(change, 1, ++last_change);
  sqlite3_bind_int(change, 2, kind);
  sqlite3_bind_int(change, 3, entity);
  sqlite3_bind_int64(change, 4, key);
  sqlite3_bind_int64(change, 5, last_transaction);
  if (kind == UPDATED) sqlite3_bind_blob(change, 6, " ", 1, SQLITE_STATIC);
  finish(change);
  sqlite3_clear_bindings(change);
}

void record_all(enum change kind, int entity, sqlite3_stmt *keys) {
  if (!transaction) return;
  while (sqlite3_step(keys) == SQLITE_ROW) record_change(kind, entity, sqlite3_column_int64(keys, 0));
  check(sqlite3_reset(keys));
}

void record_regions(const char *touched, const int64_t *keys) {
  if (!transaction) return;
  for (int i = 0; i < BENCHMARK_REGIONS; i++) {
    if (touched[i]) record_change(UPDATED, REGION, keys[i]);
  }
}

void end_history(void) {
  if (!transaction) return;
  store_number(16002, last_transaction);
  store_number(16001, last_change);
}
