#!/bin/sh
# Fuzzes the parsers of untrusted input: sh Tests/fuzz.sh [--release] [--address] [--seconds N] [--target NAME]… | --replay
# The targets (Tests/Fuzz) share the seconds. Each starts from its corpus there and from the inputs that earlier runs found.
# Ends with a table, or with an input that failed and the command that runs it again. --release is for long runs: it takes
# minutes longer to build and runs one to five times as fast, with all checks. --address adds the address sanitizer, which
# detects accesses out of bounds; each input takes two to three times as long. --replay only runs each input of the corpora
# once, in the debug build.
set -eu
cd "$(dirname "$0")/.."
. Workers/requirements.sh
require_swift
with_programs

configuration=debug
build=.build/fuzz
memory=512
seconds=60
targets=
replay=
while [ $# -gt 0 ]; do
  case $1 in
    --release) configuration=release && shift ;;
    --address)
      build=.build/fuzz-address
      # The sanitizer delays the release of freed memory.
      memory=2048
      STRATA_FUZZ_SANITIZER=address
      export STRATA_FUZZ_SANITIZER
      # Swift stores flags in pointers, so the leak detector does not recognize them.
      ASAN_OPTIONS=detect_leaks=0
      export ASAN_OPTIONS
      shift
      ;;
    --seconds) seconds=$2 && shift 2 ;;
    --target) targets="$targets $2" && shift 2 ;;
    --replay) replay=yes && shift ;;
    *) echo "usage: sh Tests/fuzz.sh [--release] [--address] [--seconds N] [--target NAME]… | --replay" >&2 && exit 2 ;;
  esac
done

# Runs the inputs of the corpora. If one fails, the last line of the output names it.
replay() {
  swift build --product strata-fuzz
  program=.build/debug/strata-fuzz
  targets=$("$program")
  for target in $targets; do
    STRATA_FUZZ_TARGET=$target "$program" Tests/Fuzz/Corpus/"$target"/*
  done
}
if [ -n "$replay" ]; then
  replay
  exit 0
fi

libraries=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/clang/lib/linux
STRATA_FUZZ_DRIVER=$(ls "$libraries"/libclang_rt.fuzzer_no_main-*.a)
export STRATA_FUZZ_DRIVER
log=$(mktemp)
# Targets that read files write them to memory if possible.
TMPDIR=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
export TMPDIR
trap 'rm -rf "$log" "$TMPDIR"' EXIT
swift build -c "$configuration" --product strata-fuzz --scratch-path "$build" \
  ${STRATA_FUZZ_SANITIZER:+--sanitize "$STRATA_FUZZ_SANITIZER"} >"$log" 2>&1 || { cat "$log" >&2 && exit 1; }

program=$build/$configuration/strata-fuzz
[ -n "$targets" ] || targets=$("$program")
share=$((seconds / $(echo "$targets" | wc -w)))
[ "$share" -gt 0 ] || share=1
# Disables Swift's crash report, which would replace that of libFuzzer: only the latter keeps the input.
SWIFT_BACKTRACE=enable=no
export SWIFT_BACKTRACE
mkdir -p "$build/failures"
printf '%-14s %12s %8s %8s\n' target executions edges seconds
for target in $targets; do
  mkdir -p "$build/corpus/$target"
  if ! STRATA_FUZZ_TARGET=$target "$program" -max_total_time="$share" -max_len=4096 -timeout=5 -rss_limit_mb="$memory" \
    -malloc_limit_mb=512 -artifact_prefix="$build/failures/$target-" "$build/corpus/$target" \
    "Tests/Fuzz/Corpus/$target" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "$target failed. To run it again: STRATA_FUZZ_TARGET=$target $program FILE, with the file named above." >&2
    exit 1
  fi
  awk -v target="$target" '/DONE/ { edges = $4 } /^Done/ { runs = $2; time = $5 }
    END { printf "%-14s %12d %8d %8d\n", target, runs, edges, time }' "$log"
done
