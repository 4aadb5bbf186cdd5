#!/bin/sh
# The same work by C on the SQLite API, by this project and by GRDB, every other round in the reverse order; prints
# ratios within one run.
# Usage: sh Tests/Benchmarks/run.sh [--rows N]... [--rounds N] [--only WORK]... [--history | --duties] [--json FILE]
#   --rows      100000 unless told; several sizes end in a table of how the cost grows
#   --history   this project with history and two other processes that merge, against itself without; and what a
#               history alone adds to C
#   --duties    this project against C that keeps rows, objects and locks as an object graph must
set -eu
cd "$(dirname "$0")"
. ../../Workers/requirements.sh
require_swift
require_packages
swift build -c release -j 2 >&2
exec .build/release/benchmark-run "$@"
