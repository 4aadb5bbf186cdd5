#!/bin/sh
# Installs what is missing, builds everything and runs every test. The last line is the test runner's summary.
set -eu
cd "$(dirname "$0")/.."
. Workers/requirements.sh
require_swift
require_packages

swift format lint --strict --recursive Package.swift Sources Shared Workers Tests

# The coordinator asks back ends for capabilities. It names none, except where its driver is.
if grep -rlE "StrataSQLStore|\bSQLStore" Sources/StoreCoordination | grep -v "/Drivers/SQLiteDriver.swift$"; then
  echo "These files of StoreCoordination name SQLStore; ask for a capability of BackEnd or StoreDriver instead." >&2
  exit 1
fi

# Warnings count as failures: the log is searched for them.
log=$(mktemp)
# Leftovers of tests, such as a killed process's store, are deleted with their folder.
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$log" "$TMPDIR"' EXIT
swift build --build-tests 2>&1 | tee "$log"
if grep -E "^/.*: (warning|error): " "$log"; then
  echo "The build has warnings or errors: see the lines above." >&2
  exit 1
fi
grep -q "Build complete!" "$log"

# Every public symbol is documented, every link leads somewhere, every example compiles.
sh Tests/docs.sh

# A client package with its own models and classes. Takes minutes the first time, then seconds.
swift test --package-path Tests/Packages/BookShop 2>&1 | tee "$log"
if grep -E "^/.*: (warning|error): " "$log"; then
  echo "The build of Tests/Packages/BookShop has warnings or errors: see the lines above." >&2
  exit 1
fi
grep -q "Test run with .* passed" "$log"

# Real processes sharing a store are killed at random; the exit status is the verdict.
sh Tests/soak.sh --processes 8 --writers 4 --seconds 20 --kills 50

{ swift test --skip-build 2>&1 && : >"$TMPDIR/passed"; } | tee "$log"
[ -e "$TMPDIR/passed" ] && exit 0
# Repeat failures at the end, for readers who see only the tail.
grep -A 2 "recorded an issue" "$log" >&2 || true
tail -n 1 "$log"
exit 1
