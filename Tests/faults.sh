#!/bin/sh
# Injects faults into a store: `sh Tests/faults.sh [--every N] [--seed N] [--level FULL] [--scene NAME]`.
# Makes each file operation fail in turn, cuts the power at every write, and kills a process at every call. With `--every 40`,
# which the tests use, only every 40th of them. A full run takes hours; `--level` tests power cuts with only one level of
# `synchronous`, and `--scene` kills only in one scene (alone, watched, migrates), so that several processes can share the run.
# Prints how much was tried and lost. Fails if a store breaks a guarantee.
set -eu
cd "$(dirname "$0")/.."
. Workers/requirements.sh
with_programs
swift build --product strata-store-faults >&2
program="$(swift build --show-bin-path)/strata-store-faults"
"$program" calls "$@"
"$program" power "$@"
"$program" kills "$@"
