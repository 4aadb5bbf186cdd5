/* The workloads by name. Each measures the stretch between `start` and `stop`, and returns the sum of the values that
   it read. */
#ifndef WORKLOADS_H
#define WORKLOADS_H

#include "store.h"

void start(void);
void stop(void);

struct benchmark_sum workload_insert(uint64_t rows);
struct benchmark_sum workload_insert_1000(uint64_t rows);
struct benchmark_sum workload_single(uint64_t rows);
struct benchmark_sum workload_import(uint64_t rows);
struct benchmark_sum workload_update(uint64_t rows);
struct benchmark_sum workload_delete(uint64_t rows);
struct benchmark_sum workload_all(uint64_t rows);
struct benchmark_sum workload_hold(uint64_t rows);
struct benchmark_sum workload_one(uint64_t rows);
struct benchmark_sum workload_ids(uint64_t rows);
struct benchmark_sum workload_look_up(uint64_t rows);
struct benchmark_sum workload_sorted(uint64_t rows);
struct benchmark_sum workload_to_many(uint64_t rows);
struct benchmark_sum workload_to_many_prefetched(uint64_t rows);
struct benchmark_sum workload_many_to_many(uint64_t rows);
struct benchmark_sum workload_many_to_many_prefetched(uint64_t rows);
struct benchmark_sum workload_first_50(uint64_t rows);
struct benchmark_sum workload_first_50_batched(uint64_t rows);

/* With the obligations of an object graph: obligations.c. */
struct benchmark_sum workload_all_obligations(uint64_t rows);
struct benchmark_sum workload_one_obligations(uint64_t rows);
struct benchmark_sum workload_single_obligations(uint64_t rows);

#endif
