#!/bin/sh
# Verifies that every process sees every commit exactly once and in order, even if processes are killed:
# `sh Tests/soak.sh [--processes P] [--writers W] [--seconds S] [--kills K] [--rate COMMITS] [--seed N] [--store FOLDER]`.
# With `--postgres` the store is on a PostgreSQL server, which the soak starts, and `--restarts N` restarts, mostly as after
# a crash; `--terminations N` ends connections at its side, `--cuts N` the network to every second process, which needs
# root. `--idle S` counts for S seconds how often processes wake that have nothing to do.
# Prints the numbers of commits, merges, losses, duplicates and order violations, and runs `coredata store check`; the exit
# status is the verdict.
set -eu
cd "$(dirname "$0")/.."
. Workers/requirements.sh
with_programs
swift build --product strata-store-soak >&2
swift build --product coredata >&2
exec "$(swift build --show-bin-path)/strata-store-soak" "$@"
