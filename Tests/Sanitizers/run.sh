#!/bin/sh
# Runs all tests under a sanitizer: sh Tests/run.sh --sanitize thread|address. The last line is the test runner's summary.
# Fails if the sanitizer reports an error in any process.
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
# Programs handle the signals that end a process themselves.
options="log_path=$TMPDIR/reports/report halt_on_error=0 allocator_may_return_null=1"
options="$options handle_segv=0 handle_sigbus=0 handle_abort=0"
# Swift reports a crash in a thread that the sanitizers do not know, and reads unallocated memory.
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
    # Swift stores flags in the pointers to the storage of strings, so the leak detector does not recognize them.
    ASAN_OPTIONS="$options detect_leaks=0"
    export ASAN_OPTIONS
    ;;
  *)
    echo "The sanitizer '$kind' is unknown: use thread or address." >&2
    exit 2
    ;;
esac

swift build --build-tests --sanitize "$kind" --scratch-path "$build"
{ LD_PRELOAD=$preload swift test --skip-build --sanitize "$kind" --scratch-path "$build" 2>&1 \
  && : >"$TMPDIR/passed"; } | tee "$TMPDIR/log"
# One test requests more memory than is available: malloc(3) fails as it must, and the sanitizer warns about it.
if cat "$TMPDIR/reports/"* 2>/dev/null | grep -v "WARNING: .* failed to allocate 0x" >&2; then
  grep -h "^SUMMARY" "$TMPDIR/reports/"* | sort | uniq -c | sort -rn >&2
  echo "The sanitizer reported the errors above." >&2
  exit 1
fi
[ -e "$TMPDIR/passed" ] || exit 1
tail -n 1 "$TMPDIR/log"
