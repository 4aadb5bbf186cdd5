#!/bin/sh
# Runs every test under a sanitizer: sh Tests/run.sh --sanitize thread|address. The last line is the test runner's summary.
# A report of any process fails the run.
set -eu
cd "$(dirname "$0")/../.."
. Workers/requirements.sh
require_swift
require_packages openssl tmux postgresql pgbouncer libpq-dev
with_programs

kind=$1
preload=
build=.build/sanitized-$kind
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
mkdir "$TMPDIR/reports"
# The handlers of signals that end a process are the programs' own.
options="log_path=$TMPDIR/reports/report halt_on_error=0 allocator_may_return_null=1"
options="$options handle_segv=0 handle_sigbus=0 handle_abort=0"
# Swift's report of a crash runs in a thread that no sanitizer knows, and reads memory that is nobody's.
SWIFT_BACKTRACE=enable=no
export SWIFT_BACKTRACE
case $kind in
  thread)
    TSAN_OPTIONS="$options history_size=4"
    export TSAN_OPTIONS
    clang -O1 -fPIC -shared -Wall -Werror -o "$TMPDIR/mutex_events.so" Tests/Sanitizers/mutex_events.c
    preload=$TMPDIR/mutex_events.so
    ;;
  address)
    # Swift keeps bits of its own in the pointers to the storage of strings, which a search for leaks then misses.
    ASAN_OPTIONS="$options detect_leaks=0"
    export ASAN_OPTIONS
    ;;
  *)
    echo "There is no sanitizer '$kind': thread and address are known." >&2
    exit 2
    ;;
esac

swift build --build-tests --sanitize "$kind" --scratch-path "$build"
{ LD_PRELOAD=$preload swift test --skip-build --sanitize "$kind" --scratch-path "$build" 2>&1 \
  && : >"$TMPDIR/passed"; } | tee "$TMPDIR/log"
# A test asks for more memory than there is: malloc(3) fails as it must, and the sanitizer remarks on it.
if cat "$TMPDIR/reports/"* 2>/dev/null | grep -v "WARNING: .* failed to allocate 0x" >&2; then
  grep -h "^SUMMARY" "$TMPDIR/reports/"* | sort | uniq -c | sort -rn >&2
  echo "The sanitizer reported what stands above." >&2
  exit 1
fi
[ -e "$TMPDIR/passed" ] || exit 1
tail -n 1 "$TMPDIR/log"
