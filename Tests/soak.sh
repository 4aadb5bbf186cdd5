#!/bin/sh
# Proves that every commit is seen by every process, once, in order, whatever dies:
# `sh Tests/soak.sh [--processes P] [--writers W] [--seconds S] [--kills K] [--rate COMMITS] [--seed N] [--store FOLDER]`.
# Prints what was committed, merged, lost, doubled and misordered; the exit status is the verdict. The store is checked by
# `coredata store check` too.
set -eu
cd "$(dirname "$0")/.."
swift build --product strata-store-soak >&2
swift build --product coredata >&2
exec "$(swift build --show-bin-path)/strata-store-soak" "$@"
