// swift-tools-version: 6.2

import PackageDescription

// A program without shared libraries starts in half the time. Whoever builds the programs for use asks for it, where there
// are libraries to link: `static_linking` in Workers/requirements.sh.
let linking: [LinkerSetting] =
  Context.environment["QUAKES_STATIC"] == "1" ? [.unsafeFlags(["-static-executable"])] : []

// Lowest layer first: a target may name only targets that stand above it in this list, and SwiftPM refuses a circle.
let package = Package(
  name: "Strata",
  products: [
    .library(name: "CoreData", targets: ["CoreData"]),
    .plugin(name: "CoreDataModel", targets: ["CoreDataModel"]),
    .executable(name: "coredata", targets: ["coredata"]),
    .executable(name: "quakes", targets: ["quakes"]),
    .executable(name: "quakes-fetch", targets: ["quakes-fetch"]),
    .executable(name: "quakes-summary", targets: ["quakes-summary"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // The system's libraries, and the one call of the Swift runtime that Swift cannot name.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
    .target(name: "CSwiftRuntime"),

    // The framework.
    .target(name: "Predicates"),
    .target(name: "ManagedModel", dependencies: ["Predicates"]),
    .target(name: "RowStore", dependencies: ["ManagedModel", "Predicates"]),
    .target(name: "ObjectGraph", dependencies: ["RowStore", "ManagedModel", "Predicates", "CSwiftRuntime"]),
    .target(name: "SQLText", dependencies: ["RowStore", "ManagedModel", "Predicates"]),
    .target(name: "SQLiteEngine", dependencies: ["CSQLite", "SQLText", "RowStore", "ManagedModel", "Predicates"]),
    .target(name: "SQLStore", dependencies: ["SQLiteEngine", "SQLText", "RowStore", "ManagedModel", "Predicates"]),
    .target(name: "MemoryStore", dependencies: ["RowStore", "ManagedModel", "Predicates"]),
    .target(name: "StoreSignal", dependencies: ["CInotifyTools"]),
    .target(
      name: "StoreCoordination",
      dependencies: [
        "StoreSignal", "MemoryStore", "SQLStore", "ObjectGraph", "RowStore", "ManagedModel", "Predicates",
      ]),
    .target(
      name: "CoreData", dependencies: ["StoreCoordination", "ObjectGraph", "ManagedModel", "Predicates"]),

    // What the build makes of models and of @NSManaged declarations: the plugin runs the program.
    .target(name: "ManagedSources"),
    .target(name: "ModelCompiler", dependencies: ["ManagedSources", "ManagedModel"]),
    .executableTarget(name: "model-compiler", dependencies: ["ModelCompiler"]),
    .plugin(
      name: "CoreDataModel", capability: .buildTool(), dependencies: ["model-compiler"], path: "Sources/ModelPlugin"),

    // The developer's tool.
    .executableTarget(
      name: "coredata",
      dependencies: [
        "CoreData", "ModelCompiler", "SQLStore", "SQLText", "RowStore", "ManagedModel", "Predicates",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // Quakes: built on the public API alone, so the package's own names are out of its reach.
    .target(
      name: "Shared", dependencies: ["CoreData"], path: "Shared", exclude: ["Quakes.xcdatamodeld"],
      packageAccess: false, plugins: ["CoreDataModel"]),
    .executableTarget(
      name: "quakes",
      dependencies: ["Shared", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      packageAccess: false, linkerSettings: linking),
    .executableTarget(
      name: "quakes-fetch",
      dependencies: [
        "Shared", "CCurl", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Workers/quakes-fetch", packageAccess: false),
    .executableTarget(
      name: "quakes-summary", dependencies: ["Shared"], path: "Workers/quakes-summary", packageAccess: false,
      linkerSettings: linking),

    // The tests: a target a module, and what every back end must do.
    .testTarget(name: "PredicatesTests", dependencies: ["Predicates"]),
    .testTarget(name: "ManagedModelTests", dependencies: ["ManagedModel"]),
    .target(
      name: "StoreConformance", dependencies: ["RowStore", "ManagedModel", "Predicates"],
      path: "Tests/StoreConformance"),
    .testTarget(name: "RowStoreTests", dependencies: ["RowStore", "ManagedModel"]),
    .testTarget(name: "MemoryStoreTests", dependencies: ["MemoryStore", "StoreConformance"]),
    .testTarget(name: "SQLTextTests", dependencies: ["SQLText"]),
    .testTarget(name: "SQLiteEngineTests", dependencies: ["SQLiteEngine"]),
    .testTarget(name: "SQLStoreTests", dependencies: ["SQLStore", "StoreConformance"]),
    .testTarget(
      name: "DifferentialTests",
      dependencies: ["SQLStore", "MemoryStore", "SQLText", "RowStore", "ManagedModel", "Predicates"]),
    .testTarget(name: "StoreSignalTests", dependencies: ["StoreSignal"]),
    .target(name: "SampleStores", dependencies: ["CoreData"], path: "Tests/SampleStores", packageAccess: false),
    .testTarget(
      name: "StoreCoordinationTests",
      dependencies: [
        "CoreData", "SampleStores", "StoreConformance", "StoreCoordination", "RowStore", "ManagedModel", "Predicates",
        "store-probe",
      ]),
    .testTarget(
      name: "AppleBehaviourTests", dependencies: ["CoreData", "SampleStores"], packageAccess: false,
      plugins: ["CoreDataModel"]),
    .testTarget(name: "ModelCompilerTests", dependencies: ["ModelCompiler", "ManagedSources", "ManagedModel"]),
    .testTarget(name: "SharedTests", dependencies: ["Shared"]),
    .testTarget(
      name: "QuakesFetchTests",
      dependencies: ["quakes-fetch", .product(name: "FlyingFox", package: "FlyingFox")]),
    .executableTarget(
      name: "store-probe", dependencies: ["CoreData"], path: "Tests/StoreProbe", packageAccess: false),
    .executableTarget(
      name: "store-soak", dependencies: ["CoreData", "CSQLite"], path: "Tests/StoreSoak", packageAccess: false),
    .target(name: "CFaultVFS", path: "Tests/FaultVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "store-faults", dependencies: ["CoreData", "CSQLite", "CFaultVFS"], path: "Tests/StoreFaults",
      packageAccess: false),
    .executableTarget(
      name: "store-audit", dependencies: ["CoreData", "SQLStore", "ManagedModel", "Predicates", "CSQLite"],
      path: "Tests/StoreAudit"),
    .testTarget(
      name: "ProcessTests",
      dependencies: [
        "CoreData", "SQLiteEngine", "Shared", "CSQLite", "store-probe", "store-faults", "store-soak", "coredata",
        "quakes", "quakes-fetch", "quakes-summary",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
