/* benchmark-start-c STORE: prints the same as quakes-summary, with the SQLite API.
   benchmark-start-c --peak PROGRAM [ARGUMENT]...: runs a program and prints its peak memory in KiB. A process inherits
   the peak of its parent, so the parent must be a small program. */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static sqlite3 *database;

static sqlite3_stmt *row(const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) return NULL;
  return statement;
}

static int peak(char **command) {
  pid_t process = fork();
  if (process == 0) {
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    execv(command[0], command);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (process < 0 || wait4(process, &status, 0, &usage) != process || status != 0) return 1;
  printf("%ld\n", usage.ru_maxrss);
  return 0;
}

int main(int count, char **arguments) {
  if (count < 2) return 2;
  if (count > 2 && strcmp(arguments[1], "--peak") == 0) return peak(arguments + 2);
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
