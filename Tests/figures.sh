#!/bin/sh
# Measures the time until other processes have merged a commit, and their CPU use while they merge and while they are idle:
# `sh Tests/figures.sh [SECONDS [COMMITS-PER-SECOND]]`, by default 20 and 300, for one process; then for 1, 8 and 64 processes
# at 8 commits per second. Builds for release, which takes minutes the first time.
set -eu
cd "$(dirname "$0")/.."
. Workers/requirements.sh
with_programs
swift build -c release --product strata-store-probe >&2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
probe="$(swift build -c release --show-bin-path)/strata-store-probe"
"$probe" figures "$folder" "${1:-20}" "${2:-300}"
for processes in 1 8 64; do
  rm -rf "$folder"/*
  echo
  "$probe" figures "$folder" "${1:-20}" 8 "$processes"
done
