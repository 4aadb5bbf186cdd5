#!/bin/sh
# Builds the documentation of the module CoreData: `sh Tests/docs.sh [FOLDER]`, by default in .build/documentation.
# Prints the number of public symbols and the number that are documented, and compiles all Swift examples. Fails if a symbol
# has no documentation, if the public declarations differ from Tests/Documentation/api.txt, if DocC prints a warning, if a
# symbol is not in a topic group, if an article is in the topic group of another one, if code is too wide for a page, if an
# example or a step of the tutorial does not compile, if the compiler rejects other lines than the article on porting says, or
# if it does not report a mistake at its line.
#
# After an intended change of the API, `sh Tests/docs.sh --record` writes the declarations into api.txt, and then exits.
set -eu
cd "$(dirname "$0")/.."
. Workers/requirements.sh
require_swift
with_programs
# docc is in the folder of swift.
PATH=$PATH:$(dirname "$(readlink -f "$(command -v swift)")")

record=
if [ "${1:-}" = --record ]; then record=1 && shift; fi
case ${1:-} in -*) echo "usage: sh Tests/docs.sh [--record | FOLDER]" >&2 && exit 2 ;; esac
site=${1:-.build/documentation}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

swift build --target CoreData
bin=$(swift build --show-bin-path)

# The compiler's options for a client of the package. The second copies of modules, for build tools, are left out.
set -- -I "$bin/Modules"
for headers in Sources/*/include; do
  set -- "$@" -Xcc "-I$headers"
done
for map in "$bin"/*.build/module.modulemap Sources/*/module.modulemap; do
  case $map in *-tool.build/*) continue ;; esac
  set -- "$@" -Xcc "-fmodule-map-file=$map"
done

# CoreData re-exports these modules, so their symbols count as symbols of CoreData.
reexported=$(sed -n 's/^@_exported import \(Strata[A-Za-z]*\)$/\1/p' Sources/CoreData/CoreData.swift | paste -sd , -)
target=$(swiftc -print-target-info | sed -n '/"target"/,/}/s/.*"triple": "\(.*\)".*/\1/p' | head -n 1)
mkdir "$work/graphs"
swift symbolgraph-extract -module-name CoreData -target "$target" "$@" \
  -experimental-allowed-reexported-modules="$reexported" -minimum-access-level public \
  -emit-extension-block-symbols -skip-inherited-docs -skip-synthesized-members -pretty-print -output-dir "$work/graphs"

api=Tests/Documentation/api.txt
# The first line names the compiler, because its releases print some declarations differently.
compiler="# Swift $(swiftc --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)"
echo "$compiler" >"$work/api.txt"
sh Tests/Documentation/declarations.sh "$work/graphs" >>"$work/api.txt"
if [ -n "$record" ]; then
  diff -U 0 "$api" "$work/api.txt" | sed -e 1,2d -e '/^@@/d'
  cp "$work/api.txt" "$api"
  echo "$api has $(wc -l <"$api") lines."
  exit
fi
if diff -U 0 "$api" "$work/api.txt" >"$work/api.diff"; then
  echo "public declarations: as in $api"
else
  sed -e 1,2d -e '/^@@/d' "$work/api.diff" >&2
  echo "The public declarations differ from $api: - is missing and + is new. If the change is intended," >&2
  echo "run 'sh Tests/docs.sh --record' and commit the file." >&2
  if [ "$(head -n 1 "$api")" = "$compiler" ]; then
    failed=1
  else
    echo "The file was recorded with another compiler, so this is not a failure." >&2
  fi
fi

# Symbols without a source location, such as init(rawValue:) of an enumeration, come from the compiler.
undocumented=$work/undocumented
awk -v list="$undocumented" '
  /^  "symbols": \[/ { inside = 1; next }
  /^  \],?$/ { inside = 0 }
  !inside { next }
  /^    \{$/ { documented = 0; location = ""; line = ""; path = ""; kind = "" }
  /^      "docComment": / { documented = 1 }
  /^        "identifier": "swift\./ && kind == "" { kind = $2 }
  /^      "pathComponents": \[/ { components = 1; next }
  components && /^      \]/ { components = 0 }
  components { gsub(/^ *"|",?$/, ""); path = path (path == "" ? "" : ".") $0 }
  /^        "uri": / { location = $0; gsub(/^.*"file:\/\/|",?$/, "", location) }
  /^          "line": / && location != "" && line == "" { line = $2 + 1 }
  /^    \},?$/ && location != "" && kind !~ /extension/ {
    symbols++
    if (documented) count++; else print location ":" line ": " path >list
  }
  END { printf "symbols %d, documented %d\n", symbols, count; exit !symbols }
' "$work"/graphs/*.json
if [ -s "$undocumented" ]; then
  sort "$undocumented" >&2
  echo "The symbols above have no documentation." >&2
  failed=1
fi

rm -rf "$site"
docc convert Sources/CoreData/CoreData.docc --additional-symbol-graph-dir "$work/graphs" \
  --fallback-display-name CoreData --fallback-bundle-identifier CoreData --output-dir "$site" \
  >"$work/docc.log" 2>&1 || { cat "$work/docc.log" >&2; exit 1; }
sed '/^$/d' "$work/docc.log" >&2
warnings=$(grep -c '^warning: ' "$work/docc.log" || true)
echo "DocC warnings $warnings"
[ "$warnings" -eq 0 ] || failed=1

# DocC generates a group on the landing page for symbols that are not in a topic group.
landing=$site/data/documentation/coredata.json
[ -s "$landing" ] || { echo "DocC did not create a landing page: $landing is missing." >&2; exit 1; }
ungrouped=$(grep -o '{[^{}]*"generated":true[^{}]*}' "$landing" | grep -o 'CoreData\\/[^"/\\]*"' | tr -d '"' | sed 's|.*/||')
if [ -n "$ungrouped" ]; then
  echo "These symbols are not in a topic group of CoreData.md or of a page that it names:" $ungrouped >&2
  failed=1
fi

# A topic group makes an article a part of the page, under which the navigation then lists it. Related articles
# belong under See Also.
if awk 'FNR == 1 { topics = 0 } /^## / { topics = $0 == "## Topics" && FILENAME !~ /\/CoreData\.md$/ }
  topics && /^- <doc:/ { print FILENAME ":" FNR; found = 1 }
  END { exit !found }' Sources/CoreData/CoreData.docc/*.md >&2
then
  echo "The articles above are in a topic group of another article: name them under See Also." >&2
  failed=1
fi

# A page shows 76 columns of code without scrolling.
{
  ls Sources/CoreData/CoreData.docc/*.md
  grep -rl '/// ```swift' Sources --include '*.swift'
} | xargs awk '
  FNR == 1 { open = 0 }
  { line = $0 }
  FILENAME ~ /\.swift$/ && !sub(/^ *\/\/\/ ?/, "", line) { open = 0; next }
  line ~ /^ *```/ { open = !open && (FILENAME ~ /\.md$/ || line ~ /```swift/); next }
  open && length(line) > 76 { print FILENAME ":" FNR }' >"$work/wide"
if [ -s "$work/wide" ]; then
  cat "$work/wide" >&2
  echo "The lines of code above have more than 76 columns." >&2
  failed=1
fi

# Compiles to SIL, because the compiler detects data races there.
sh Tests/Documentation/examples.sh "$work/Examples.swift"
if swiftc -emit-sil -wmo -o "$work/Examples.sil" -swift-version 6 -suppress-warnings "$@" \
  Tests/Documentation/Prelude.swift "$work/Examples.swift"
then
  echo "examples: $(grep -c '^func example[0-9]*()' "$work/Examples.swift"), all of which compile"
else
  echo "An example does not compile: see above. Tests/Documentation/Prelude.swift declares what examples assume." >&2
  failed=1
fi

# The exact errors of the compiler.
if swiftc -frontend -typecheck -verify -verify-ignore-unrelated -swift-version 6 -target "$target" "$@" \
  Tests/Documentation/Porting.swift
then
  echo "rejected and accepted lines of Tests/Documentation/Porting.swift: as the article on porting says"
else
  echo "The compiler rejects or accepts other lines than Tests/Documentation/Porting.swift and the article on porting say." >&2
  failed=1
fi

swift build --product strata-model-compiler
sh Tests/Documentation/mistakes.sh "$bin/strata-model-compiler" "$@" || failed=1
sh Tests/Documentation/started.sh || failed=1
sh Tests/Documentation/tutorial.sh "$work/tutorial" "$@" || failed=1

echo "The site is in $site. To look at it: python3 -m http.server --directory $site 8000,"
echo "then http://localhost:8000/documentation/coredata"
exit $failed
