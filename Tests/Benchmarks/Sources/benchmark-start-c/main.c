/* benchmark-start-c STORE: what quakes-summary prints, by hand on the SQLite API. */
#include <sqlite3.h>
#include <stdio.h>
#include <time.h>

static sqlite3 *database;

static sqlite3_stmt *row(const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) return NULL;
  return statement;
}

int main(int count, char **arguments) {
  if (count < 2) return 2;
  if (sqlite3_open_v2(arguments[1], &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) return 4;
  sqlite3_stmt *newest = row("SELECT ZMAGNITUDE, ZPLACE, ZTIME FROM ZQUAKE ORDER BY ZTIME DESC LIMIT 1");
  sqlite3_stmt *today = row("SELECT COUNT(*) FROM ZQUAKE WHERE ZTIME >= ?");
  if (!newest || !today || sqlite3_step(newest) != SQLITE_ROW) return 4;
  const time_t apple = 978307200, now = time(NULL);
  struct tm day;
  localtime_r(&now, &day);
  day.tm_hour = day.tm_min = day.tm_sec = 0;
  sqlite3_bind_double(today, 1, (double)(mktime(&day) - apple));
  if (sqlite3_step(today) != SQLITE_ROW) return 4;
  long minutes = (long)((double)(now - apple) - sqlite3_column_double(newest, 2)) / 60;
  printf("M %.1f %s %ld min ago \xC2\xB7 %d today\n", sqlite3_column_double(newest, 0),
         (const char *)sqlite3_column_text(newest, 1), minutes, sqlite3_column_int(today, 0));
  return 0;
}
