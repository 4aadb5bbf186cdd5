#!/bin/sh
# Verifies that every process sees every commit exactly once and in order, even if processes are killed:
# `sh Tests/soak.sh [--processes P] [--writers W] [--seconds S] [--kills K] [--rate COMMITS] [--seed N] [--store FOLDER]`.
# Prints the numbers of commits, merges, losses, duplicates and order violations, and runs `coredata store check`; the exit
# status is the verdict.
set -eu
cd "$(dirname "$0")/.."
swift build --product strata-store-soak >&2
swift build --product coredata >&2
exec "$(swift build --show-bin-path)/strata-store-soak" "$@"
