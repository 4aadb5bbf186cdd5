/* The workloads by name; each measures the stretch between `start` and `stop`, and returns what it read. */
#ifndef WORKS_H
#define WORKS_H

#include "store.h"

void start(void);
void stop(void);

struct benchmark_sum work_insert(uint64_t rows);
struct benchmark_sum work_insert_1000(uint64_t rows);
struct benchmark_sum work_single(uint64_t rows);
struct benchmark_sum work_import(uint64_t rows);
struct benchmark_sum work_update(uint64_t rows);
struct benchmark_sum work_delete(uint64_t rows);
struct benchmark_sum work_all(uint64_t rows);
struct benchmark_sum work_hold(uint64_t rows);
struct benchmark_sum work_one(uint64_t rows);
struct benchmark_sum work_ids(uint64_t rows);
struct benchmark_sum work_look_up(uint64_t rows);
struct benchmark_sum work_sorted(uint64_t rows);
struct benchmark_sum work_to_many(uint64_t rows);
struct benchmark_sum work_to_many_prefetched(uint64_t rows);
struct benchmark_sum work_many_to_many(uint64_t rows);
struct benchmark_sum work_many_to_many_prefetched(uint64_t rows);
struct benchmark_sum work_first_50(uint64_t rows);
struct benchmark_sum work_first_50_batched(uint64_t rows);

/* With the obligations of an object graph: duties.c. */
struct benchmark_sum work_all_duties(uint64_t rows);
struct benchmark_sum work_one_duties(uint64_t rows);
struct benchmark_sum work_single_duties(uint64_t rows);

#endif
