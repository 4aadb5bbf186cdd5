#!/bin/sh
# Holds this framework to stores that Apple's wrote: `sh Tests/apple-stores.sh FOLDER`.
# Every *.sqlite of the folder is copied and opened with each model of the folder that fits, and with the model that it
# keeps itself. Prints what was read, compared and written for each, and fails if anything differs.
set -eu
[ $# -eq 1 ] || { echo "usage: sh Tests/apple-stores.sh FOLDER" >&2; exit 2; }
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
swift build --product strata-store-audit >&2
"$(swift build --show-bin-path)/strata-store-audit" "$folder"
