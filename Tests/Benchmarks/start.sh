#!/bin/sh
# Measures the run time, warm and cold, and the memory of quakes-summary and quakes list, compared with a C program and
# python3 doing the same. Builds the programs as Workers/up.sh does.
# Usage: sh Tests/Benchmarks/start.sh [EVENTS]...     default: 20000
set -eu
cd "$(dirname "$0")"
. ../../Workers/requirements.sh
require_swift
require_packages
# Builds the framework as dependents do.
unset STRATA_PROGRAMS
for product in benchmark-start benchmark-start-c; do
  swift build -c release -j 2 --product "$product" >&2
done
own=$(swift build -c release --show-bin-path)
cd ../..
with_programs
static_linking
for product in quakes quakes-fetch quakes-summary; do
  # shellcheck disable=SC2086 # the option may be empty
  swift build -c release $static --product "$product" >&2
done
# shellcheck disable=SC2086
programs=$(swift build -c release $static --show-bin-path)
for program in quakes quakes-summary; do
  printf '%s: %s MiB, loads %s libraries\n' "$program" "$(($(stat -L -c %s "$programs/$program") / 1048576))" \
    "$(ldd "$programs/$program" 2>/dev/null | grep -c '=>')"
done
exec "$own/benchmark-start" "$programs" "$@"
