#!/bin/sh
# Measures the load of a web service, in this project without and with history and in GRDB, in alternating order: 1, 4
# and 16 concurrent tasks of one process save books that are linked to two shared tags. Prints saves a second, latencies,
# CPU and ratios to GRDB.
# Usage: sh Tests/Benchmarks/service.sh [--tasks N]... [--rounds N] [--seconds N] [--merging] [--folder FOLDER]
#   --merging   adds this project with a view context that merges every save
#   --folder    default: a folder in the build directory; it must be on a disk
set -eu
cd "$(dirname "$0")"
. ../../Workers/requirements.sh
require_swift
require_packages
# Builds the framework as dependents do.
unset STRATA_PROGRAMS
for product in benchmark-service-strata benchmark-service-grdb benchmark-service; do
  swift build -c release -j 2 --product "$product" >&2
done
folder=.build/service-stores
mkdir -p "$folder"
trap 'rm -rf "$folder"' EXIT
.build/release/benchmark-service --folder "$PWD/$folder" "$@"
