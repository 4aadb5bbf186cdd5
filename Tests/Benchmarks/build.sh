#!/bin/sh
# Measures the build cost of Core Data: for a program that uses it, with and without the plugin, and one that uses GRDB;
# for a target with the plugin compared with one written by hand; for the developer's tool; and for the plugin's own program
# on models of two sizes. Prints CPU and wall-clock seconds, and multiples of GRDB's. The framework is fetched as a dependent
# does, so the script measures the last commit.
# Usage: sh Tests/Benchmarks/build.sh [-c debug|release] [folder]
# The folder keeps the build products, so that the next run need not build the framework; by default it is temporary.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/Workers/requirements.sh"
configurations="debug release"
while getopts c: option; do
  case $option in
  c) configurations=$OPTARG ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
require_swift
require_packages
unset STRATA_PROGRAMS
if [ $# -gt 0 ]; then
  mkdir -p "$1"
  folder=$(cd "$1" && pwd)
else
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
sources=$folder/Sources
rm -rf "$sources"
mkdir -p "$sources/ByHand" "$sources/Managed/Managed.xcdatamodeld/Managed.xcdatamodel"
name=$(basename "$root")
framework=".package(url: \"file://$root\", revision: \"$(git -C "$root" rev-parse HEAD)\")"
# $5: the target's plugins, if any
client() { # FOLDER DEPENDENCY PRODUCT PACKAGE [PLUGINS], with its source on standard input
  mkdir -p "$folder/$1/Sources/client"
  cat > "$folder/$1/Sources/client/main.swift"
  cat > "$folder/$1/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "client", dependencies: [$2],
  targets: [
    .executableTarget(name: "client", dependencies: [.product(name: "$3", package: "$4")]${5:+, plugins: [$5]})
  ])
END
}
client grdb '.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")' GRDB GRDB.swift <<'END'
import GRDB

print(try DatabaseQueue().path)
END
client plain "$framework" CoreData "$name" <<'END'
import CoreData

let model = NSManagedObjectModel()
print(NSPersistentContainer(name: "Client", managedObjectModel: model).name)
END
mkdir -p "$folder/plugin/Sources/client/Client.xcdatamodeld/Client.xcdatamodel"
client plugin "$framework" CoreData "$name" ".plugin(name: \"CoreDataModel\", package: \"$name\")" <<'END'
import CoreData

class Book: NSManagedObject {
  @NSManaged var title: String?
}
print(NSPersistentContainer(name: "Client").managedObjectModel.entities.count)
END
cat > "$folder/plugin/Sources/client/Client.xcdatamodeld/Client.xcdatamodel/contents" <<'END'
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
  <entity name="Book" representedClassName="Book"><attribute name="title" optional="YES" attributeType="String"/></entity>
</model>
END
client tool "$(echo "$framework" | sed 's/)$/, traits: ["DeveloperTool"])/')" CoreData "$name" <<'END'
import CoreData

print(NSManagedObjectModel().entities.count)
END
cat > "$folder/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription
let coreData: Target.Dependency = .product(name: "CoreData", package: "$name")
let package = Package(
  name: "classes", dependencies: [$framework],
  targets: [
    .target(name: "ByHand", dependencies: [coreData]),
    .target(
      name: "Managed", dependencies: [coreData], plugins: [.plugin(name: "CoreDataModel", package: "$name")]),
  ])
END

# The same entities in three forms, each with ten attributes and a relationship to the next entity.
entities=50
model() {
  awk -v count="$1" 'BEGIN {
    print "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"
    print "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\" sourceLanguage=\"Swift\">"
    for (n = 1; n <= count; n++) {
      printf "<entity name=\"Entity%d\" representedClassName=\"Entity%d\" syncable=\"YES\">\n", n, n
      for (a = 1; a <= 4; a++) printf "<attribute name=\"text%d\" optional=\"YES\" attributeType=\"String\"/>\n", a
      for (a = 1; a <= 3; a++) {
        printf "<attribute name=\"number%d\" attributeType=\"Integer 64\" defaultValueString=\"0\" ", a
        print "usesScalarValueType=\"YES\"/>"
        printf "<attribute name=\"date%d\" optional=\"YES\" attributeType=\"Date\" usesScalarValueType=\"NO\"/>\n", a
      }
      print "<relationship name=\"next\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\""
      printf " destinationEntity=\"Entity%d\"/>\n</entity>\n", n % count + 1
    }
    print "</model>"
  }'
}
classes() {
  awk -v count="$1" -v managed="$2" -v folder="$3" '
    function property(name, type, optional) {
      if (managed) { printf "  @NSManaged public var %s: %s%s\n", name, type, optional > file; return }
      printf "  public var %s: %s%s {\n", name, type, optional > file
      printf "    get { value(forKey: \"%s\") as%s %s }\n", name, optional ? "?" : "!", type > file
      printf "    set { setValue(newValue, forKey: \"%s\") }\n  }\n", name > file
    }
    BEGIN {
      for (n = 1; n <= count; n++) {
        file = folder "/Entity" n ".swift"
        printf "import CoreData\n\nopen class Entity%d: NSManagedObject {\n", n > file
        for (a = 1; a <= 4; a++) property("text" a, "String", "?")
        for (a = 1; a <= 3; a++) property("number" a, "Int64", "")
        for (a = 1; a <= 3; a++) property("date" a, "Date", "?")
        property("next", "Entity" (n % count + 1), "?")
        print "}" > file
        close(file)
      }
    }'
}
model $entities > "$sources/Managed/Managed.xcdatamodeld/Managed.xcdatamodel/contents"
# Restores both targets as they were before editing.
targets() {
  classes $entities 1 "$sources/Managed"
  classes $entities 0 "$sources/ByHand"
}
targets

run() { "$@" >"$folder/output" 2>&1 || { cat "$folder/output" >&2; exit 1; }; }
# Prints the cost of a command. GRDB's cost is recorded for the command's kind, which is the title up to the colon. Later
# commands of that kind are printed with their multiple.
measure() { # KIND WHAT COMMAND…
  kind=$1 title="$1: $2"
  shift
  subject=$1
  shift
  before=$(awk '{print $16 + $17}' /proc/$$/stat)
  began=$(date +%s%N)
  run "$@"
  ended=$(date +%s%N)
  after=$(awk '{print $16 + $17}' /proc/$$/stat)
  seconds=$(awk -v ticks="$((after - before))" -v hertz="$(getconf CLK_TCK)" 'BEGIN { printf "%.1f", ticks / hertz }')
  [ "$subject" != GRDB ] || echo "$kind $seconds" >> "$folder/grdb-seconds"
  awk -v title="$title" -v kind="$kind" -v seconds="$seconds" -v ns="$((ended - began))" -v grdb="$folder/grdb-seconds" '
    BEGIN {
      while ((getline line < grdb) > 0) {
        split(line, parts, " "); value = parts[length(parts)]; name = line
        sub(/ [^ ]*$/, "", name)
        if (name == kind && value > 0) multiple = sprintf("%5.2f x GRDB", seconds / value)
      }
      printf "%-58s %7.1f s CPU %7.1f s %s\n", title, seconds, ns / 1e9, multiple
    }'
}
# Deletes one target's build products.
delete_products() {
  find -L ".build/$configuration/$1.build" -type f ! -name output-file-map.json ! -name sources \
    ! -path '*/DerivedSources/*' -delete
  find -L ".build/plugins/outputs/classes/$1" -name '*.swift' -delete 2>/dev/null || true
  rm -f ".build/$configuration/Modules/$1."*
}

cd "$folder"
: > grdb-seconds
run swift package resolve
for client in grdb plain plugin tool; do run swift package --package-path "$client" resolve; done
for configuration in $configurations; do
  build="swift build -c $configuration"
  clean="a clean $configuration build" again="a $configuration build after an edit of Package.swift"
  for client in grdb plain plugin; do
    case $client in
    grdb) subject=GRDB ;;
    plain) subject="the framework" ;;
    plugin) subject="the framework and the plugin" ;;
    esac
    [ -d "$client/.build/$configuration/client.build" ] || measure "$clean" "$subject" $build --package-path $client
    echo "// edited" >> $client/Package.swift
    measure "$again" "$subject" $build --package-path $client
  done
  # The plugin's program contains only these modules; every plan would recompile a C target. SwiftPM also creates folders for
  # the modules of `strata-port`, but compiles them only for `swift package port-core-data`.
  modules=$(cd "plugin/.build/$configuration" && ls -d *-tool.build/*.o | sed 's|/.*||' | sort -u | paste -sd ' ' -)
  expected="StrataFormats-tool.build StrataModelCompiler-tool.build StrataModelSource-tool.build"
  if [ "$modules" != "$expected strata_model_compiler-tool.build" ]; then
    echo "The plugin's program contains unexpected modules: $modules" >&2
    exit 1
  fi
  if [ "$configuration" = debug ] && [ ! -d tool/.build/debug/strata_coredata.build ]; then
    run $build --package-path tool
    measure "the developer's tool" "coredata, after the framework" $build --package-path tool --product coredata
  fi
  measure "$configuration" "the program, nothing to do" $build --package-path plain --product client
  echo 'print(1)' >> plain/Sources/client/main.swift
  measure "$configuration" "the program, after an edit" $build --package-path plain --product client
  targets
  # Builds the plugin's program and plans both targets before they are measured.
  run $build --target ByHand
  if [ ! -d ".build/$configuration/Managed.build" ]; then
    measure "$configuration" "the plugin's program, clean" $build --target Managed
  fi
  for target in ByHand Managed; do
    delete_products $target
    measure "$configuration" "$target, $entities classes, clean" $build --target $target
    measure "$configuration" "$target, nothing to do" $build --target $target
    echo 'extension Entity1 { public var twice: Int64 { number1 * 2 } }' >> Sources/$target/Entity1.swift
    measure "$configuration" "$target, a function added" $build --target $target
    sed -i 's/number3/number4/' Sources/$target/Entity1.swift
    measure "$configuration" "$target, a declaration changed" $build --target $target
  done
done

# Runs the plugin's program alone, as the plugin does.
program=$(find -L .build -name strata-model-compiler-tool -type f | head -n 1)
for count in $entities $((entities * 10)); do
  rm -rf large
  mkdir -p large/Large.xcdatamodeld/Large.xcdatamodel large/output
  model $count > large/Large.xcdatamodeld/Large.xcdatamodel/contents
  classes $count 1 large
  set -- --module Large --output large/output --sources large/*.swift --models large/Large.xcdatamodeld --dependencies
  for module in Runtime Formats ModelSource Support FoundationGaps Predicates ManagedModel RowStore ObjectGraph \
    FetchedResults SQLText Sharing SQLiteEngine SQLStore MemoryStore StoreCoordination; do
    set -- "$@" "Strata$module=$root/Sources/$module"
  done
  set -- "$@" "CoreData=$root/Sources/CoreData"
  measure "model-compiler" "$count entities and their classes" "$program" "$@"
done
