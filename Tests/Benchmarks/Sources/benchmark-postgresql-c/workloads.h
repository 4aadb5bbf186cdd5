#ifndef WORKLOADS_H
#define WORKLOADS_H

#include "store.h"

/* Begin and end the measured stretch. */
void start(void);
void stop(void);

/* Each returns the sum of the values that it read. */
struct benchmark_sum workload_insert(uint64_t rows);
struct benchmark_sum workload_insert_1000(uint64_t rows);
struct benchmark_sum workload_single(uint64_t rows);
struct benchmark_sum workload_single_change(uint64_t rows);
struct benchmark_sum workload_update(uint64_t rows);
struct benchmark_sum workload_delete(uint64_t rows);
struct benchmark_sum workload_all(uint64_t rows);
struct benchmark_sum workload_one(uint64_t rows);
struct benchmark_sum workload_look_up(uint64_t rows);
struct benchmark_sum workload_faults(uint64_t rows);
struct benchmark_sum workload_count(uint64_t rows);

#endif
