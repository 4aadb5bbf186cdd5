#!/bin/sh
# Builds the documentation of the module CoreData: `sh Tests/docs.sh [FOLDER]`, by default in .build/documentation.
# Prints how many public symbols there are and how many are documented, and compiles every Swift example. Fails if a
# symbol has no documentation, if DocC warns, if the landing page leaves a symbol ungrouped, or if an example does not
# compile.
set -eu
cd "$(dirname "$0")/.."
. Workers/requirements.sh
require_swift

umbrella=Sources/CoreData/CoreData.swift
site=${1:-.build/documentation}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

swift build --target CoreData
bin=$(swift build --show-bin-path)
modules="-I $bin/Modules"
for map in "$bin"/*.build/module.modulemap Sources/*/module.modulemap; do
  modules="$modules -Xcc -fmodule-map-file=$map"
done

# A program that imports CoreData sees what CoreData re-exports: the symbols of those modules count as its own.
reexported=$(sed -n 's/^@_exported import \(Strata[A-Za-z]*\)$/\1/p' "$umbrella" | paste -sd , -)
target=$(swiftc -print-target-info | sed -n '/"target"/,/}/s/.*"triple": "\(.*\)".*/\1/p' | head -n 1)
mkdir "$work/graphs"
swift symbolgraph-extract -module-name CoreData -target "$target" $modules \
  -experimental-allowed-reexported-modules="$reexported" -minimum-access-level public \
  -emit-extension-block-symbols -skip-inherited-docs -skip-synthesized-members -pretty-print -output-dir "$work/graphs"

# Symbols without a place in a file, such as init(rawValue:) of an enumeration, are the compiler's.
undocumented=$work/undocumented
awk -v list="$undocumented" '
  /^  "symbols": \[/ { inside = 1; next }
  /^  \],?$/ { inside = 0 }
  !inside { next }
  /^    \{$/ { documented = 0; place = ""; path = ""; kind = "" }
  /^      "docComment": / { documented = 1 }
  /^        "identifier": "swift\./ && kind == "" { kind = $2 }
  /^      "pathComponents": \[/ { components = 1; next }
  components && /^      \]/ { components = 0 }
  components { gsub(/^ *"|",?$/, ""); path = path (path == "" ? "" : ".") $0 }
  /^        "uri": / { place = $2; gsub(/^"file:\/\/|",?$/, "", place) }
  /^          "line": / && place != "" && line == "" { line = $2 + 1 }
  /^    \},?$/ {
    if (place != "" && kind !~ /extension/) {
      symbols++
      if (documented) count++; else print place ": " path >list
    }
    line = ""
  }
  END { printf "symbols %d, documented %d\n", symbols, count }
' "$work"/graphs/*.json
failed=0
if [ -s "$undocumented" ]; then
  sort "$undocumented" >&2
  echo "The symbols above have no documentation." >&2
  failed=1
fi

rm -rf "$site"
docc convert Sources/CoreData/CoreData.docc --additional-symbol-graph-dir "$work/graphs" \
  --fallback-display-name CoreData --fallback-bundle-identifier CoreData --output-dir "$site" \
  >"$work/docc.log" 2>&1 || { cat "$work/docc.log" >&2; exit 1; }
cat "$work/docc.log" >&2
warnings=$(grep -c '^warning: ' "$work/docc.log" || true)
echo "DocC warnings $warnings"
[ "$warnings" -eq 0 ] || failed=1
# A group that DocC generates lists what no page groups.
ungrouped=$(grep -o '{[^{}]*"generated":true[^{}]*}' "$site/data/documentation/coredata.json" |
  grep -o 'CoreData\\/[^"/\\]*"' | tr -d '"' | sed 's|.*/||')
if [ -n "$ungrouped" ]; then
  echo "These are in no topic group of CoreData.md or of a page that it names:" $ungrouped >&2
  failed=1
fi

# As far as SIL, since data races are found there.
sh Tests/Documentation/examples.sh "$work/Examples.swift"
if swiftc -emit-sil -wmo -o "$work/Examples.sil" -swift-version 6 -suppress-warnings $modules \
  Tests/Documentation/Prelude.swift "$work/Examples.swift"
then
  echo "examples $(grep -c '^func example[0-9]*()' "$work/Examples.swift"), all of which compile"
else
  echo "An example does not compile: see above. Tests/Documentation/Prelude.swift is what examples take for granted." >&2
  failed=1
fi

echo "The site is in $site. To look at it: python3 -m http.server --directory $site 8000,"
echo "then http://localhost:8000/documentation/coredata"
exit $failed
