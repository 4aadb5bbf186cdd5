#!/bin/sh
# Writes every Swift example of the articles, the README and the documentation comments into one file, to be compiled
# with Prelude.swift: `sh Tests/Documentation/examples.sh FILE`.
#
# An example is the body of a function of its own; extensions, public classes and imports in it stand at file level.
# Errors name the line of the example. Left out are blocks marked as another language than `swift`, package manifests, and
# fragments of one, which begin with a dot.
set -eu
cd "$(dirname "$0")/../.."
{
  find Sources/CoreData/CoreData.docc -name '*.md'
  echo README.md
  grep -rl '/// ```swift' Sources --include '*.swift'
} | sort | xargs awk '
  BEGIN { outer = "^(#if|(public )?extension |public (final )?class |import )" }
  function finish(    place) {
    count++
    place = "#sourceLocation(file: \"" FILENAME "\", line: " start ")"
    if (outside ~ /[^\n]/) print place "\n" outside
    print "func example" count "() async throws {\n" place "\n" inside "}"
  }
  {
    line = $0
    if (FILENAME ~ /\.swift$/) {
      if (line !~ /^ *\/\/\//) next
      sub(/^ *\/\/\/ ?/, "", line)
    }
  }
  !open && line ~ /^ *```swift$/ { open = 1; start = FNR + 1; inside = outside = ""; hoisted = 0; next }
  open && line ~ /^ *```$/ { open = 0; if (inside !~ /^\.|^\/\/ swift-tools-version/) finish(); next }
  !open { next }
  # At the margin begins a statement or a declaration; what follows indented belongs to it.
  line ~ outer && !condition { hoisted = 1 }
  line ~ /^[A-Za-z@]/ && line !~ outer && !condition { hoisted = 0 }
  line ~ /^#if/ { condition = 1 }
  { if (hoisted) outside = outside line "\n"; else { inside = inside line "\n"; outside = outside "\n" }
    if (hoisted) inside = inside "\n" }
  line ~ /^#endif/ { condition = 0 }
' >"$1"
