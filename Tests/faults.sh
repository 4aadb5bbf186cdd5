#!/bin/sh
# Injects faults into a store: `sh Tests/faults.sh [--every N] [--seed N] [--level FULL] [--scene NAME]`.
# Makes each file operation fail in turn, cuts the power at every write, and kills a process at every call. `--every 40`
# does so at every 40th only, as the tests do; `--level` cuts the power with one level of `synchronous`, and `--scene` kills
# in one scene (alone, watched, migrates), so that several processes can share a whole run, which takes hours. Prints what was
# tried and lost; the exit status is the verdict.
set -eu
cd "$(dirname "$0")/.."
. Workers/requirements.sh
with_programs
swift build --product strata-store-faults >&2
program="$(swift build --show-bin-path)/strata-store-faults"
"$program" calls "$@"
"$program" power "$@"
"$program" kills "$@"
