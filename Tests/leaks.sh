#!/bin/sh
# Whether the memory of what runs for long grows: sh Tests/leaks.sh [--seconds N]
# A worker fetches a feed that changes every second, good or hostile, while readers follow the store. Prints the memory of
# each after a while and at the end; the exit status is the verdict (less than 1 MB more).
set -eu
cd "$(dirname "$0")/.."

seconds=600
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=$2 && shift 2 ;;
    *) echo "usage: sh Tests/leaks.sh [--seconds N]" >&2 && exit 2 ;;
  esac
done
STRATA_LEAK_SECONDS=$seconds
export STRATA_LEAK_SECONDS
. Workers/requirements.sh
require_swift
require_packages libpq-dev
with_programs
exec swift test --filter LeakTests
