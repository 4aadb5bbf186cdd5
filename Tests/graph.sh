#!/bin/sh
# Compares Core Data with a plain model under random operations on several contexts, some of which save at the same time:
# `sh Tests/graph.sh [--store sqlite|memory|xml|binary|postgresql] [--seeds A-B] [--steps N] [--jobs N]`.
# After the steps, contexts must contain the same as dictionaries and arrays; after each save, so must the store.
# A failing seed is reduced to a few steps, which are printed as Swift code; `--seed N --keep 1,2,5 --code` runs them again.
# `--without OPERATION,…` leaves operations out, and STRATA_GRAPH_BUILD=release tests the optimized build. Fails if anything
# differs.
set -eu
cd "$(dirname "$0")/.."
. Workers/requirements.sh
require_swift
require_packages libpq-dev
with_programs
configuration=${STRATA_GRAPH_BUILD:-debug}
swift build -c "$configuration" --product strata-graph-test >&2
exec "$(swift build -c "$configuration" --show-bin-path)/strata-graph-test" --jobs "$(nproc)" "$@"
