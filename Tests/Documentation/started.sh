#!/bin/sh
# Compares the program in the article "Getting started" with the example `reading`, which has tests. Fails if they differ.
set -eu
cd "$(dirname "$0")/../.."
article=Sources/CoreData/CoreData.docc/GettingStarted.md
example=Tests/Packages/Examples/Sources/reading

# Prints the article's code block whose first line is $1.
block() {
  awk -v first="$1" '
    /^```/ { open = !open; if (found) exit; start = open; next }
    start { found = $0 == first; start = 0 }
    found { print }
  ' "$article"
}

block "import CoreData" | diff - "$example/main.swift" >&2 &&
  block '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' |
  diff - "$example/Reading.xcdatamodeld/Reading.xcdatamodel/contents" >&2 || {
  echo "The program in $article differs from $example, which has tests: see above." >&2
  exit 1
}
echo "the program in \"Getting started\" is equal to an example with tests"
