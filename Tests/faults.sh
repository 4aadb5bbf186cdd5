#!/bin/sh
# What a store does when the system fails: `sh Tests/faults.sh [--every N] [--seed N]`.
# Every call of a file fails in turn; the power is cut at every write; a process is killed at every call. `--every 40` does
# that to each fortieth only, as the tests do. Prints what was tried and lost; the exit status is the verdict.
set -eu
cd "$(dirname "$0")/.."
swift build --product strata-store-faults >&2
program="$(swift build --show-bin-path)/strata-store-faults"
"$program" calls "$@"
"$program" power "$@"
"$program" kills "$@"
