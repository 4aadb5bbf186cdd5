#!/bin/sh
# Verifies that every process sees every commit exactly once and in order, even if processes are killed:
# `sh Tests/soak.sh [--processes P] [--writers W] [--threads T] [--seconds S] [--kills K] [--rate COMMITS] [--seed N]
# [--store FOLDER]`. With `--threads`, each writing process saves on T threads, whose saves share commits.
# With `--postgres`, the store is on a PostgreSQL server that the script starts. `--restarts N` restarts the server N times,
# mostly as after a crash; `--terminations N` makes it close connections N times; `--cuts N` cuts the network of every second
# process N times, and needs root. `--direct`, as the first option, tests the framework as dependent packages use it, with
# inotify(7) instead of libinotifytools; that build is in .build/direct. `--idle S` counts for S seconds how often idle
# processes wake up.
# Prints the numbers of commits, merges, losses, duplicates and order violations, and runs `coredata store check`. Fails if
# there is a violation.
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
