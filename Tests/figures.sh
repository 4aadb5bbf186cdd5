#!/bin/sh
# How long a commit takes until another process has merged it, and what that process costs while it merges and at rest:
# `sh Tests/figures.sh [SECONDS [COMMITS A SECOND]]`, 20 and 300 unless said otherwise. Builds without debugging; the first
# time takes minutes.
set -eu
cd "$(dirname "$0")/.."
swift build -c release --product strata-store-probe >&2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$(swift build -c release --show-bin-path)/strata-store-probe" figures "$folder" "${1:-20}" "${2:-300}"
