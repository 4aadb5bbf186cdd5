#!/bin/sh
# Installs what is missing, builds everything and runs every test. The last line is the test runner's summary.
# With --sanitize thread or --sanitize address: runs every test under that sanitizer instead.
set -eu
cd "$(dirname "$0")/.."
if [ "${1:-}" = --sanitize ]; then exec sh Tests/Sanitizers/run.sh "${2:-}"; fi
. Workers/requirements.sh
require_swift
require_packages openssl tmux postgresql pgbouncer libpq-dev
with_programs

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
# Repeats at the end, for readers who see only the tail, what failed: expectations, a signal, and the tests that had begun
# and not ended when the process died.
explain_failure() {
  echo "The tests failed:"
  grep -A 3 "recorded an issue" "$1" | head -n 200 || true
  grep -E "Fatal error|Crash:|Program crashed|signal code|Exited with|Illegal instruction|^Thread .* crashed" "$1" | head -n 40 || true
  awk '$1 == "◇" && $2 == "Test" && $3 != "run" && $3 != "case" { begun[$3] = 1 }
    ($1 == "✔" || $1 == "✘") && $2 == "Test" { delete begun[$3] }
    END { for (name in begun) line = line " " name; if (line != "") print "Begun and not ended:" line }' "$1"
  tail -n 1 "$1"
}

swift build --build-tests 2>&1 | tee "$log"
if grep -E "^/.*: (warning|error): " "$log"; then
  echo "The build has warnings or errors: see the lines above." >&2
  exit 1
fi
grep -q "Build complete!" "$log"

# Every public symbol is documented, every link leads somewhere, every example compiles.
sh Tests/docs.sh

# A client package with models and classes of its own: the examples. Takes minutes the first time, then seconds.
env -u STRATA_PROGRAMS swift test --package-path Tests/Packages/Examples 2>&1 | tee "$log"
if grep -E "^/.*: (warning|error): " "$log"; then
  echo "The build of Tests/Packages/Examples has warnings or errors: see the lines above." >&2
  exit 1
fi
grep -q "Test run with .* passed" "$log"
examples=Tests/Packages/Examples/.build
if grep -q remoteSourceControl $examples/workspace-state.json || ldd $examples/debug/notes | grep libinotifytools; then
  echo "A dependent gets the packages of this repository's programs, or libinotifytools." >&2
  exit 1
fi

# The object graph does what a plain model does, under random operations on each kind of store.
sh Tests/graph.sh --seeds 1-250
for store in memory xml binary postgresql; do sh Tests/graph.sh --store "$store" --seeds 1-40; done

# Real processes sharing a store are killed at random; the exit status is the verdict.
sh Tests/soak.sh --processes 8 --writers 4 --seconds 20 --kills 50
sh Tests/soak.sh --postgres --processes 4 --writers 2 --seconds 20 --kills 15 --restarts 2 --terminations 5

# The same with system calls that fail, clocks that jump and signals that get lost, in an order that a seed decides. The
# simulator intercepts the system calls of x86-64.
[ "$(uname -m)" != x86_64 ] || sh Tests/simulate.sh --seeds 1-60

# What reads bytes from outside, with inputs that nobody thought of.
sh Tests/fuzz.sh --seconds 60

{ swift test --skip-build 2>&1 && : >"$TMPDIR/passed"; } | tee "$log"
[ -e "$TMPDIR/passed" ] && exit 0
explain_failure "$log" >&2
exit 1
