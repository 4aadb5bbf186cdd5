/* The workloads that cost an object graph more than a loop over rows, with the obligations of an object graph. Reading
   keeps each row as it was read, creates one object per row that can be found by its ID, and copies strings for the
   caller. Saving acquires the writer lock, increments the version of the owner that gained a member, and checkpoints the
   log. To our knowledge, this is the minimum cost of an implementation of Core Data. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <sys/stat.h>
#include <unistd.h>

#include "workloads.h"

enum { SLOTS = 17, BLOCK = 65536, CHUNK = 2 << 20, INLINE_TEXT = 15, STRING_HEADER = 32 };

/* Fixed-size slots from the front, text from the back. */
struct page {
  uint64_t *words;
  char *end;
  size_t count, text;
  int references;
};

struct object {
  void *type, *layout, *registry, *edits;
  uint64_t id;
  struct page *page;
  uint32_t row;
  uint32_t state;
};

static struct page **pages;
static size_t page_count, row_count;

static void *block(void) {
  static char *chunk;
  static size_t used = CHUNK;
  if (used == CHUNK) {
    char *memory = mmap(NULL, 2 * CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    chunk = (char *)(((uintptr_t)memory + CHUNK - 1) & ~(uintptr_t)(CHUNK - 1));
    madvise(chunk, CHUNK, MADV_HUGEPAGE);
    used = 0;
  }
  used += BLOCK;
  return chunk + used - BLOCK;
}

static struct page *new_page(void) {
  struct page *page = malloc(sizeof *page);
  page->words = block();
  *page = (struct page){page->words, (char *)page->words + BLOCK, 0, 0, 0};
  pages = realloc(pages, (page_count + 1) * sizeof *pages);
  return pages[page_count++] = page;
}

/* Called by SQL for each row: copies the values once, into the page that keeps them. */
static void pack(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)context;
  static const char kinds[SLOTS + 1] = "iiddddddtttttiiii";
  (void)count;
  struct page *page = pages[page_count - 1];
  for (;;) {
    uint64_t *row = page->words + page->count * (SLOTS + 1), nulls = 0;
    size_t text = page->text, room = BLOCK - (page->count + 1) * (SLOTS + 1) * 8;
    for (int i = 0; i < SLOTS && text <= room; i++) {
      if (kinds[i] == 't') {
        const unsigned char *bytes = sqlite3_value_text(values[i]);
        size_t length = bytes ? (size_t)sqlite3_value_bytes(values[i]) : 0;
        text += length;
        if (text <= room && bytes) memcpy(page->end - text, bytes, length);
        if (!bytes) nulls |= 1u << i;
        row[i] = (uint64_t)text << 32 | length;
      } else if (kinds[i] == 'd') {
        double value = sqlite3_value_double(values[i]);
        memcpy(&row[i], &value, 8);
      } else {
        row[i] = (uint64_t)sqlite3_value_int64(values[i]);
        if (!row[i] && sqlite3_value_type(values[i]) == SQLITE_NULL) nulls |= 1u << i;
      }
    }
    if (text > room || page->count == BLOCK / ((SLOTS + 1) * 8)) {
      page = new_page();
      continue;
    }
    row[SLOTS] = nulls;
    page->text = text;
    page->count++;
    row_count++;
    return;
  }
}

static void nothing(sqlite3_context *context) { sqlite3_result_null(context); }

static void read_rows(void) {
  check(sqlite3_create_function_v2(database, "pack", SLOTS, SQLITE_UTF8, NULL, NULL, pack, nothing, NULL));
  new_page();
  sqlite3_stmt *statement = prepare(
      "SELECT pack(Z_PK, Z_OPT, ZTIME, ZUPDATED, ZMAGNITUDE, ZLATITUDE, ZLONGITUDE, ZDEPTH, ZIDENT, ZPLACE, ZNET, "
      "ZSTATUS, ZTYPE, ZFELT, ZSIGNIFICANCE, ZREGION, Z_ENT) FROM ZQUAKE");
  check(sqlite3_step(statement));
  check(sqlite3_reset(statement));
}

static struct object **table;
static size_t table_size;
/* The tombstone of a removed entry. */
static struct object gone = {.id = UINT64_MAX};

static size_t bucket_of(uint64_t id) {
  uint64_t block = (id >> 3) * 0x9E3779B97F4A7C15u >> 32;
  size_t bucket = (block << 3 | (id & 7)) & (table_size - 1);
  while (table[bucket] && table[bucket]->id != id) bucket = (bucket + 1) & (table_size - 1);
  return bucket;
}

static struct object **make_objects(void) {
  struct object **objects = malloc(row_count * sizeof *objects), **next = objects;
  for (table_size = 16; table_size < 2 * row_count;) table_size *= 2;
  table = calloc(table_size, sizeof *table);
  for (size_t i = 0; i < page_count; i++) {
    for (uint32_t row = 0; row < pages[i]->count; row++) {
      struct object *object = malloc(sizeof *object);
      *object = (struct object){.id = pages[i]->words[row * (SLOTS + 1)], .page = pages[i], .row = row};
      pages[i]->references++;
      *next++ = table[bucket_of(object->id)] = object;
    }
  }
  return objects;
}

static void release(struct object **objects) {
  for (size_t i = 0; i < row_count; i++) {
    table[bucket_of(objects[i]->id)] = &gone;
    objects[i]->page->references--;
    free(objects[i]);
  }
  free(objects);
  free(table);
  for (size_t i = 0; i < page_count; i++) {
    if ((uintptr_t)pages[i]->words % CHUNK == 0) munmap(pages[i]->words, CHUNK);
    free(pages[i]);
  }
  free(pages);
}

static double real(const struct object *object, int slot) {
  double value;
  memcpy(&value, &object->page->words[object->row * (SLOTS + 1) + slot], 8);
  return value;
}

static int64_t integer(const struct object *object, int slot) {
  return (int64_t)object->page->words[object->row * (SLOTS + 1) + slot];
}

/* Copies a text as for a caller, and returns its length. */
static int64_t length(const struct object *object, int slot) {
  uint64_t word = object->page->words[object->row * (SLOTS + 1) + slot];
  size_t count = word & 0xFFFFFFFF;
  const char *bytes = object->page->end - (word >> 32);
  char own[INLINE_TEXT + 1], *copy = count <= INLINE_TEXT ? own : malloc(STRING_HEADER + count + 1);
  memcpy(copy, bytes, count);
  __asm__ volatile("" : : "r"(copy) : "memory");
  if (copy != own) free(copy);
  return (int64_t)count;
}

static struct benchmark_sum read_objects(void (*each)(const struct object *, struct benchmark_sum *)) {
  struct benchmark_sum sum = {0};
  start();
  run("BEGIN");
  read_rows();
  struct object **objects = make_objects();
  for (size_t i = 0; i < row_count; i++) each(objects[i], &sum);
  release(objects);
  run("COMMIT");
  stop();
  return sum;
}

static void add_all(const struct object *object, struct benchmark_sum *sum) {
  sum->reals += real(object, 4) + real(object, 5) + real(object, 6) + real(object, 7);
  sum->reals += real(object, 2) + real(object, 3);
  for (int slot = 8; slot < 13; slot++) sum->integers += length(object, slot);
  sum->integers += integer(object, 13) + integer(object, 14);
}

static void add_magnitude(const struct object *object, struct benchmark_sum *sum) { sum->reals += real(object, 4); }

struct benchmark_sum workload_all_obligations(uint64_t rows) {
  (void)rows;
  return read_objects(add_all);
}

struct benchmark_sum workload_one_obligations(uint64_t rows) {
  (void)rows;
  return read_objects(add_magnitude);
}

static int log_pages;

static int record_pages(void *context, sqlite3 *connection, const char *name, int pages) {
  (void)context, (void)connection, (void)name;
  log_pages = pages;
  return SQLITE_OK;
}

static void lock(int file, short type, off_t at) {
  struct flock range = {.l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
  if (fcntl(file, F_OFD_SETLKW, &range)) perror("lock");
}

struct benchmark_sum workload_single_obligations(uint64_t rows) {
  enum { SAVES = 1000, STEP = 2000 };
  struct benchmark_quake *list = malloc(SAVES * sizeof *list);
  for (uint64_t i = 0; i < SAVES; i++) benchmark_make(rows + i, &list[i]);
  const char *path = sqlite3_db_filename(database, "main");
  char lock_path[4096];
  snprintf(lock_path, sizeof lock_path, "%s-turn", path);
  int file = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  sqlite3 *copier;
  check(sqlite3_open_v2(path, &copier, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));
  check(sqlite3_exec(copier, "SELECT count(*) FROM Z_METADATA", NULL, NULL, NULL));
  sqlite3_wal_hook(database, record_pages, NULL);
  start();
  const int64_t *regions = region_keys();
  sqlite3_stmt *insertion = prepare_insert();
  sqlite3_stmt *version = prepare("UPDATE ZREGION SET Z_OPT = Z_OPT + 1 WHERE Z_PK = ?");
  for (int i = 0; i < SAVES; i++) {
    struct stat status;
    lock(file, F_WRLCK, 2);
    lock(file, F_WRLCK, 0);
    lock(file, F_UNLCK, 2);
    lstat(lock_path, &status);
    run("BEGIN IMMEDIATE");
    int64_t key = next_key();
    sqlite3_bind_int64(insertion, 1, key);
    bind_quake(insertion, &list[i], regions[list[i].region]);
    finish(insertion);
    sqlite3_bind_int64(version, 1, regions[list[i].region]);
    finish(version);
    begin_history();
    record_change(INSERTED, QUAKE, key);
    record_change(UPDATED, REGION, regions[list[i].region]);
    end_history();
    store_next_key(key + 1);
    run("COMMIT");
    lock(file, F_UNLCK, 0);
    if (log_pages >= STEP) {
      check(sqlite3_wal_checkpoint_v2(copier, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL));
      log_pages = 0;
    }
  }
  stop();
  return (struct benchmark_sum){0, SAVES};
}
