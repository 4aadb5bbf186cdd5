#!/bin/sh
# Installs missing packages, builds everything and runs the tests. Prints a table of the phases and their durations, some of which
# overlap, and then, as the last line, the test runner's summary.
#   --all               also kills processes at random, simulates faults, tests with random inputs, and repeats random tests
#                       more often
#   --filter NAME       builds and runs only the suites and targets whose names contain NAME (all with '.'), and prints the
#                       slowest tests. They run one after the other, because times of parallel tests include waiting
#   --sanitize KIND     runs all tests under a sanitizer instead: thread or address
set -eu
cd "$(dirname "$0")/.."
all=
filter=
case ${1:-} in
"") ;;
--sanitize) exec sh Tests/Sanitizers/run.sh "${2:-}" ;;
--all) all=yes ;;
--filter) filter=${2:?"--filter needs the name of a suite"} ;;
*) echo "usage: sh Tests/run.sh [--all | --filter NAME | --sanitize thread|address]" >&2 && exit 2 ;;
esac
. Workers/requirements.sh
require_swift
require_packages codespell openssl tmux postgresql pgbouncer libpq-dev
with_programs

# Makes random tests repeat more often.
if [ -n "$all" ]; then
  STRATA_TEST_ALL=1
  export STRATA_TEST_ALL
fi

phases=$(mktemp)
# Files that tests leave behind, such as the store of a killed process, are deleted with this folder.
TMPDIR=$(mktemp -d)
export TMPDIR
# The output of the last build or test is searched for warnings, because they count as failures.
log=$TMPDIR/log
# The folder for the tests' files if it is a different one.
memory=
# The process of the checks that run while the tests do.
checking=
trap '[ -z "$checking" ] || stop "$checking"; rm -rf "$phases" "$TMPDIR" "$memory"' EXIT
# A signal without a handler would end the script without the cleanup.
trap 'exit 130' INT
trap 'exit 143' TERM

# Ends a process and those that it has started: the shell starts them so that they ignore an interrupt.
stop() {
  for child in $(cat "/proc/$1/task"/*/children 2>/dev/null || true); do stop "$child"; done
  kill "$1" 2>/dev/null || true
}

# Runs a command as a phase: its name and duration are printed at the end.
phase() {
  name=$1
  shift
  began=$(date +%s)
  "$@"
  printf '%-24s %5d s\n' "$name" $(($(date +%s) - began)) >>"$phases"
}

# Repeats the failures at the end of the output: expectations, crashes, and tests that had begun, but not ended, when the
# process died.
explain_failure() {
  echo "The tests failed:"
  grep -A 3 "recorded an issue" "$1" | head -n 200 || true
  grep -E "Fatal error|Crash:|Program crashed|signal code|Exited with|Illegal instruction" "$1" | head -n 40 || true
  grep -A 40 "^Thread .* crashed" "$1" | head -n 60 || true
  awk 'function test(  name) { name = $0; sub(/^[^ ]+ +Test /, "", name); return name }
    $1 == "◇" && $2 == "Test" && $3 != "run" && $3 != "case" && sub(/ started\.$/, "") { begun[test()] = 1 }
    ($1 == "✔" || $1 == "✘") && $2 == "Test" && sub(/( with [0-9]+ test cases?)? (passed|failed) after .*/, "") {
      delete begun[test()]
    }
    END { for (name in begun) print "Begun, but not ended: " name }' "$1"
  tail -n 1 "$1"
}

lint() {
  swift format lint --parallel --strict --recursive Package.swift Sources Shared Workers Tests
  sh Tests/prose.sh
  if grep -rl --include='*.swift' --exclude-dir=.build '\.timeLimit(' Tests | grep -v '^Tests/TestSupport/EndsEventually.swift$'; then
    echo "These tests have time limits of their own, which fail on a busy machine; use .endsEventually." >&2
    exit 1
  fi
  # The coordinator asks back ends for capabilities instead of naming them. Only the driver's file names its back end.
  if grep -rlE "StrataSQLStore|\bSQLStore" Sources/StoreCoordination | grep -v "/Drivers/SQLiteDriver.swift$"; then
    echo "These files of StoreCoordination name SQLStore; ask for a capability of BackEnd or StoreDriver instead." >&2
    exit 1
  fi
}

# Fails if the log of a build has warnings or errors.
# $1: what was built
refuse_warnings() {
  if grep -E "^/.*: (warning|error): " "$log"; then
    echo "The build of $1 has warnings or errors: see the lines above." >&2
    exit 1
  fi
}

build() {
  swift build --build-tests 2>&1 | tee "$log"
  refuse_warnings "the package"
  grep -q "Build complete!" "$log"
  check_without_trait
}

# Checks that the tool compiles without its trait, as for dependent packages, which SwiftPM builds without the parser.
check_without_trait() {
  # shellcheck disable=SC2046 # no path has a space
  swiftc -typecheck -parse-as-library -swift-version 6 -module-name strata_coredata \
    -package-name "$(basename "$PWD" | tr '[:upper:]' '[:lower:]')" -I .build/debug/Modules \
    -Xcc -fmodule-map-file=Sources/CSQLite/module.modulemap \
    -Xcc -fmodule-map-file=Sources/CInotifyTools/module.modulemap \
    -Xcc -fmodule-map-file=.build/debug/StrataCSwiftRuntime.build/module.modulemap $(find Sources/coredata -name '*.swift')
}

# Tests the examples, a client package with its own models and classes. Takes minutes the first time, then seconds.
examples() {
  env -u STRATA_PROGRAMS swift test --package-path Tests/Packages/Examples 2>&1 | tee "$log"
  refuse_warnings Tests/Packages/Examples
  grep -q "Test run with .* passed" "$log"
  # The tree of packages has no branch below this one, which is the only local one: the others are for book-service.
  env -u STRATA_PROGRAMS swift package --package-path Tests/Packages/Examples show-dependencies >"$log" 2>/dev/null
  if ! awk '/@unspecified>/ { found = own = 1; next }
      /^(├|└)/ { own = 0 }
      own { below = 1; print }
      END { exit !found || below }' "$log" >&2 ||
    ldd Tests/Packages/Examples/.build/debug/notes | grep libinotifytools
  then
    echo "A dependent package gets dependencies of this repository's programs, or libinotifytools." >&2
    exit 1
  fi
  # The porting tool must propose no changes to the examples, and find nothing that needs manual changes.
  env -u STRATA_PROGRAMS swift package --package-path Tests/Packages/Examples \
    --allow-writing-to-package-directory port-core-data >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
  targets=$(env -u STRATA_PROGRAMS swift package --package-path Tests/Packages/Examples describe | grep -c '^ *C99name: ')
  if [ "$(grep -cx '0 changes in 0 files proposed, 0 places need manual changes' "$log")" -ne "$targets" ] ||
    [ "$(grep -c ' proposed, ' "$log")" -ne "$targets" ]; then
    cat "$log" >&2
    echo "The porting tool finds something to change in the $targets targets of the examples, or reports on fewer targets." >&2
    exit 1
  fi
}

# Compares the object graph with a plain model under random operations on each kind of store.
# $1, $2: the last seeds on SQLite and on the other kinds
graph() {
  sh Tests/graph.sh --seeds "1-$1"
  for store in memory xml binary postgresql; do sh Tests/graph.sh --store "$store" --seeds "1-$2"; done
}

# Randomly kills processes that share a store.
soak() {
  sh Tests/soak.sh --processes 8 --writers 4 --seconds 20 --kills 50
  sh Tests/soak.sh --postgres --processes 4 --writers 2 --seconds 20 --kills 15 --restarts 2 --terminations 5
}

# Simulates such processes, with system calls that fail, clocks that jump and signals that are lost, as a seed decides. The
# simulator intercepts system calls of x86-64 only.
simulate() {
  [ "$(uname -m)" != x86_64 ] || sh Tests/simulate.sh --seeds 1-60
}

# Creates a folder in memory, unless less than 2 GB are free or programs cannot be started there. On a disk, the tests spend
# half of their time waiting for fsync. No test needs a real fsync: tests of its failures make the system call fail.
make_folder_in_memory() {
  free=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
  [ "${free:-0}" -ge 2097152 ] || return 0
  memory=$(mktemp -d /dev/shm/strata-XXXXXX)
  printf '#!/bin/sh\n' >"$memory/program"
  chmod +x "$memory/program"
  "$memory/program" 2>/dev/null || { rm -r "$memory" && memory=; }
}

# Prints the slowest tests, with seconds.
slowest() {
  awk '$1 == "✔" && $2 == "Test" && $3 != "run" && match($0, / passed after [0-9.]+ seconds/) {
    split(substr($0, RSTART), words, " ")
    name = substr($0, 1, RSTART - 1)
    sub(/^[^ ]* +Test /, "", name)
    printf "%9.1f s  %s\n", words[3], name
  }' "$log" | sort -rn | head -n 15
}

# $@: the test runner's options
run_tests() {
  make_folder_in_memory
  # With the lock of the package's folder, the checks that run at the same time would wait until the last test has ended.
  { TMPDIR=${memory:-$TMPDIR} swift test --skip-build --ignore-lock "$@" 2>&1 && : >"$TMPDIR/passed"; } | tee "$log"
  [ -e "$TMPDIR/passed" ] && return 0
  explain_failure "$log" >&2
  exit 1
}

# Builds the test targets with suites whose names contain the filter.
build_filtered() {
  targets=$(grep -rlE "(struct|class|enum|actor) +[A-Za-z0-9_]*$filter" Tests/*Tests --include='*.swift' | cut -d / -f 2 |
    sort -u | tr '\n' ' ')
  # The filter may also name a target.
  case $filter in *Tests) [ ! -d "Tests/$filter" ] || targets="$targets$filter " ;; esac
  # If the filter is the name of a test, or a pattern, everything is built.
  if [ -z "$targets" ]; then
    build
    return
  fi
  STRATA_TEST_TARGETS=$targets
  export STRATA_TEST_TARGETS
  swift build --product StrataPackageTests 2>&1 | tee "$log"
  refuse_warnings "$STRATA_TEST_TARGETS"
  grep -q "complete!" "$log"
}

# Runs what needs only the finished build, one after the other.
checks() {
  # All public symbols are documented, all links are valid, and all examples compile.
  phase documentation sh Tests/docs.sh
  # The framework uses only listed private functions of Swift and Foundation, and runs no code when it is loaded.
  phase "private symbols" sh Tests/runtime.sh
  phase examples examples
  if [ -n "$all" ]; then
    phase "graph test" graph 250 40
    phase "model test" sh Tests/models.sh --seeds 1-150
  else
    phase "graph test" graph 60 10
    phase "model test" sh Tests/models.sh --seeds 1-40
    phase "fuzz corpora" sh Tests/fuzz.sh --replay
  fi
}

# Runs the checks while the tests run: each leaves a part of the processors idle. If a check fails, its output is printed.
# They wait for the first line of the tests: before it, `swift test` opens the database of the build, and fails if a check
# builds at that moment.
tests_and_checks() {
  : >"$log"
  (until grep -q "Test run started" "$log"; do sleep 0.5; done; log=$TMPDIR/log-of-checks; checks) >"$TMPDIR/checks" 2>&1 &
  checking=$!
  phase tests run_tests
  if wait "$checking"; then
    checking=
    return 0
  fi
  cat "$TMPDIR/checks" >&2
  echo "The check that ran last failed: see above." >&2
  exit 1
}

phase lint lint
if [ -n "$filter" ]; then
  phase build build_filtered
  phase tests run_tests --no-parallel --filter "$filter"
  slowest
  cat "$phases"
  grep "Test run with" "$log" | tail -n 1
  exit 0
fi
phase build build
tests_and_checks
cat "$TMPDIR/checks"
if [ -n "$all" ]; then
  # The framework does not affect other users of SQLite in the process, such as GRDB.
  phase neighbors sh Tests/neighbor.sh
  phase "killed processes" soak
  phase "simulated faults" simulate
  # Tests the parsers of untrusted input with generated inputs.
  phase fuzzing sh Tests/fuzz.sh --seconds 60
fi
cat "$phases"
grep "Test run with" "$log" | tail -n 1
