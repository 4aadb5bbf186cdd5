#!/bin/sh
# Compares the instruction counts of hot paths with those recorded in instructions.txt: an increase of 5 % is a failure.
# Usage: sh Tests/Benchmarks/guard.sh [--record]
set -eu
cd "$(dirname "$0")"
. ../../Workers/requirements.sh
require_swift
require_packages valgrind binutils
# Builds the framework as dependents do.
unset STRATA_PROGRAMS
# SwiftPM does not notice a changed manifest of a dependency at a path.
touch Package.swift
for product in benchmark-strata benchmark-c benchmark-run; do
  swift build -c release -j 2 --product "$product" >&2
done
exec .build/release/benchmark-run --instructions instructions.txt "$@"
