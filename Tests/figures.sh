#!/bin/sh
# Measures the time from a commit until another process has merged it, and that process's CPU use while merging and idle:
# `sh Tests/figures.sh [SECONDS [COMMITS-PER-SECOND]]`, by default 20 and 300. Makes a release build, which takes minutes
# the first time.
set -eu
cd "$(dirname "$0")/.."
swift build -c release --product strata-store-probe >&2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$(swift build -c release --show-bin-path)/strata-store-probe" figures "$folder" "${1:-20}" "${2:-300}"
