#!/bin/sh
# Runs the same workloads in C on libpq, in this project and in SQLAlchemy, on a temporary PostgreSQL server that does not
# wait for the disk, in alternating order, and prints the clients' CPU and ratios within one run.
# Usage: sh Tests/Benchmarks/postgres.sh [--rows N]... [--rounds N] [--only WORKLOAD]... [--json FILE]
#        sh Tests/Benchmarks/postgres.sh --scale
#   --scale     measures the commits per second of several writers to one store, waiting for the disk, and the latency
#               and the cost of merging them in followers
# SQLAlchemy is included if python3 finds it and psycopg: pip install 'sqlalchemy>=2' 'psycopg[binary]'
set -eu
cd "$(dirname "$0")"
. ../../Workers/requirements.sh
require_swift
require_packages postgresql libpq-dev
# Builds the framework as dependents do.
unset STRATA_PROGRAMS
for product in benchmark-postgresql-strata benchmark-postgresql-c benchmark-run; do
  swift build -c release -j "${JOBS:-2}" --product "$product" >&2
done
fsync=off
[ "${1-}" != --scale ] || fsync=on
tools=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)

# Not in TMPDIR, which only this user can enter. Sockets need a short path.
folder=$(mktemp -d /tmp/strata-postgresql-XXXXXX)
as=
# The server refuses to run as root, so root runs it as an unprivileged user.
if [ "$(id -u)" -eq 0 ]; then
  as='setpriv --reuid=nobody --regid=nogroup --clear-groups'
  chown nobody:nogroup "$folder"
fi
# shellcheck disable=SC2086 # the prefix may be empty
$as "$tools/initdb" -D "$folder/data" -U strata --auth=trust -E UTF8 --locale=C.UTF-8 --no-sync >"$folder/log"
# shellcheck disable=SC2086
$as "$tools/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c "fsync=$fsync" -c autovacuum=off \
  -c max_wal_size=8GB -c max_connections=400 >>"$folder/log" 2>&1 </dev/null &
server=$!
trap 'kill -QUIT $server; wait $server || true; rm -rf "$folder"' EXIT
# shellcheck disable=SC2086
until $as "$tools/pg_isready" -q -h "$folder"; do
  kill -0 $server
  sleep 0.05
done

# Starts the program several times, each with its index.
start_several() { # COUNT SECONDS write|follow [PAUSE]
  count=$1
  seconds=$2
  processes=
  index=0
  while [ "$index" -lt "$count" ]; do
    .build/release/benchmark-postgresql-strata "$3" "$url" "$seconds" history "$index" "${4-0}" >>"$folder/$3" &
    processes="$processes $!"
    index=$((index + 1))
  done
}

if [ "${1-}" = --scale ]; then
  url="postgresql://strata@/scale?host=$folder&schema=quakes"
  createdb -h "$folder" -U strata scale
  .build/release/benchmark-postgresql-strata prepare "$url" 10000
  for writers in 1 2 4 8; do
    : >"$folder/write"
    start_several "$writers" 8 write
    # shellcheck disable=SC2086 # a list
    wait $processes
    awk -v writers="$writers" '{ sum += $1; cpu += $1 * $6 } END {
      printf "%2d writers: %5d commits/s, %4d µs of CPU each\n", writers, sum / 8, cpu / sum }' "$folder/write"
  done
  # Each has four or five connections: 64 need more than the usual 100.
  for followers in 1 2 4 8 16 32 64; do
    : >"$folder/write"
    : >"$folder/follow"
    start_several "$followers" 12 follow
    following=$processes
    sleep 3
    start_several 1 6 write 0.01
    # shellcheck disable=SC2086
    wait $processes $following
    printf '%2d followers: ' "$followers"
    sed 's/ saves, p50/ saves of/; s/,.* µs.*/, /' "$folder/write" | tr -d '\n'
    # The line of the median follower.
    sort -t ' ' -k 4 -n "$folder/follow" | sed -n "$((followers / 2 + 1))p"
  done
  exit
fi

if python3 -c 'import sqlalchemy, psycopg' 2>/dev/null; then
  set -- --sqlalchemy sqlalchemy-quakes.py "$@"
else
  echo "python3 does not find SQLAlchemy, so its column is missing. Install it with pip." >&2
fi
.build/release/benchmark-run --postgresql "$folder" "$@"
