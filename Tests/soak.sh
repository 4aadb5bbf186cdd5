#!/bin/sh
# Verifies that every process sees every commit exactly once and in order, even if processes are killed:
# `sh Tests/soak.sh [--processes P] [--writers W] [--seconds S] [--kills K] [--rate COMMITS] [--seed N] [--store FOLDER]`.
# With `--postgres` the store is on a PostgreSQL server, which the soak starts, and `--restarts N` restarts, mostly as after
# a crash; `--terminations N` ends connections at its side, `--cuts N` the network to every second process, which needs
# root. `--direct`, as the first option, tests the framework as dependents have it, which calls inotify(7) and not
# libinotifytools: that build is in .build/direct. `--idle S` counts for S seconds how often processes wake that have
# nothing to do.
# Prints the numbers of commits, merges, losses, duplicates and order violations, and runs `coredata store check`; the exit
# status is the verdict.
set -eu
cd "$(dirname "$0")/.."
. Workers/requirements.sh
require_swift
require_packages libpq-dev
with_programs
options=
if [ "${1:-}" = --direct ]; then
  options="--traits DeveloperTool --scratch-path .build/direct"
  shift
fi
# shellcheck disable=SC2086 # words, or nothing
for product in strata-store-soak coredata; do swift build $options --product "$product" >&2; done
# shellcheck disable=SC2086
exec "$(swift build $options --show-bin-path)/strata-store-soak" "$@"
