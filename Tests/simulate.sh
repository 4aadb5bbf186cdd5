#!/bin/sh
# Simulates processes that share a store: `sh Tests/simulate.sh [--seeds A-B | --seed N] [--twice] [--verbose] [--hours N]`.
# The seed decides which thread of which process continues at each system call, what time the clocks show, which calls fail,
# which transfers are incomplete, which signals are lost, and which process is killed or stopped. The same seed always results
# in the same calls. With --hours 24, each run simulates 24 hours, with a commit of each process about every minute.
# A failure prints the seed and the smallest set of faults that causes it.
set -eu
cd "$(dirname "$0")/.."
. Workers/requirements.sh
require_swift
require_packages libpq-dev
with_programs
swift build --product strata-store-soak >&2
swift build --product coredata >&2
program="$(swift build --show-bin-path)/strata-store-soak"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
parts=$(nproc)
part=0
while [ "$part" -lt "$parts" ]; do
  { "$program" simulate "$@" --part "$part/$parts" || : >"$folder/failed"; } | tee "$folder/$part" | grep -v "^seeds " &
  part=$((part + 1))
done
wait
cat "$folder"/[0-9]* | awk -F ', ' '/^seeds / {
  for (field = 1; field <= NF; field++) {
    count = $field; sub(/^.* /, "", count)
    name[field] = $field; sub(/ [0-9]+$/, "", name[field])
    sum[field] += count
    fields = NF
  }
} END { for (field = 1; field <= fields; field++) printf "%s%s %d", (field > 1 ? ", " : ""), name[field], sum[field]; print "" }'
[ ! -e "$folder/failed" ]
