#!/bin/sh
# Tests the framework with stores written by Apple's framework: `sh Tests/apple-stores.sh FOLDER`.
# Copies every *.sqlite in the folder and opens it with each compatible model in the folder, and with the model that the store
# contains. Prints how much was read, compared and written, and fails if anything differs.
set -eu
[ $# -eq 1 ] || { echo "usage: sh Tests/apple-stores.sh FOLDER" >&2; exit 2; }
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
. Workers/requirements.sh
with_programs
swift build --product strata-store-audit >&2
"$(swift build --show-bin-path)/strata-store-audit" "$folder"
