// swift-tools-version: 6.2

import PackageDescription

// Runs the same workloads on the same data in this project, in C on the SQLite API, and in GRDB; and in this project and
// in C on a PostgreSQL server. This is a separate package, so that nothing else depends on GRDB.
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
    // The load of a web service.
    .target(name: "BenchmarkService"),
    .executableTarget(
      name: "benchmark-service-strata",
      dependencies: ["BenchmarkService", .product(name: "CoreData", package: "Strata")]),
    .executableTarget(
      name: "benchmark-service-grdb", dependencies: ["BenchmarkService", .product(name: "GRDB", package: "GRDB.swift")]),
    .executableTarget(name: "benchmark-service", dependencies: ["BenchmarkService"]),
    // Only postgres.sh builds these, so that the others need no libpq.
    .executableTarget(
      name: "benchmark-postgresql-c", dependencies: ["BenchmarkData"], cSettings: [.unsafeFlags(["-O2"])],
      linkerSettings: [.linkedLibrary("pq")]),
    .executableTarget(
      name: "benchmark-postgresql-strata",
      dependencies: ["BenchmarkEvents", .product(name: "CoreDataPostgreSQL", package: "Strata")]),
    // Measures the start-up of the Quakes programs, compared with a C program.
    .executableTarget(
      name: "benchmark-start-c", cSettings: [.unsafeFlags(["-O2"])], linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(name: "benchmark-start", dependencies: ["BenchmarkEvents"]),
  ]
    + [
      // The same work in SwiftData and in Core Data. Only swiftdata.sh builds it.
      .executableTarget(
        name: "benchmark-swiftdata",
        dependencies: [
          "BenchmarkEvents", .product(name: "SwiftData", package: "Strata"),
          .product(name: "CoreData", package: "Strata"),
        ])
    ].filter { _ in Context.environment["STRATA_SWIFTDATA"] == "1" },
  swiftLanguageModes: [.v6]
)
