// swift-tools-version: 6.2

import PackageDescription

// The same work on the same data three times: this project, C on the SQLite API, GRDB. A package of its own, so that
// GRDB is nobody else's dependency.
let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "Strata", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .target(name: "BenchmarkData", cSettings: [.unsafeFlags(["-O2"])]),
    .target(name: "BenchmarkEvents", dependencies: ["BenchmarkData"]),
    .executableTarget(
      name: "benchmark-c", dependencies: ["BenchmarkData"], cSettings: [.unsafeFlags(["-O2"])],
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "benchmark-strata",
      dependencies: ["BenchmarkEvents", .product(name: "CoreData", package: "Strata")]),
    .executableTarget(
      name: "benchmark-grdb", dependencies: ["BenchmarkEvents", .product(name: "GRDB", package: "GRDB.swift")]),
    .executableTarget(name: "benchmark-run"),
    // How long the programs of Quakes take to start, beside a C program.
    .executableTarget(
      name: "benchmark-start-c", cSettings: [.unsafeFlags(["-O2"])], linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(name: "benchmark-start", dependencies: ["BenchmarkEvents"]),
  ],
  swiftLanguageModes: [.v6]
)
