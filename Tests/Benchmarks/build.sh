#!/bin/sh
# How long a program that only uses CoreData takes to build: clean, in debug and in release, and again after an
# edit. Prints CPU and wall seconds.
# Usage: sh Tests/Benchmarks/build.sh
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/Workers/requirements.sh"
require_swift
require_packages
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/client"
cat > "$folder/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "client", dependencies: [.package(name: "Strata", path: "$root")],
  targets: [.executableTarget(name: "client", dependencies: [.product(name: "CoreData", package: "Strata")])])
END
cat > "$folder/Sources/client/main.swift" <<'END'
import CoreData

let model = NSManagedObjectModel()
print(NSPersistentContainer(name: "Client", managedObjectModel: model).name)
END
cd "$folder"
measure() {
  title=$1
  shift
  before=$(awk '{print $16 + $17}' /proc/$$/stat)
  began=$(date +%s%N)
  "$@" >/dev/null 2>"$folder/errors" || { cat "$folder/errors" >&2; exit 1; }
  ended=$(date +%s%N)
  after=$(awk '{print $16 + $17}' /proc/$$/stat)
  awk -v title="$title" -v ticks="$((after - before))" -v hertz="$(getconf CLK_TCK)" -v ns="$((ended - began))" \
    'BEGIN { printf "%-24s %7.1f s CPU %7.1f s\n", title, ticks / hertz, ns / 1e9 }'
}
swift package resolve >/dev/null 2>&1
for configuration in debug release; do
  measure "clean, $configuration" swift build -c $configuration
  measure "nothing to do, $configuration" swift build -c $configuration
  echo 'print(1)' >> Sources/client/main.swift
  measure "after an edit, $configuration" swift build -c $configuration
done
