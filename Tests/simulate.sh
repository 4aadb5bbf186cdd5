#!/bin/sh
# Simulates processes that share a store: `sh Tests/simulate.sh [--seeds A-B | --seed N] [--twice] [--verbose] [--hours N]`.
# The seed decides which thread of which process goes on at each system call, what the clocks tell, and which calls fail,
# which transfers are cut short, which signals get lost, and who is killed or stopped. The same seed makes the same calls.
# With --hours 24, each run goes on for so long in virtual time, each process with a commit about every minute.
# A failure prints the seed and the fewest faults that lead to it; the exit status is the verdict.
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
  for (place = 1; place <= NF; place++) {
    count = $place; sub(/^.* /, "", count)
    name[place] = $place; sub(/ [0-9]+$/, "", name[place])
    sum[place] += count
    places = NF
  }
} END { for (place = 1; place <= places; place++) printf "%s%s %d", (place > 1 ? ", " : ""), name[place], sum[place]; print "" }'
[ ! -e "$folder/failed" ]
