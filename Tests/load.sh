#!/bin/sh
# Measures the programs with many events: `sh Tests/load.sh [--events N] [--summaries N]`, by default 1000000 and 10000.
# Generates the events, and prints the seconds, the CPU time, the peak memory and the lines of each command; then how long
# quakes-summary takes while a worker commits without a pause, and how many of its lines were wrong. Fails if a line was wrong,
# or if a command failed or took more than five minutes. Builds for release, which takes minutes the first time.
set -eu
cd "$(dirname "$0")/.."
. Workers/requirements.sh
require_packages time
with_programs

events=1000000
summaries=10000
while [ $# -gt 0 ]; do
  case $1 in
    --events) events=$2 && shift 2 ;;
    --summaries) summaries=$2 && shift 2 ;;
    *) echo "usage: sh Tests/load.sh [--events N] [--summaries N]" >&2 && exit 2 ;;
  esac
done
for product in quakes quakes-fetch quakes-summary; do swift build -c release --product "$product" >&2; done
PATH=$(swift build -c release --show-bin-path):$PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=$folder/failures
export PATH QUAKES_STORE="$folder/store" QUAKES_CONFIG=/dev/null TZ=UTC NO_COLOR=1

# generate FIRST COUNT: prints a feed of events, five minutes apart, the newest first.
generate() {
  awk -v first="$1" -v count="$2" -v now="$(date +%s)" 'BEGIN {
    printf "{\"type\":\"FeatureCollection\",\"metadata\":{\"generated\":%d000},\"features\":[\n", now
    for (number = first; number < first + count; number++) {
      # Multiplication with primes makes numbers without a pattern.
      a = (number * 7919) % 10007; b = (number * 104729) % 99991
      printf "%s{\"type\":\"Feature\",\"id\":\"ml%07d\",\"properties\":{\"mag\":%.1f,\"place\":\"%d km NNE of Place %d\"," \
        "\"time\":%d000,\"updated\":%d000,\"url\":\"https://example.org/%d\",\"status\":\"reviewed\",\"tsunami\":0," \
        "\"net\":\"ml\",\"code\":\"%07d\",\"ids\":\",ml%07d,\",\"magType\":\"ml\",\"type\":\"earthquake\"}," \
        "\"geometry\":{\"type\":\"Point\",\"coordinates\":[%.4f,%.4f,%.1f]}}\n", (number > first ? "," : ""), number, \
        1 + a % 60 / 10, a % 200, b % 5000, now - number * 300, now - number * 300 + 60, number, number, number, \
        b / 99991 * 360 - 180, a / 10007 * 160 - 80, b % 600
    }
    print "]}"
  }'
}

# run COMMAND…: runs a command and prints its time, memory use and number of lines.
run() {
  status=0
  /usr/bin/time -q -o "$folder/usage" -f "%e %U %S %M" timeout -k 1 300 "$@" >"$folder/out" 2>"$folder/err" || status=$?
  [ "$status" -eq 0 ] || { echo "$* ended with $status: $(head -n 1 "$folder/err")" | tee -a "$failures" >&2; }
  read -r seconds user system memory <"$folder/usage"
  printf '%8.2f s %8.2f s CPU %6d MB %9d lines  %s\n' "$seconds" "$(echo "$user $system" | awk '{ print $1 + $2 }')" \
    "$((memory / 1024))" "$(wc -l <"$folder/out")" "$(echo "$*" | sed "s|$folder/||g")"
}

part=$((events / 10))
for number in 0 1 2 3 4 5 6 7 8 9; do generate $((number * part)) "$part" >"$folder/$number.geojson"; done
run quakes import "$folder"/[0-9].geojson
rm "$folder"/[0-9].geojson
generate "$events" 10 >"$folder/more.geojson"

run quakes import "$folder/more.geojson"
run quakes-fetch --once "$folder/more.geojson"
for words in "" "--limit 0" "--limit 0 --ndjson" "--limit 0 --sort magnitude" "--limit 0 --text Place" \
  "--near 42.0,21.4 --within 300km" "--min-magnitude 6 --since 30d" "--as-of $(date -u +%FT%TZ)" "--template {id}"; do
  # shellcheck disable=SC2086 # words
  run quakes list $words
done
run quakes top
run quakes near 42.0,21.4
run quakes show ml0000001 --history
run quakes aftershocks ml0000001
run quakes stats
run quakes map --svg "$folder/map.svg"
for words in "" "--limit 10" "--json"; do
  # shellcheck disable=SC2086
  run quakes changes $words
done
for format in geojson csv ndjson quakeml kml; do run quakes export --format $format; done
run quakes star ml0000001
run quakes ack --all
run quakes list --unacknowledged
run quakes list --limit 0
run quakes ack --all --remove
run quakes doctor --json
for format in waybar i3blocks i3bar i3status-rust polybar lemonbar xmobar tmux dwmblocks genmon swiftbar xbar plain; do
  run quakes-summary --format "$format"
done

# Imports one earthquake repeatedly, with a number in its place that grows with each import.
write() {
  number=0
  while [ ! -e "$folder/enough" ]; do
    number=$((number + 1))
    time=$(($(date +%s) * 1000))
    cat >"$folder/one.geojson" <<END
{"type":"FeatureCollection","metadata":{"generated":$((time + number))},"features":[{"type":"Feature","id":"zz1",
"properties":{"mag":5,"place":"Place $number","time":$began,"updated":$((time + number)),"net":"zz","code":"1",
"ids":",zz1,","type":"earthquake"},"geometry":{"type":"Point","coordinates":[1,2,3]}}]}
END
    quakes-fetch --once "$folder/one.geojson" >/dev/null 2>"$folder/writer" || cp "$folder/writer" "$folder/writer-failed"
    [ -e "$folder/first" ] || : >"$folder/first"
  done
  echo "$number" >"$folder/writes"
}
began=$(($(date +%s) * 1000))
write &
while [ ! -e "$folder/first" ]; do sleep 0.1; done
count=0
while [ "$count" -lt "$summaries" ]; do
  count=$((count + 1))
  before=$(date +%s%N)
  quakes-summary --template '{id} {place}' >"$folder/line" 2>"$folder/err" || echo "ended with $?" >>"$folder/line"
  echo "$(($(date +%s%N) - before)) $(cat "$folder/line" "$folder/err")"
done >"$folder/lines"
: >"$folder/enough"
wait
if [ -e "$folder/writer-failed" ]; then
  echo "the worker failed: $(head -n 1 "$folder/writer-failed")" | tee -a "$failures"
fi
sort -n "$folder/lines" | awk '{ all[NR] = $1 / 1e6 } END {
  printf "%d summaries: median %.1f ms, p99 %.1f ms, maximum %.1f ms\n", NR, all[int(NR / 2)], all[int(NR * 0.99)], all[NR]
}'
awk -v writes="$(cat "$folder/writes")" '
  NF != 4 || $2 != "zz1" || $3 != "Place" || $4 < last { wrong++; if (wrong <= 5) print "wrong: " $0 }
  { if ($4 != last) seen++; last = $4 }
  END { printf "%d commits during the summaries, %d of them seen, %d wrong lines\n", writes, seen, wrong; exit wrong > 0 }
' "$folder/lines" || echo "wrong lines" >>"$failures"
[ ! -e "$failures" ]
