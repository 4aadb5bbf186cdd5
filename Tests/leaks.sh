#!/bin/sh
# Tests that the memory of long-running programs does not grow: sh Tests/leaks.sh [--seconds N]
# A worker fetches a feed that changes every second, valid or malicious, while readers follow the store. Prints the memory use
# of each process after some time and at the end. Fails if it has grown by 1 MB or more.
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
