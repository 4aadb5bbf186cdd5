#!/bin/sh
# Writes the Swift examples of the articles, the README and the documentation comments into one file, which is compiled with
# Prelude.swift: `sh Tests/Documentation/examples.sh FILE`.
#
# Each example is the body of a separate function; its extensions, public classes, suites of tests and imports are moved to file
# level. Errors name the line of the example. Blocks in languages other than `swift`, package manifests, and fragments of
# manifests, which begin with a dot, are left out.
set -eu
cd "$(dirname "$0")/../.."
{
  find Sources/CoreData/CoreData.docc -name '*.md'
  echo README.md
  # SwiftData's, which Tests/SwiftDataTests runs, declare models: those of Core Data in Prelude.swift have the same names.
  grep -rl '/// ```swift' Sources --include '*.swift' --exclude-dir SwiftData
} | sort | xargs awk '
  BEGIN { outer = "^(#if|(public )?extension |public (final )?class |@Suite |import )" }
  function finish(    location) {
    count++
    location = "#sourceLocation(file: \"" FILENAME "\", line: " start ")"
    if (outside ~ /[^\n]/) print location "\n" outside
    print "func example" count "() async throws {\n" location "\n" inside "}"
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
  # A statement or a declaration begins at the margin; the indented lines after it belong to it.
  line ~ outer && !condition { hoisted = 1 }
  line ~ /^[A-Za-z@]/ && line !~ outer && !condition { hoisted = 0 }
  line ~ /^#if/ { condition = 1 }
  { if (hoisted) outside = outside line "\n"; else { inside = inside line "\n"; outside = outside "\n" }
    if (hoisted) inside = inside "\n" }
  line ~ /^#endif/ { condition = 0 }
' >"$1"
