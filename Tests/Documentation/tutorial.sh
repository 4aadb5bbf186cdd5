#!/bin/sh
# Follows the tutorial: `sh Tests/Documentation/tutorial.sh FOLDER OPTION…`, with the compiler's options for a client of the
# package. Compiles the program in the folder after each step, and compares the final program with the example `notes`, which
# has tests. Fails if a step does not compile, or if tutorial and example differ.
set -eu
cd "$(dirname "$0")/../.."
tutorial=Sources/CoreData/CoreData.docc/Tutorials/Notes.tutorial
resources=Sources/CoreData/CoreData.docc/Resources
example=Tests/Packages/Examples/Sources/notes
folder=$1
shift
manifests=$(dirname "$(readlink -f "$(command -v swiftc)")")/../lib/swift/pm/ManifestAPI
mkdir -p "$folder"
cp Tests/Documentation/Note.swift "$folder"
sed -n 's/^ *@Code(name: "\(.*\)", file: "\(.*\)")$/\1 \2/p' "$tutorial" >"$folder/steps"
[ "$(grep -c '@Step {' "$tutorial")" -eq "$(grep -c . "$folder/steps")" ] || {
  echo "A step of $tutorial has no code." >&2
  exit 1
}

count=0
while read -r name file; do
  count=$((count + 1))
  case $name in
  Terminal) continue ;;
  Package.swift) swiftc -typecheck -package-description-version 6.2.0 -I "$manifests" "$resources/$file" && continue ;;
  Notes.xcdatamodel/contents)
    cmp "$resources/$file" "$example/Notes.xcdatamodeld/Notes.xcdatamodel/contents" && continue
    ;;
  *) cp "$resources/$file" "$folder/$name" && swiftc -typecheck -swift-version 6 "$@" "$folder"/*.swift && continue ;;
  esac
  echo "Step $count of $tutorial, $file: see above." >&2
  exit 1
done <"$folder/steps"

rm "$folder/Note.swift" "$folder/steps"
diff -r -x Notes.xcdatamodeld "$folder" "$example" >&2 || {
  echo "The final program of the tutorial differs from $example, which has tests: see above." >&2
  exit 1
}
echo "tutorial: $count steps, all of which compile"
