#!/bin/sh
# Runs the same workloads in C on the SQLite API, in this project and in GRDB, in alternating order, and prints ratios
# within one run.
# Usage: sh Tests/Benchmarks/run.sh [--rows N]... [--rounds N] [--only WORKLOAD]... [--history | --obligations] [--json FILE]
#   --rows      default: 100000; several sizes add a table of the growth of the costs
#   --history   compares this project with history and two merging processes to itself without, and shows what history
#               alone adds to C
#   --obligations    compares this project to C code that also maintains rows, objects and locks as an object graph must
set -eu
cd "$(dirname "$0")"
. ../../Workers/requirements.sh
require_swift
require_packages
# Builds the framework as dependents do.
unset STRATA_PROGRAMS
for product in benchmark-strata benchmark-c benchmark-grdb benchmark-run; do
  swift build -c release -j 2 --product "$product" >&2
done
exec .build/release/benchmark-run "$@"
