#include "BenchmarkData.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t mixed(uint64_t value) {
  value += 0x9E3779B97F4A7C15u;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

static uint64_t next(uint64_t *state) { return *state = mixed(*state); }
static double unit(uint64_t *state) { return (double)(next(state) >> 11) / 9007199254740992.0; }

static const char *const networks[] = {"us", "ak", "ci", "nc", "hv", "uw", "nn", "pr", "tx", "av", "ok", "mb"};
static const char *const winds[] = {"N", "NNE", "NE", "E", "SE", "SSE", "S", "SW", "WSW", "W", "NW", "NNW"};
static const char *const places[] = {
    "Neiafu, Tonga",          "Kermadec Islands, New Zealand", "San Antonio de los Cobres, Argentina",
    "Port-Vila, Vanuatu",     "\xC4\xB0zmir, T\xC3\xBCrkiye",  "Ca\xC3\xB1on del Colorado, Per\xC3\xBA",
    "The Geysers, CA",        "Little Sitkin Island, Alaska",  "Volcano, Hawaii",
    "Puerto Madero, Mexico",  "Kokopo, Papua New Guinea",      "Ust\xE2\x80\x99-Kamchatsk Staryy, Russia",
};

void benchmark_make(uint64_t index, struct benchmark_quake *quake) {
  memset(quake, 0, sizeof *quake);
  uint64_t state = index * 0x632BE59BD9B4E019u + 7;
  const char *net = networks[next(&state) % 12];
  /* Multiplication by an odd number is a bijection, so the idents are unique. */
  snprintf(quake->ident, sizeof quake->ident, "%s%08x", net, (unsigned)(uint32_t)(index * 2654435761u));
  strcpy(quake->net, net);
  quake->time = 600000000.0 + (double)(next(&state) % 300000000000ull) / 1000.0;
  quake->updated = quake->time + (double)(next(&state) % 86400000) / 1000.0;
  double strength = unit(&state);
  quake->magnitude = (double)(int64_t)(strength * strength * 80) / 10.0;
  quake->latitude = (double)(int64_t)(unit(&state) * 1800000) / 10000.0 - 90;
  quake->longitude = (double)(int64_t)(unit(&state) * 3600000) / 10000.0 - 180;
  quake->depth = (double)(int64_t)(unit(&state) * 7000) / 10.0;
  unsigned distance = (unsigned)(next(&state) % 300);
  const char *wind = winds[next(&state) % 12];
  snprintf(quake->place, sizeof quake->place, "%u km %s of %s", distance, wind, places[next(&state) % 12]);
  strcpy(quake->status, next(&state) % 3 ? "reviewed" : "automatic");
  strcpy(quake->type, next(&state) % 50 ? "earthquake" : "quarry blast");
  uint64_t felt = next(&state);
  quake->felt = felt % 10 < 7 ? -1 : (int64_t)(felt >> 32) % 5000;
  quake->significance = (int64_t)(next(&state) % 1000);
  quake->region = (int64_t)(next(&state) % BENCHMARK_REGIONS);
  uint64_t tags = next(&state);
  quake->tag_count = (int64_t)(tags % 5);
  for (int64_t i = 0; i < quake->tag_count; i++)
    quake->tags[i] = (int64_t)((tags >> 8) + (uint64_t)i * 37) % BENCHMARK_TAGS;
}

void benchmark_feed(uint64_t index, uint64_t rows, struct benchmark_quake *quake) {
  if (index % 100 == 0) {
    benchmark_make(rows + index, quake);
    return;
  }
  /* A feed contains the newest quakes, so its entries are adjacent. */
  uint64_t first = rows > BENCHMARK_FEED ? rows - BENCHMARK_FEED : 0;
  benchmark_make(first + index % rows, quake);
  if (index % 25 == 1) {
    quake->magnitude += 0.1;
    quake->updated += 60;
  }
}

uint64_t benchmark_pick(uint64_t index, uint64_t rows) { return mixed(index ^ 0x5DEECE66Du) % rows; }

static double milliseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1000 + (double)time.tv_nsec / 1e6;
}

static void reset_peak(void) {
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (!file) return;
  fputs("5", file);
  fclose(file);
}

static long status_kb(const char *name) {
  FILE *file = fopen("/proc/self/status", "r");
  if (!file) return 0;
  char line[128];
  long kb = 0;
  while (fgets(line, sizeof line, file))
    if (!strncmp(line, name, strlen(name))) sscanf(line + strlen(name), ": %ld", &kb);
  fclose(file);
  return kb;
}

/* The CPU time of a server's processes, whose parent is BENCHMARK_SERVER; 0 without a server. */
static double server_milliseconds(void) {
  const char *server = getenv("BENCHMARK_SERVER");
  if (!server) return 0;
  char path[64];
  snprintf(path, sizeof path, "/proc/%s/task/%s/children", server, server);
  FILE *children = fopen(path, "r");
  if (!children) return 0;
  double sum = 0;
  int child;
  while (fscanf(children, "%d", &child) == 1) {
    snprintf(path, sizeof path, "/proc/%d/schedstat", child);
    FILE *file = fopen(path, "r");
    if (!file) continue;
    double nanoseconds = 0;
    if (fscanf(file, "%lf", &nanoseconds) == 1) sum += nanoseconds / 1e6;
    fclose(file);
  }
  fclose(children);
  return sum;
}

static struct benchmark_times begun;

void benchmark_begin(void) {
  reset_peak();
  begun.held = status_kb("VmRSS");
  begun.server = server_milliseconds();
  begun.cpu = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
  begun.wall = milliseconds(CLOCK_MONOTONIC);
}

struct benchmark_times benchmark_end(void) {
  struct benchmark_times times;
  times.cpu = milliseconds(CLOCK_PROCESS_CPUTIME_ID) - begun.cpu;
  times.wall = milliseconds(CLOCK_MONOTONIC) - begun.wall;
  times.server = server_milliseconds() - begun.server;
  times.peak = status_kb("VmHWM");
  times.held = status_kb("VmRSS") - begun.held;
  return times;
}

__attribute__((noinline)) struct benchmark_times benchmark_stretch(void (*work)(void *), void *context) {
  benchmark_begin();
  work(context);
  return benchmark_end();
}

void benchmark_report(const char *work, struct benchmark_times times, struct benchmark_sum sum) {
  printf("{\"work\":\"%s\",\"cpu\":%.4f,\"wall\":%.4f,\"server\":%.4f,\"peak\":%ld,\"held\":%ld,\"reals\":%.6e,"
         "\"integers\":%lld}\n",
         work, times.cpu, times.wall, times.server, times.peak, times.held, sum.reals, (long long)sum.integers);
}
