#!/bin/sh
# Runs the same work in SwiftData and in Core Data on the same store, in alternating order, and prints the CPU time of both and
# the median of their ratios within one round; at the end, the memory that 100,000 held objects take.
# Usage: sh Tests/Benchmarks/swiftdata.sh [--rows N] [--rounds N] [WORKLOAD]...
set -eu
cd "$(dirname "$0")"
. ../../Workers/requirements.sh
require_swift
require_packages
rows=100000 rounds=5
while [ $# -gt 0 ]; do
  case $1 in
  --rows) rows=$2; shift 2 ;;
  --rounds) rounds=$2; shift 2 ;;
  *) break ;;
  esac
done
[ $# -gt 0 ] || set -- insert single all one look-up hold
# Builds the framework as dependents do.
unset STRATA_PROGRAMS
export STRATA_SWIFTDATA=1
swift build -c release -j 2 --product benchmark-swiftdata >&2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
program=.build/release/benchmark-swiftdata
"$program" prepare "$folder/full.store" "$rows"
"$program" empty "$folder/empty.store" "$rows"
for work; do
  case $work in insert) store=empty ;; *) store=full ;; esac
  for round in $(seq "$rounds"); do
    case $((round % 2)) in 0) apis="coredata swiftdata" ;; *) apis="swiftdata coredata" ;; esac
    for api in $apis; do
      rm -f "$folder"/work.store*
      cp "$folder/$store.store" "$folder/work.store"
      [ ! -f "$folder/$store.store-wal" ] || cp "$folder/$store.store-wal" "$folder/work.store-wal"
      "$program" "$work" "$folder/work.store" "$rows" "$api" | sed "s/^/$round $api /"
    done
  done > "$folder/$work.txt"
  awk -v work="$work" -v rows="$rows" '
    function number(key, text) { text = $0; sub(".*\"" key "\":", "", text); return text + 0 }
    function median(list, count, i, j, kept) {
      for (i = 1; i <= count; i++)
        for (j = i + 1; j <= count; j++) if (list[j] < list[i]) { kept = list[i]; list[i] = list[j]; list[j] = kept }
      return list[int((count + 1) / 2)]
    }
    { cpu[$2, $1] = number("cpu"); held[$2, $1] = number("held"); sums[number("integers")] = 1; if ($1 > rounds) rounds = $1 }
    END {
      for (sum in sums) kinds++
      if (kinds != 1) { print "The sums of " work " differ." > "/dev/stderr"; exit 1 }
      for (i = 1; i <= rounds; i++) {
        ratio[i] = cpu["swiftdata", i] / cpu["coredata", i]
        new[i] = cpu["swiftdata", i]; old[i] = cpu["coredata", i]
        more[i] = (held["swiftdata", i] - held["coredata", i]) * 1024 / rows
      }
      printf "%-8s Core Data %8.1f ms   SwiftData %8.1f ms   %5.2f x", work, median(old, rounds), \
        median(new, rounds), median(ratio, rounds)
      if (work == "hold") printf "   %+.0f bytes an object", median(more, rounds)
      print ""
    }' "$folder/$work.txt"
done
