// swift-tools-version: 6.2
//
// Licensed under the Apache License 2.0 with LLVM Exceptions: see .github/LICENSE.md.

import Foundation
import PackageDescription

// A program without shared libraries starts in half the time. Whoever builds the programs for use asks for it, where there
// are libraries to link: `static_linking` in Workers/requirements.sh.
let isStatic = Context.environment["QUAKES_STATIC"] == "1"
let linking: [LinkerSetting] = isStatic ? [.unsafeFlags(["-static-executable", "-use-ld=lld"])] : []
// Debug information would be two fifths of such a program. Without it, a backtrace has the names of functions, and no lines.
let stripping: [LinkerSetting] = isStatic ? [.unsafeFlags(["-Xlinker", "--strip-debug"])] : []
// In place of Foundation's own, which would double the size.
let localeData: [Target.Dependency] = isStatic ? ["StrataCLocaleData"] : []

// Quakes can keep its catalogue on a PostgreSQL server. Whoever builds it for that has libpq.
let isForServers = Context.environment["QUAKES_POSTGRESQL"] == "1"
let catalogue: [Target.Dependency] = isForServers ? ["CoreData", "CoreDataPostgreSQL"] : ["CoreData"]
let catalogueSettings: [SwiftSetting] = isForServers ? [.define("QUAKES_POSTGRESQL")] : []

// The programs of this repository, their tests, and the packages that both need: the scripts ask for them (`with_programs`
// in Workers/requirements.sh). Without the variable, as for a dependent, this is the framework, the plugin and their tests.
// With it, the trait InotifyTools is on unless the command line says otherwise, and the developer's tool is complete. That is
// not a second trait, because SwiftPM passes enabled traits to the compiler in an order that changes from run to run: with two of
// them, every other build would compile everything again.
let hasPrograms = Context.environment["STRATA_PROGRAMS"] == "1"

// Lowest layer first: a target may name only targets that stand above it in this list, and SwiftPM refuses a circle.
let package = Package(
  name: "Strata",
  products: [
    .plugin(name: "CoreDataModel", targets: ["StrataModelPlugin"]),
    .plugin(name: "PortCoreData", targets: ["StrataPortPlugin"]),
    .executable(name: "coredata", targets: ["strata-coredata"]),
  ],
  traits: [
    .trait(
      name: "DeveloperTool",
      description: "The program coredata, for models and stores, with the package swift-argument-parser."),
    .trait(
      name: "InotifyTools",
      description: "Watches the folders of stores with libinotifytools, which is under the GPL 2, not with inotify(7)."),
    .default(enabledTraits: hasPrograms ? ["InotifyTools"] : []),
  ],
  dependencies: [
    // Fetched only with the trait DeveloperTool.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    // The system's libraries, and what depends on more than the public interfaces of Swift and Foundation.
    .systemLibrary(
      name: "StrataCSQLite", path: "Sources/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "StrataCInotifyTools", path: "Sources/CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
    .target(name: "StrataCSwiftRuntime", path: "Sources/CSwiftRuntime"),
    .target(name: "StrataRuntime", dependencies: ["StrataCSwiftRuntime"], path: "Sources/Runtime"),

    // The framework.
    .target(name: "StrataFormats", path: "Sources/Formats"),
    // Models as Xcode writes them, as plain values. Of the framework, the plugin's program contains only this and the formats.
    .target(name: "StrataModelSource", dependencies: ["StrataFormats"], path: "Sources/ModelSource"),
    .target(name: "StrataSupport", dependencies: ["StrataFormats"], path: "Sources/Support"),
    .target(
      name: "StrataFoundationGaps", dependencies: ["StrataSupport", "StrataRuntime"],
      path: "Sources/FoundationGaps"),
    .target(name: "StrataPredicates", dependencies: ["StrataFormats", "StrataRuntime"], path: "Sources/Predicates"),
    .target(
      name: "StrataManagedModel", dependencies: ["StrataPredicates", "StrataFormats", "StrataSupport"],
      path: "Sources/ManagedModel"),
    .target(
      name: "StrataModelFiles",
      dependencies: [
        "StrataManagedModel", "StrataModelSource", "StrataPredicates", "StrataSupport", "StrataFormats",
        "StrataRuntime",
      ], path: "Sources/ModelFiles"),
    .target(
      name: "StrataRowStore", dependencies: ["StrataManagedModel", "StrataPredicates", "StrataRuntime"],
      path: "Sources/RowStore"),
    .target(
      name: "StrataObjectGraph",
      dependencies: [
        "StrataRowStore", "StrataManagedModel", "StrataPredicates", "StrataFoundationGaps", "StrataSupport",
        "StrataRuntime",
      ], path: "Sources/ObjectGraph"),
    .target(
      name: "StrataFetchedResults",
      dependencies: [
        "StrataObjectGraph", "StrataRowStore", "StrataManagedModel", "StrataPredicates", "StrataFoundationGaps",
        "StrataSupport", "StrataRuntime",
      ], path: "Sources/FetchedResults"),
    .target(
      name: "StrataSQLText",
      dependencies: ["StrataRowStore", "StrataManagedModel", "StrataPredicates", "StrataSupport"],
      path: "Sources/SQLText"),
    .target(
      name: "StrataSQLiteText",
      dependencies: ["StrataSQLText", "StrataRowStore", "StrataManagedModel", "StrataPredicates"],
      path: "Sources/SQLiteText"),
    .target(
      name: "StrataSharing",
      dependencies: [
        .target(name: "StrataCInotifyTools", condition: .when(traits: ["InotifyTools"])), "StrataRowStore",
        "StrataSupport",
      ], path: "Sources/Sharing"),
    .target(
      name: "StrataSQLiteEngine",
      dependencies: [
        "StrataCSQLite", "StrataSharing", "StrataSQLiteText", "StrataSQLText", "StrataRowStore", "StrataManagedModel",
        "StrataPredicates", "StrataSupport", "StrataRuntime",
      ],
      path: "Sources/SQLiteEngine"),
    .target(
      name: "StrataSQLStore",
      dependencies: [
        "StrataSQLiteEngine", "StrataSQLiteText", "StrataSQLText", "StrataSharing", "StrataRowStore",
        "StrataModelFiles", "StrataModelSource", "StrataManagedModel", "StrataPredicates", "StrataSupport",
        "StrataFormats",
      ], path: "Sources/SQLStore"),
    .target(
      name: "StrataMemoryStore",
      dependencies: [
        "StrataRowStore", "StrataManagedModel", "StrataPredicates", "StrataSupport", "StrataFormats",
      ],
      path: "Sources/MemoryStore"),
    .target(
      name: "StrataStoreCoordination",
      dependencies: [
        "StrataMemoryStore", "StrataSQLStore", "StrataObjectGraph", "StrataRowStore", "StrataModelFiles",
        "StrataManagedModel", "StrataPredicates", "StrataFoundationGaps", "StrataFormats", "StrataSupport",
        "StrataRuntime",
      ], path: "Sources/StoreCoordination"),
    .target(
      name: "CoreData",
      dependencies: [
        "StrataStoreCoordination", "StrataFetchedResults", "StrataObjectGraph",
        "StrataModelFiles", "StrataManagedModel", "StrataFormats", "StrataPredicates", "StrataFoundationGaps",
      ]),

    // Stores on a PostgreSQL server, and libpq with them, for those who ask for the product.
    .systemLibrary(name: "StrataCPostgreSQL", path: "Sources/CPostgreSQL", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "StrataPostgreSQLStore",
      dependencies: [
        "StrataCPostgreSQL", "StrataSQLText", "StrataRowStore", "StrataModelFiles", "StrataManagedModel",
        "StrataPredicates", "StrataSupport",
      ], path: "Sources/PostgreSQLStore"),
    .target(
      name: "CoreDataPostgreSQL",
      dependencies: ["CoreData", "StrataPostgreSQLStore", "StrataStoreCoordination", "StrataRowStore"]),

    // What the build makes of models and of @NSManaged declarations: the plugin runs the program.
    .target(
      name: "StrataModelCompiler", dependencies: ["StrataModelSource", "StrataFormats"],
      path: "Sources/ModelCompiler"),
    .executableTarget(
      name: "strata-model-compiler", dependencies: ["StrataModelCompiler"], path: "Sources/model-compiler"),
    .plugin(
      name: "StrataModelPlugin", capability: .buildTool(), dependencies: ["strata-model-compiler"],
      path: "Sources/ModelPlugin"),

    // Sources for Apple's platforms, rewritten so that they compile on Linux too: the command plugin runs the program. Only
    // `swift package port-core-data` builds it, and `coredata port` does the same.
    .target(name: "StrataPorting", dependencies: ["StrataModelCompiler"], path: "Sources/Porting"),
    .executableTarget(name: "strata-port", dependencies: ["StrataPorting"], path: "Sources/port"),
    .plugin(
      name: "StrataPortPlugin",
      capability: .command(
        intent: .custom(
          verb: "port-core-data", description: "Rewrite Core Data sources so that they also compile on Linux."),
        permissions: [.writeToPackageDirectory(reason: "With --write, the command edits the sources of the targets.")]),
      dependencies: ["strata-port"], path: "Sources/PortPlugin"),

    // The one place that names the version.
    .target(name: "StrataVersion", path: "Sources/Version"),

    // The developer's tool.
    .executableTarget(
      name: "strata-coredata",
      dependencies: [
        "StrataPorting",
        "CoreData", "StrataModelCompiler", "StrataStoreCoordination", "StrataSQLStore", "StrataSQLiteEngine",
        "StrataSQLiteText", "StrataSQLText", "StrataObjectGraph", "StrataRowStore", "StrataModelFiles",
        "StrataManagedModel", "StrataModelSource", "StrataPredicates", "StrataSupport", "StrataFormats",
        "StrataVersion",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: hasPrograms ? nil : .when(traits: ["DeveloperTool"])),
      ], path: "Sources/coredata", swiftSettings: hasPrograms ? [.define("DeveloperTool")] : []),
  ],
  swiftLanguageModes: [.v6]
)

// SwiftPM compiles a target again only when a module changes that the target names, or a product it names. A program that
// imports CoreData has subclasses of classes that the modules beneath it declare: were those modules not named too, then
// after an update of this package the program would keep the old layout of its superclasses, and crash.
extension Package {
  func modules(through name: String) -> [String] {
    let end = targets.drop { $0.name != name }.dropFirst().startIndex
    return targets[..<end].filter { $0.type == .regular }.map(\.name)
  }
}
package.products += ["CoreData", "CoreDataPostgreSQL"].map { .library(name: $0, targets: package.modules(through: $0)) }

// The compiler does not document some of the options below: one that was not tried builds without them.
#if compiler(<6.5)
let isTriedCompiler = true
#else
let isTriedCompiler = false
#endif

// A dependent does not edit the framework: a module that is compiled as a whole is read and type-checked once, where a debug
// build would do so once a batch of files (a fifth of the CPU time), and once more for the interface even of a whole module
// (9 %) unless told otherwise. But after an edit the whole module is compiled again: in the largest that takes 16 s where a
// batch takes 3, so that work on this repository does without. From tools version 6.2 on, SwiftPM takes such flags from a
// dependency too.
let asWhole =
  [
    "-disable-batch-mode", "-whole-module-optimization", "-num-threads",
    String(ProcessInfo.processInfo.activeProcessorCount),
  ] + (isTriedCompiler ? ["-no-emit-module-separately-wmo"] : [])
// SwiftPM plans the plugin's program twice, before the build and in it. The second plan runs the compiler again, which finds
// nothing to do in a module of batches, and would compile a whole module once more: a tenth of a dependent's build. Each batch
// reads the module and its imports again, so these modules are compiled in one.
let asOneBatch = isTriedCompiler ? ["-driver-batch-count", "1"] : []
let modulesOfThePlugin = [
  "StrataFormats", "StrataModelSource", "StrataModelCompiler", "strata-model-compiler",
  "StrataPorting", "strata-port",
]
// Debugging the framework from a dependent needs line tables for breakpoints and backtraces, but rarely variables. SwiftPM
// appends its own `-g` after these flags, so the front end's option is needed to override it.
let lineTablesOnly = ["-Xfrontend", "-gline-tables-only"]
if !hasPrograms {
  for target in package.targets where [.regular, .executable].contains(target.type) {
    let flags = modulesOfThePlugin.contains(target.name) ? asOneBatch : asWhole
    target.swiftSettings =
      (target.swiftSettings ?? []) + [
        .unsafeFlags(flags + lineTablesOnly, .when(configuration: .debug)),
        .unsafeFlags(isTriedCompiler ? lineTablesOnly : [], .when(configuration: .release)),
      ]
  }
}

// A program uses a model's descriptions and files while it opens a store and hardly later: optimized for size and without
// specialized generic code (see below), they build in 16 s of CPU time where they would take 40.
let optimizedForSize = ["StrataManagedModel", "StrataModelFiles"]
// The reader of Xcode's models and the rest of the plugin's program run for a fraction of a second. Optimized, they would take
// 36 s of CPU time to build instead of 6; the reader is built twice.
let notOptimized = ["StrataModelSource", "StrataModelCompiler", "strata-model-compiler"]
for target in package.targets where (optimizedForSize + notOptimized).contains(target.name) {
  let flag = notOptimized.contains(target.name) ? "-Onone" : "-Osize"
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags([flag], .when(configuration: .release))]
}

// Compiling generic code once more for each of its types takes half of an optimized build. These modules go without it:
// their loops over rows are plain, or are in RowStore and SQLiteEngine. It costs the measured paths between 1 and 7 % more
// instructions, and 0.04 ms at the first fetch of an entity. In MemoryStore a save would take 1.8 times as long, and in
// ObjectGraph all paths would take between 1.1 and 2.3 times as many instructions, even with plain loops.
let notSpecialized = [
  "StrataFoundationGaps", "StrataManagedModel", "StrataModelFiles", "StrataSQLText", "StrataSQLiteText",
  "StrataSQLStore", "StrataStoreCoordination",
]
for target in package.targets where isTriedCompiler && notSpecialized.contains(target.name) {
  let flags = ["-Xllvm", "-sil-disable-pass=generic-specializer"]
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags, .when(configuration: .release))]
}

extension Target.Dependency {
  /// The name of the target; nil for a product, and for a dependency with a condition.
  var targetName: String? {
    switch self {
    case .byNameItem(let name, nil), .targetItem(let name, nil): name
    default: nil
    }
  }
}

// Swift finds the metadata of a generic type, such as a dictionary of some types, by the type's name when it is first
// used, and for its keys searches all conformances of the program: 0.3 million instructions for each type. A release
// build asks the type's own function instead, which has been told the conformance. A program that opens a store and
// fetches takes 8 % fewer instructions from start to end, and its first fetch 6 %.
func useMetadataAccessors(in targets: [Target]) {
  guard isTriedCompiler else { return }
  let flags = ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"]
  for target in targets where target.type == .regular || target.type == .executable {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags, .when(configuration: .release))]
  }
}
useMetadataAccessors(in: package.targets)

let programs: [Target] = [
  .target(name: "StrataCCurl", path: "Sources/CCurl", linkerSettings: [.linkedLibrary("curl")]),
  .target(name: "StrataCLocaleData", path: "Workers/packaging/LocaleData"),

  // Quakes: built on the public API alone, so the package's own names are out of its reach.
  .target(
    name: "StrataQuakes", dependencies: catalogue + ["StrataVersion"], path: "Shared",
    exclude: ["Quakes.xcdatamodeld", "Reference/build.sh"],
    packageAccess: false, swiftSettings: catalogueSettings, plugins: ["StrataModelPlugin"]),
  .target(
    name: "StrataQuakesConfig", dependencies: ["StrataQuakes", .product(name: "TOMLKit", package: "TOMLKit")],
    path: "Sources/quakes-config", packageAccess: false),
  .target(
    name: "StrataQuakesCompletion",
    dependencies: [
      "StrataQuakesConfig", "StrataQuakes", .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ], path: "Sources/quakes-completion", packageAccess: false),
  .target(
    name: "StrataQuakesMap", dependencies: ["StrataQuakes"], path: "Sources/quakes-map", packageAccess: false),
  .target(
    name: "StrataQuakesScreen", dependencies: ["StrataQuakes"], path: "Sources/quakes-screen", packageAccess: false),
  .executableTarget(
    name: "strata-quakes",
    dependencies: [
      "StrataQuakesCompletion", "StrataQuakesConfig", "StrataQuakes", "StrataQuakesMap", "StrataQuakesScreen",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ] + localeData,
    path: "Sources/quakes", exclude: ["README.md"],
    packageAccess: false, linkerSettings: linking + stripping),
  .executableTarget(
    name: "strata-quakes-fetch",
    dependencies: [
      "StrataQuakesCompletion", "StrataQuakesConfig", "StrataQuakes", "StrataCCurl",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ] + localeData,
    path: "Workers/quakes-fetch", packageAccess: false, linkerSettings: stripping),
  .executableTarget(
    name: "strata-quakes-summary", dependencies: ["StrataQuakesConfig", "StrataQuakes"] + localeData,
    path: "Workers/quakes-summary",
    packageAccess: false,
    linkerSettings: linking + stripping),

  // What Shared/Reference/build.sh runs.
  .executableTarget(
    name: "strata-quakes-reference", dependencies: ["StrataQuakes"], path: "Workers/quakes-reference",
    packageAccess: false),
]

// `Tests/run.sh --filter` builds only the test targets of the suites that it runs: it lists them in this variable.
let testTargets = Context.environment["STRATA_TEST_TARGETS"].map { $0.split(separator: " ").map(String.init) }
func isNeeded(_ target: Target) -> Bool { target.type != .test || testTargets?.contains(target.name) ?? true }

/// The programs that tests start. A build of everything has them anyway, so that the tests need not name them there, and are
/// compiled without waiting for their linking.
func startedPrograms(_ names: String...) -> [Target.Dependency] {
  testTargets == nil ? [] : names.map { .target(name: $0) }
}

let tests: [Target] = [
  // The tests: a target a module, and what every back end must do.
  .target(name: "StrataCThreadUser", path: "Tests/ThreadUser"),
  .target(
    name: "StrataTestSupport", dependencies: ["StrataManagedModel", "StrataCThreadUser"], path: "Tests/TestSupport",
    packageAccess: false),
  .testTarget(name: "RuntimeTests", dependencies: ["StrataRuntime", "StrataTestSupport"]),
  .testTarget(name: "PredicatesTests", dependencies: ["StrataPredicates", "StrataTestSupport"]),
  .testTarget(
    name: "FormatsTests", dependencies: ["StrataFormats", "StrataTestSupport"]),
  .testTarget(
    name: "ManagedModelTests",
    dependencies: [
      "StrataModelFiles", "StrataModelSource", "StrataManagedModel", "StrataSupport", "StrataFormats",
      "StrataTestSupport",
    ]),
  .target(
    name: "StrataStoreConformance",
    dependencies: ["StrataRowStore", "StrataManagedModel", "StrataPredicates", "StrataTestSupport"],
    path: "Tests/StoreConformance"),
  .testTarget(
    name: "RowStoreTests", dependencies: ["StrataRowStore", "StrataManagedModel", "StrataTestSupport"]),
  .testTarget(name: "MemoryStoreTests", dependencies: ["StrataMemoryStore", "StrataStoreConformance"]),
  .testTarget(name: "SQLTextTests", dependencies: ["StrataSQLiteText", "StrataSQLText", "StrataTestSupport"]),
  .testTarget(name: "SupportTests", dependencies: ["StrataSupport", "StrataTestSupport"]),
  .testTarget(name: "SharingTests", dependencies: ["StrataSharing", "StrataTestSupport"]),
  .testTarget(name: "SQLiteEngineTests", dependencies: ["StrataSQLiteEngine", "StrataTestSupport"]),
  .target(
    name: "StrataPostgreSQLServer", dependencies: ["StrataPostgreSQLStore", "StrataSQLText"],
    path: "Tests/PostgreSQLServer"),
  .testTarget(
    name: "PostgreSQLEngineTests",
    dependencies: ["StrataPostgreSQLStore", "StrataPostgreSQLServer", "StrataSQLText", "StrataTestSupport"]),
  .testTarget(
    name: "PostgreSQLStoreTests",
    dependencies: [
      "CoreDataPostgreSQL", "StrataPostgreSQLStore", "StrataPostgreSQLServer",
      "StrataStoreCoordination", "StrataStoreConformance", "StrataRowStore", "StrataManagedModel", "StrataSQLText",
      "StrataTestSupport",
    ]),
  .testTarget(
    name: "SQLStoreTests",
    dependencies: [
      "StrataSQLStore", "StrataSharing", "StrataModelFiles", "StrataStoreConformance", "StrataTestSupport",
    ]),
  .testTarget(
    name: "DifferentialTests",
    dependencies: [
      "StrataSQLStore", "StrataPostgreSQLStore", "StrataPostgreSQLServer", "StrataMemoryStore",
      "StrataSQLiteText", "StrataSQLText", "StrataRowStore", "StrataManagedModel", "StrataPredicates",
      "StrataTestSupport",
    ]),
  .target(name: "StrataSampleStores", dependencies: ["CoreData"], path: "Tests/SampleStores", packageAccess: false),
  .testTarget(
    name: "StoreCoordinationTests",
    dependencies: [
      "CoreData", "StrataSampleStores", "StrataStoreConformance", "StrataStoreCoordination", "StrataObjectGraph",
      "StrataMemoryStore", "StrataRowStore", "StrataManagedModel", "StrataSupport", "StrataFormats",
      "StrataPredicates", "StrataTestSupport", "strata-store-probe",
    ]),
  .testTarget(
    name: "ModelCompilerTests",
    dependencies: [
      "StrataModelCompiler", "StrataModelFiles", "StrataModelSource", "StrataManagedModel", "StrataTestSupport",
    ]),
  .testTarget(name: "PortingTests", dependencies: ["StrataPorting", "StrataTestSupport"]),
  .executableTarget(
    name: "strata-store-probe", dependencies: ["CoreData"], path: "Tests/StoreProbe", packageAccess: false),
  .target(name: "StrataCSimulator", path: "Tests/Simulator"),
  .executableTarget(
    name: "strata-store-soak",
    dependencies: [
      "CoreDataPostgreSQL", "CoreData", "StrataPostgreSQLServer", "StrataCSQLite", "StrataCSimulator",
      "StrataTestSupport",
    ],
    path: "Tests/StoreSoak",
    packageAccess: false),
  .executableTarget(
    name: "strata-graph-test",
    dependencies: ["CoreDataPostgreSQL", "CoreData", "StrataPostgreSQLServer", "StrataTestSupport"],
    path: "Tests/GraphTest", packageAccess: false, plugins: ["StrataModelPlugin"]),
  .target(name: "StrataCFaultVFS", path: "Tests/FaultVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
  .executableTarget(
    name: "strata-store-faults",
    dependencies: ["CoreData", "StrataCSQLite", "StrataCFaultVFS", "StrataTestSupport"],
    path: "Tests/StoreFaults",
    packageAccess: false),
  .executableTarget(
    name: "strata-store-audit",
    dependencies: [
      "CoreData", "StrataSQLStore", "StrataModelFiles", "StrataManagedModel", "StrataPredicates", "StrataCSQLite",
    ], path: "Tests/StoreAudit"),
]

// Apple's documented and observed behavior, on the public API alone; the tests share a module without public names. They are
// split because the compiler, each time it expands a macro, sorts a list of all that it expanded in the module: above 6,000
// lines that becomes noticeable. Constants belong to Fetching; composite attributes, observation and Swift's predicates to
// Object; batches and history to Saving; undo, merging, relationships and unreadable faults to Context; models to Store.
let behavior: [Target] =
  [
    .target(
      name: "StrataBehaviorSupport",
      dependencies: [
        "CoreDataPostgreSQL", "CoreData", "StrataPostgreSQLServer", "StrataSampleStores", "StrataTestSupport",
      ],
      path: "Tests/BehaviorSupport", packageAccess: false, plugins: ["StrataModelPlugin"])
  ]
  + ["Object", "Context", "Saving", "Fetching", "Store"].map { part in
    .testTarget(
      name: "\(part)BehaviorTests",
      dependencies: ["StrataBehaviorSupport", "CoreData", "StrataTestSupport"], packageAccess: false,
      plugins: ["StrataModelPlugin"])
  }

let testsOfPrograms: [Target] = [
  .testTarget(name: "SharedTests", dependencies: ["StrataQuakes", "StrataTestSupport"]),
  .testTarget(name: "QuakesConfigTests", dependencies: ["StrataQuakesConfig", "StrataQuakes"]),
  .testTarget(
    name: "QuakesFetchTests",
    dependencies: ["strata-quakes-fetch", "StrataTestSupport", .product(name: "FlyingFox", package: "FlyingFox")]),
  .testTarget(name: "QuakesMapTests", dependencies: ["StrataQuakesMap", "StrataQuakes", "StrataFormats"]),
  .testTarget(
    name: "QuakesScreenTests", dependencies: ["StrataQuakesScreen", "strata-quakes", "StrataQuakes"]),
  .testTarget(
    name: "QuakesSummaryTests", dependencies: ["strata-quakes-summary", "StrataQuakesConfig", "StrataQuakes"]),
  .testTarget(
    name: "ProcessTests",
    dependencies: [
      "CoreData", "StrataSQLiteEngine", "StrataQuakes", "StrataCSQLite", "StrataTestSupport",
    ]
      + startedPrograms(
        "strata-store-probe", "strata-store-faults", "strata-store-soak", "strata-coredata", "strata-quakes",
        "strata-quakes-fetch", "strata-quakes-summary", "strata-quakes-reference")),
]

package.targets += (tests + behavior).filter(isNeeded)
if hasPrograms {
  package.products += [
    .executable(name: "quakes", targets: ["strata-quakes"]),
    .executable(name: "quakes-fetch", targets: ["strata-quakes-fetch"]),
    .executable(name: "quakes-summary", targets: ["strata-quakes-summary"]),
    .executable(name: "quakes-reference", targets: ["strata-quakes-reference"]),
  ]
  package.dependencies += [
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ]
  package.targets += programs + testsOfPrograms.filter(isNeeded)
  useMetadataAccessors(in: programs)
}

// In this repository's own builds a module of more than 1,500 lines or so is compiled in batches, and after an edit only the
// edited files are. A small module compiled as a whole takes a quarter less CPU time: it is read once, not once a batch and
// once more for its interface. Test modules are compiled as a whole up to 8,000 lines: batches expand the macros of all tests
// again, and a change of the framework that leaves its interfaces alone compiles no test. They have line tables only, which
// saves a tenth, so a debugger shows no variables in them.
let compiledInBatches = [
  "StrataPredicates", "StrataManagedModel", "StrataObjectGraph", "StrataSQLText", "StrataSQLiteEngine",
  "StrataSQLStore", "StrataStoreCoordination", "StrataPostgreSQLStore", "strata-coredata", "StrataQuakes",
  "strata-quakes", "strata-quakes-fetch",
]
// These name a program: each linking would compile the whole again.
let testsOfLinkedPrograms = ["QuakesScreenTests", "QuakesSummaryTests", "QuakesFetchTests", "StoreCoordinationTests"]
for target in package.targets where hasPrograms || target.type == .test {
  guard [.regular, .executable, .test].contains(target.type), !modulesOfThePlugin.contains(target.name) else {
    continue
  }
  let isWhole = !(compiledInBatches + testsOfLinkedPrograms).contains(target.name)
  let flags = (isWhole ? asWhole : []) + (target.type == .test && isTriedCompiler ? lineTablesOnly : [])
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags, .when(configuration: .debug))]
}
// It links in half the time of the default linker.
for target in package.targets where hasPrograms && (target.type == .executable || target.name == "StrataTestSupport") {
  let linker = LinkerSetting.unsafeFlags(["-use-ld=lld"], .when(configuration: .debug))
  target.linkerSettings = (target.linkerSettings ?? []) + [linker]
}

// The readers of what comes from outside. As built here they read the inputs of the corpora. Tests/fuzz.sh sets the variables
// and builds them so that libFuzzer sees which of their edges ran: libFuzzer's library, and the sanitizer besides it, if any.
if hasPrograms {
  let fuzz = Target.executableTarget(
    name: "strata-fuzz",
    dependencies: [
      "StrataQuakes", "StrataQuakesConfig", "StrataQuakesMap", "StrataQuakesScreen", "StrataCCurl",
      "StrataStoreCoordination", "StrataSQLStore", "StrataMemoryStore", "StrataSQLiteEngine", "StrataSQLiteText",
      "StrataSQLText", "StrataRowStore", "StrataModelFiles", "StrataManagedModel", "StrataPredicates",
      "StrataFoundationGaps", "StrataModelSource", "StrataSupport", "StrataFormats",
    ], path: "Tests/Fuzz", exclude: ["Corpus"], swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  package.targets.append(fuzz)
  if let driver = Context.environment["STRATA_FUZZ_DRIVER"] {
    let sanitizers = ["fuzzer"] + [Context.environment["STRATA_FUZZ_SANITIZER"]].compactMap { $0 }
    let flags = ["-sanitize=\(sanitizers.joined(separator: ","))", "-assert-config", "Debug"]
    for target in package.targets where target.type == .regular {
      target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags)]
    }
    fuzz.swiftSettings = (fuzz.swiftSettings ?? []) + [.define("FUZZING"), .unsafeFlags(flags)]
    let linking = [LinkerSetting.unsafeFlags([driver]), .linkedLibrary("stdc++")]
    fuzz.linkerSettings = linking
    // The plugin's program has the instrumented readers of models in it.
    package.targets.first { $0.name == "strata-model-compiler" }?.linkerSettings = linking
  }
}

// The index for editors does not need the declarations of the system's modules again in each module that uses them.
let smallIndex = ["-index-ignore-system-modules", "-index-ignore-clang-modules"]
for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(smallIndex, .when(configuration: .debug))]
}

// Every target names all modules beneath it, also those that it only reaches through others. SwiftPM compiles a target again
// only when a module that it names changes, and a module in between keeps its interface when the layout of a class beneath
// it changes. The targets are listed from the lowest up, so those that a target names already have their lists.
var modulesBeneath: [String: [String]] = [:]
let modules = Set(package.targets.filter { $0.type == .regular }.map(\.name))
for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  let named = target.dependencies.compactMap(\.targetName)
  var beneath: [String] = []
  for name in named.flatMap({ (modulesBeneath[$0] ?? []) + [$0] }) {
    if modules.contains(name), !beneath.contains(name) { beneath.append(name) }
  }
  modulesBeneath[target.name] = beneath
  target.dependencies += beneath.filter { !named.contains($0) }.map { .target(name: $0) }
}
