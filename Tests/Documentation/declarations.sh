#!/bin/sh
# Prints the public declarations in a folder of pretty-printed symbol graphs, sorted:
# `sh Tests/Documentation/declarations.sh FOLDER`. Tests/docs.sh compares them with api.txt.
#
# Each symbol is a line: its path, a tab and its declaration, which begins with `open` if subclasses may override it and with
# `@available(*, deprecated)` if the compiler warns about its use. Each superclass and protocol of a type is a line
# `Type: Supertype`, except protocols that the compiler adds automatically and, for classes, those of NSObject.
set -eu
list=$(mktemp)
trap 'rm -f "$list"' EXIT
[ $# -eq 1 ] || { echo "usage: sh Tests/Documentation/declarations.sh FOLDER" >&2; exit 2; }

awk '
  BEGIN {
    split("Copyable Escapable SendableMetatype BitwiseCopyable", list, " ")
    for (i in list) implied[list[i]] = 1
    split("NSObjectProtocol Equatable Hashable CustomStringConvertible CustomDebugStringConvertible CVarArg", list, " ")
    for (i in list) ofNSObject[list[i]] = 1
  }
  # The string at the end of a line.
  function string(text) {
    sub(/^ *"[A-Za-z]*": "/, "", text)
    sub(/",?$/, "", text)
    gsub(/\\"/, "\"", text)
    gsub(/\\\//, "/", text)
    gsub(/\\[nt]/, " ", text)
    gsub(/\\\\/, "\\", text)
    return text
  }
  /^  "[a-z]*": / { part = $1 }
  part !~ /symbols|relationships/ { next }
  /^    \{$/ { kind = precise = path = declaration = source = target = fallback = field = ""; isOpen = isDeprecated = 0 }
  /^      "/ { field = $1 }

  part ~ /symbols/ && field ~ /^"kind"/ && /^        "identifier": / { kind = string($0) }
  part ~ /symbols/ && field ~ /^"identifier"/ && /^        "precise": / { precise = string($0) }
  part ~ /symbols/ && field ~ /^"pathComponents"/ && /^        "/ {
    gsub(/^ *"|",?$/, "")
    path = path (path == "" ? "" : ".") $0
  }
  part ~ /symbols/ && field ~ /^"declarationFragments"/ && /^          "spelling": / { declaration = declaration string($0) }
  part ~ /symbols/ && field ~ /^"accessLevel"/ && /"open"/ { isOpen = 1 }
  part ~ /symbols/ && field ~ /^"availability"/ && /"isUnconditionallyDeprecated": true/ { isDeprecated = 1 }
  part ~ /symbols/ && /^    \},?$/ {
    paths[precise] = path
    # The extension of a type of another module counts only for its constraints.
    if (kind == "swift.extension" && declaration !~ / where /) next
    gsub(/[ \t]+/, " ", declaration)
    print path "\t" (isDeprecated ? "@available(*, deprecated) " : "") (isOpen ? "open " : "") declaration
  }

  part ~ /relationships/ && /^      "kind": / { kind = string($0) }
  part ~ /relationships/ && /^      "source": / { source = string($0) }
  part ~ /relationships/ && /^      "target": / { target = string($0) }
  part ~ /relationships/ && /^      "targetFallback": / { fallback = string($0) }
  part ~ /relationships/ && /^    \},?$/ && (kind == "conformsTo" || kind == "inheritsFrom") {
    count++
    sources[count] = source
    targets[count] = target
    sub(/^[^.]*\./, "", fallback)
    fallbacks[count] = fallback
    if (fallback == "NSObjectProtocol") isObject[source] = 1
  }
  END {
    for (i = 1; i <= count; i++) {
      supertype = targets[i] in paths ? paths[targets[i]] : fallbacks[i]
      if (!(sources[i] in paths) || supertype in implied) continue
      if (sources[i] in isObject && supertype in ofNSObject) continue
      print paths[sources[i]] ": " supertype
    }
  }
' "$1"/*.json >"$list"
[ -s "$list" ] || { echo "$1 has no declarations." >&2; exit 1; }
LC_ALL=C sort "$list"
