#!/bin/sh
# Compares SwiftData with a plain model under random operations on several contexts and containers of one file:
# `sh Tests/models.sh [--seeds A-B] [--steps N] [--jobs N]`.
# After the steps, contexts must contain the same as dictionaries and arrays; after each save, so must the store. A failing seed
# is reduced to a few steps, which are printed as Swift code; `--seed N --keep 1,2,5 --code` runs them again. Fails if anything
# differs.
set -eu
cd "$(dirname "$0")/.."
. Workers/requirements.sh
require_swift
require_packages
with_programs
swift build --product strata-model-test >&2
exec "$(swift build --show-bin-path)/strata-model-test" --jobs "$(nproc)" "$@"
