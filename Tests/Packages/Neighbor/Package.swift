// swift-tools-version: 6.2

import PackageDescription

// One process with GRDB, plain SQLite and this framework. A separate package, so that nothing else depends on GRDB.
// Tests/neighbor.sh runs it.
let package = Package(
  name: "Neighbor",
  dependencies: [
    .package(name: "Strata", path: "../../.."),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    // The state of the process, and of GRDB's and plain SQLite's connections.
    .target(
      name: "NeighborFacts",
      dependencies: [
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    // A program without the framework prints them.
    .executableTarget(name: "alone", dependencies: ["NeighborFacts"]),
    // One with the framework compares its own before, while and after it uses a store.
    .executableTarget(
      name: "together",
      dependencies: [
        "NeighborFacts", .product(name: "CoreData", package: "Strata"), .product(name: "GRDB", package: "GRDB.swift"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
