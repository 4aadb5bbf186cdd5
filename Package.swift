// swift-tools-version: 6.2
//
// Licensed under the Apache License 2.0 with LLVM Exceptions: see .github/LICENSE.md.

import CompilerPluginSupport
import Foundation
import PackageDescription

// The scripts ask for the programs of this repository, their tests and the packages that both need (`with_programs` in
// Workers/requirements.sh). A dependent gets the framework, the plugins and their tests. With the programs, the trait
// InotifyTools is on by default and the developer's tool is complete. That is not a second trait, because SwiftPM passes traits
// to the compiler in an order that changes from run to run: with two of them, every other build would compile all again.
let hasPrograms = Context.environment["STRATA_PROGRAMS"] == "1"

// A program without shared libraries starts in half the time: see `static_linking` in Workers/requirements.sh. Its debug
// information would be two fifths of it (a backtrace has names without lines), and Foundation's locale data would double it.
let isStatic = Context.environment["QUAKES_STATIC"] == "1"
let linking: [LinkerSetting] = isStatic ? [.unsafeFlags(["-static-executable", "-use-ld=lld"])] : []
// Those that cairo needs: a shared library names its own.
let beneathCairo = (isStatic ? Context.environment["QUAKES_STATIC_LIBRARIES"] ?? "" : "")
  .split(separator: " ").map { LinkerSetting.linkedLibrary(String($0)) }
let stripping: [LinkerSetting] = isStatic ? [.unsafeFlags(["-Xlinker", "--strip-debug"])] : []
let localeData: [Target.Dependency] = isStatic ? ["StrataCLocaleData"] : []

// With libpq, Quakes can keep its catalog on a PostgreSQL server.
let isForServers = Context.environment["QUAKES_POSTGRESQL"] == "1"

// SwiftData is not complete, so dependents do not get it: only its benchmark does.
let offersSwiftData = Context.environment["STRATA_SWIFTDATA"] == "1"

// `Tests/run.sh --filter` lists the test targets of the suites that it runs: only they are built.
let testTargets = Context.environment["STRATA_TEST_TARGETS"].map { $0.split(separator: " ").map(String.init) }

/// "SQLText" is short for StrataSQLText. Programs, tests and the modules that dependents import have their names in full.
func fullName(_ name: String) -> String {
  let isPlain =
    name == "SwiftData" || ["CoreData", "strata-"].contains(where: name.hasPrefix) || name.hasSuffix("Tests")
  return isPlain ? name : "Strata" + name
}

/// For each target, the modules beneath it and, if it is one, itself.
var modulesThrough: [String: [String]] = [:]

/// A target of Swift or C code: a test target, a program, the macros' program or a module, as its name says.
///
/// It names all modules beneath those that it is given. SwiftPM compiles a target again only when a module that it names
/// changes, and a module in between keeps its interface when the layout of a class beneath it changes.
///
/// - Parameters:
///   - names: the topmost targets that it needs.
///   - isClient: whether it sees only the public API, as a dependent does.
@MainActor func target(
  _ name: String, on names: String..., and others: [Target.Dependency] = [], at path: String? = nil,
  without exclude: [String] = [], isClient: Bool = false, settings: [SwiftSetting] = [],
  linking: [LinkerSetting] = [], plugins: [Target.PluginUsage] = []
) -> Target {
  let (isProgram, isTest, isMacro) = (name.hasPrefix("strata-"), name.hasSuffix("Tests"), name.hasSuffix("Macros"))
  let named = names.map(fullName)
  var beneath: [String] = []
  for module in named.flatMap({ modulesThrough[$0] ?? [] }) where !beneath.contains(module) { beneath.append(module) }
  // The compiler runs a macro's program. Only that program links the modules beneath it.
  modulesThrough[fullName(name)] = isMacro ? [] : beneath + (isProgram ? [] : [fullName(name)])
  let dependencies = (named + beneath.filter { !named.contains($0) }).map { .target(name: $0) } + others
  let path = path ?? "Sources/\(isProgram ? String(name.dropFirst("strata-".count)) : name)"
  let target: Target =
    isTest
    ? .testTarget(name: name, dependencies: dependencies, packageAccess: !isClient)
    : isProgram
      ? .executableTarget(name: name, dependencies: dependencies, path: path, packageAccess: !isClient)
      : isMacro
        ? .macro(name: fullName(name), dependencies: dependencies, path: path, packageAccess: !isClient)
        : .target(name: fullName(name), dependencies: dependencies, path: path, packageAccess: !isClient)
  (target.exclude, target.plugins) = (exclude, plugins)
  (target.swiftSettings, target.linkerSettings) = (settings, linking)
  return target
}

func library(_ name: String, apt: String, pkgConfig: String? = nil) -> Target {
  .systemLibrary(name: fullName(name), path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser",
  condition: hasPrograms ? nil : .when(traits: ["DeveloperTool"]))

// Lowest layer first: a target names only targets above it in these lists. "How it works" explains the modules.
let framework: [Target] = [
  library("CSQLite", apt: "libsqlite3-dev", pkgConfig: "sqlite3"),
  library("CInotifyTools", apt: "libinotifytools0-dev"),
  target("CSwiftRuntime"),
  target("Runtime", on: "CSwiftRuntime"),
  target("Formats"),
  target("ModelSource", on: "Formats"),
  target("SwiftSource"),
  target("Support", on: "Formats"),
  target("FoundationGaps", on: "Support", "Runtime"),
  target("Predicates", on: "Formats", "Runtime"),
  target("ManagedModel", on: "Predicates", "ModelSource", "Support"),
  target("RowStore", on: "ManagedModel"),
  target("ObjectGraph", on: "RowStore", "FoundationGaps"),
  target("FetchedResults", on: "ObjectGraph"),
  target("SQLText", on: "RowStore"),
  target(
    "Sharing", on: "RowStore", and: [.target(name: "StrataCInotifyTools", condition: .when(traits: ["InotifyTools"]))]),
  target("SQLiteEngine", on: "CSQLite", "Sharing", "SQLText"),
  target("SQLStore", on: "SQLiteEngine"),
  target("MemoryStore", on: "RowStore"),
  target("StoreCoordination", on: "MemoryStore", "SQLStore", "ObjectGraph"),
  target("CoreData", on: "StoreCoordination", "FetchedResults"),

  // Stores on a PostgreSQL server, and libpq with them, for those who ask for the product.
  library("CPostgreSQL", apt: "libpq-dev"),
  target("PostgreSQLStore", on: "CPostgreSQL", "SQLText"),
  target("CoreDataPostgreSQL", on: "CoreData", "PostgreSQLStore"),

  // The plugin runs the program on models and on @NSManaged declarations.
  target("ModelCompiler", on: "ModelSource", "SwiftSource"),
  target("strata-model-compiler", on: "ModelCompiler"),
  .plugin(
    name: "StrataModelPlugin", capability: .buildTool(), dependencies: ["strata-model-compiler"],
    path: "Sources/ModelPlugin"),

  // SwiftData over Core Data. The compiler runs the program of its macros.
  target("SwiftDataExpansion", on: "SwiftSource"),
  target("SwiftDataMacros", on: "SwiftDataExpansion"),
  target("SwiftData", on: "CoreData", "RowStore", "Runtime", "SwiftDataMacros"),

  // Sources for Apple's platforms, rewritten so that they compile on Linux too: the command plugin runs the program. Only
  // `swift package port-core-data` builds it, and `coredata port` does the same.
  target("Porting", on: "ModelCompiler"),
  target("strata-port", on: "Porting"),
  .plugin(
    name: "StrataPortPlugin",
    capability: .command(
      intent: .custom(
        verb: "port-core-data", description: "Rewrite Core Data sources so that they also compile on Linux."),
      permissions: [.writeToPackageDirectory(reason: "With --write, the command edits the sources of the targets.")]),
    dependencies: ["strata-port"], path: "Sources/PortPlugin"),

  // The checks that `coredata doctor` and `quakes doctor` share: no part of the framework, and in no library.
  target("SystemChecks"),

  target(
    "strata-coredata", on: "CoreData", "Porting", "SystemChecks", and: [argumentParser],
    settings: hasPrograms ? [.define("DeveloperTool")] : []),
]

// Quakes: built on the public API alone. Shared/Reference/build.sh runs strata-quakes-reference.
// A program is hardly more than a call of a library, and tests import the libraries.
let programs: [Target] = [
  target("CCurl", linking: [.linkedLibrary("curl")]),
  target("CLocaleData", at: "Workers/packaging/LocaleData"),
  target(
    "Quakes", on: isForServers ? "CoreDataPostgreSQL" : "CoreData", at: "Shared",
    without: ["Quakes.xcdatamodeld", "Reference/build.sh"], isClient: true,
    settings: isForServers ? [.define("QUAKES_POSTGRESQL")] : [], plugins: ["StrataModelPlugin"]),
  target(
    "QuakesConfig", on: "Quakes", and: [.product(name: "TOMLKit", package: "TOMLKit")], at: "Sources/quakes-config",
    isClient: true),
  target(
    "QuakesCompletion", on: "QuakesConfig", and: [argumentParser], at: "Sources/quakes-completion", isClient: true),
  library("CCairo", apt: "libcairo2-dev"),
  target("QuakesPicture", on: "CCairo", "Quakes", at: "Sources/quakes-picture", isClient: true),
  target("QuakesMap", on: "QuakesPicture", at: "Sources/quakes-map", isClient: true),
  target("QuakesScreen", on: "Quakes", at: "Sources/quakes-screen", isClient: true),
  target(
    "QuakesCommand", on: "QuakesCompletion", "QuakesMap", "QuakesScreen", "SystemChecks", and: [argumentParser],
    at: "Sources/quakes", without: ["Program", "README.md"], isClient: true),
  target(
    "strata-quakes", on: "QuakesCommand", and: localeData, at: "Sources/quakes/Program", isClient: true,
    linking: linking + stripping + beneathCairo),
  target("QuakesFeeds", on: "Quakes", "CCurl", at: "Sources/quakes-feeds", isClient: true),
  target(
    "strata-quakes-fetch", on: "QuakesCompletion", "QuakesFeeds", and: [argumentParser] + localeData,
    at: "Workers/quakes-fetch", isClient: true, linking: stripping),
  target("QuakesSummary", on: "QuakesConfig", at: "Workers/quakes-summary", without: ["Program"], isClient: true),
  target(
    "strata-quakes-summary", on: "QuakesSummary", and: localeData, at: "Workers/quakes-summary/Program",
    isClient: true, linking: linking + stripping),
  target("strata-quakes-reference", on: "Quakes", at: "Workers/quakes-reference", isClient: true),
]

let testsOfFramework: [Target] =
  [
    target("CThreadUser", at: "Tests/ThreadUser"),
    target("TestSupport", on: "ManagedModel", "CThreadUser", at: "Tests/TestSupport", isClient: true),
    target("StoreConformance", on: "RowStore", "TestSupport", at: "Tests/StoreConformance"),
    target("MemoryStoreTests", on: "MemoryStore", "StoreConformance"),
    target("PostgreSQLServer", on: "PostgreSQLStore", at: "Tests/PostgreSQLServer"),
    target("PostgreSQLEngineTests", on: "PostgreSQLServer", "TestSupport"),
    target("PostgreSQLStoreTests", on: "CoreDataPostgreSQL", "PostgreSQLServer", "StoreConformance"),
    target("SQLStoreTests", on: "SQLStore", "StoreConformance"),
    target("DifferentialTests", on: "SQLStore", "MemoryStore", "PostgreSQLServer", "TestSupport"),
    target("SampleStores", on: "CoreData", at: "Tests/SampleStores", isClient: true),
    target("strata-store-probe", on: "CoreData", at: "Tests/StoreProbe", isClient: true),
    target("StoreCoordinationTests", on: "SampleStores", "StoreConformance", "strata-store-probe"),
    target("ModelCompilerTests", on: "ModelCompiler", "ManagedModel", "TestSupport"),
    target("RandomRuns", on: "TestSupport", at: "Tests/RandomRuns", isClient: true),
    target("ModelGraph", on: "SwiftData", "TestSupport", at: "Tests/ModelGraph", isClient: true),
    target("strata-model-test", on: "ModelGraph", "RandomRuns", at: "Tests/ModelTest", isClient: true),
    target("SwiftDataTests", on: "SwiftData", "ModelGraph", "TestSupport"),
    target("CSimulator", at: "Tests/Simulator"),
    target(
      "strata-store-soak", on: "CoreDataPostgreSQL", "PostgreSQLServer", "CSQLite", "CSimulator", "TestSupport",
      at: "Tests/StoreSoak", isClient: true),
    target(
      "strata-graph-test", on: "CoreDataPostgreSQL", "PostgreSQLServer", "RandomRuns", "TestSupport",
      at: "Tests/GraphTest", isClient: true, plugins: ["StrataModelPlugin"]),
    target("CFaultVFS", at: "Tests/FaultVFS", linking: [.linkedLibrary("sqlite3")]),
    target(
      "strata-store-faults", on: "CoreData", "CSQLite", "CFaultVFS", "TestSupport", at: "Tests/StoreFaults",
      isClient: true),
    target("strata-store-audit", on: "CoreData", "CSQLite", at: "Tests/StoreAudit"),
  ]
  + [
    "Runtime", "Predicates", "Formats", "ManagedModel", "RowStore", "SQLText", "Support", "Sharing", "SQLiteEngine",
    "Porting", "SwiftDataExpansion", "SystemChecks",
  ].map { target("\($0)Tests", on: $0, "TestSupport") }

// Apple's documented and observed behavior, on the public API alone. The compiler, each time it expands a macro, sorts a list
// of all that it expanded in the module: above 6,000 lines that becomes noticeable, so there are five. Composite attributes,
// observation and Swift's predicates belong to Object; batches and history to Saving; constants to Fetching; undo, merging,
// relationships and unreadable faults to Context; models to Store.
let testsOfBehavior =
  [
    target(
      "BehaviorSupport", on: "CoreDataPostgreSQL", "PostgreSQLServer", "SampleStores", "TestSupport",
      at: "Tests/BehaviorSupport", isClient: true, plugins: ["StrataModelPlugin"])
  ]
  + ["Object", "Context", "Saving", "Fetching", "Store"].map {
    target("\($0)BehaviorTests", on: "BehaviorSupport", isClient: true, plugins: ["StrataModelPlugin"])
  }

let testsOfPrograms: [Target] = [
  target("SharedTests", on: "Quakes", "TestSupport"),
  target("QuakesConfigTests", on: "QuakesConfig"),
  target(
    "QuakesFetchTests", on: "QuakesFeeds", "TestSupport",
    and: [.product(name: "FlyingFox", package: "FlyingFox")]),
  target("QuakesPictureTests", on: "QuakesPicture"),
  target("QuakesMapTests", on: "QuakesMap"),
  target("QuakesScreenTests", on: "QuakesCommand"),
  target("QuakesSummaryTests", on: "QuakesSummary"),
  // A build of everything has the programs that these start: the tests are then compiled without waiting for them.
  target(
    "ProcessTests", on: "Quakes", "CSQLite", "TestSupport",
    and: [
      "strata-store-probe", "strata-store-faults", "strata-store-soak", "strata-coredata", "strata-quakes",
      "strata-quakes-fetch", "strata-quakes-summary", "strata-quakes-reference",
    ].filter { _ in testTargets != nil } + [.product(name: "FlyingFox", package: "FlyingFox")]),
]

// The readers of what comes from outside. As built here they read the inputs of the corpora: see the end of this file.
let fuzz = target(
  "strata-fuzz", on: "QuakesCommand", "QuakesFeeds", "QuakesSummary", at: "Tests/Fuzz", without: ["Corpus"],
  settings: [.unsafeFlags(["-parse-as-library"])])

let targets =
  framework + (hasPrograms ? programs : [])
  + (testsOfFramework + testsOfBehavior + (hasPrograms ? testsOfPrograms + [fuzz] : []))
  .filter { $0.type != .test || testTargets?.contains($0.name) ?? true }

// A dependent names products, so these have all their modules: a program has subclasses of classes that the modules beneath
// CoreData declare. Without them, after an update of this package, it would keep the old layout of its superclasses, and crash.
let libraries = (["CoreData", "CoreDataPostgreSQL"] + (offersSwiftData ? ["SwiftData"] : []))
  .map { Product.library(name: $0, targets: modulesThrough[$0]!) }

let package = Package(
  name: "Strata",
  products: libraries + [
    .plugin(name: "CoreDataModel", targets: ["StrataModelPlugin"]),
    .plugin(name: "PortCoreData", targets: ["StrataPortPlugin"]),
  ]
    + (["coredata"] + (hasPrograms ? ["quakes", "quakes-fetch", "quakes-summary", "quakes-reference"] : []))
    .map { .executable(name: $0, targets: ["strata-\($0)"]) },
  traits: [
    .trait(
      name: "DeveloperTool",
      description: "The program coredata, for models and stores, with the package swift-argument-parser."),
    .trait(
      name: "InotifyTools",
      description: "Watches the folders of stores with libinotifytools, which is under the GPL 2, not with inotify(7)."),
    .default(enabledTraits: hasPrograms ? ["InotifyTools"] : []),
  ],
  // For a dependent, the first is fetched only with the trait DeveloperTool.
  dependencies: [.package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")]
    + [
      .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
      .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ].filter { _ in hasPrograms },
  targets: targets,
  swiftLanguageModes: [.v6]
)

// The compiler does not document some of these options: one that was not tried builds without them.
#if compiler(<6.5)
func ifTried(_ flags: String...) -> [String] { flags }
#else
func ifTried(_ flags: String...) -> [String] { [] }
#endif

// A debug build would read and type-check a module once a batch of files (a fifth of the CPU time), and once more for the
// interface even of a whole module (9 %) unless told otherwise.
let processors = String(ProcessInfo.processInfo.activeProcessorCount)
let asWhole =
  ["-disable-batch-mode", "-whole-module-optimization", "-num-threads", processors]
  + ifTried("-no-emit-module-separately-wmo")
// After an edit, a whole module is compiled again: in the largest that takes 16 s where a batch takes 3. A dependent does not
// edit the framework. Here, the modules that are edited most are compiled in batches, but test modules up to 8,000 lines
// are not: batches expand the macros of all tests again, and a change of the framework that leaves its interfaces alone
// compiles no test. The last one names a program: each linking would compile the whole again.
let compiledInBatches: Set = [
  "StrataPredicates", "StrataManagedModel", "StrataObjectGraph", "StrataSQLText", "StrataSQLiteEngine",
  "StrataSQLStore", "StrataStoreCoordination", "StrataPostgreSQLStore", "strata-coredata", "StrataQuakes",
  "StrataQuakesCommand", "StrataQuakesFeeds", "strata-fuzz", "StoreCoordinationTests",
]
// SwiftPM plans the plugin's program before the build and again in it. The second plan runs the compiler, which finds nothing
// to do in a module of batches, and would compile a whole module once more: a tenth of a dependent's build. Each batch reads
// the module and its imports again, so these modules have one.
let asOneBatch = ifTried("-driver-batch-count", "1")
let modulesOfThePlugin: Set = [
  "StrataFormats", "StrataModelSource", "StrataSwiftSource", "StrataModelCompiler", "strata-model-compiler",
  "StrataPorting", "strata-port",
]

// Debugging the framework from a dependent needs lines, but rarely variables; in tests they save a tenth. SwiftPM appends its
// own `-g` after these flags, so the front end's option is needed to override it.
let lineTablesOnly = ifTried("-Xfrontend", "-gline-tables-only")

// A program uses a model's descriptions and files while it opens a store and hardly later: optimized for size and without
// specialized generic code, they build in 16 s of CPU time where they would take 40.
let optimizedForSize: Set = ["StrataManagedModel"]
// The reader of Xcode's models and the rest of the plugin's program run for a fraction of a second. Optimized, they would take
// 36 s of CPU time to build instead of 6; the reader is built twice.
let notOptimized: Set = [
  "StrataModelSource", "StrataSwiftSource", "StrataModelCompiler", "strata-model-compiler", "StrataSwiftDataExpansion",
  "StrataSwiftDataMacros",
]

// Compiling generic code once more for each of its types takes half of an optimized build. These modules go without it: their
// loops over rows are plain, or are in RowStore and SQLiteEngine. The measured paths take 1 to 7 % more instructions, and an
// entity's first fetch 0.04 ms. A save in MemoryStore would take 1.8 times as long, and all paths in ObjectGraph 1.1 to 2.3.
let withoutSpecialization = ifTried("-Xllvm", "-sil-disable-pass=generic-specializer")
let notSpecialized: Set = [
  "StrataFoundationGaps", "StrataManagedModel", "StrataSQLText", "StrataSQLStore", "StrataStoreCoordination",
]

// Swift finds a generic type's metadata by the type's name when it is first used, and for its keys searches all conformances of
// the program: 0.3 million instructions for each type. With this, it calls the type's own function instead. A program that
// opens a store and fetches takes 8 % fewer instructions, and its first fetch 6 %.
let metadataAccessors = ifTried("-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors")

// From tools version 6.2 on, SwiftPM takes such flags from a dependency too.
for target in targets where [.regular, .executable, .macro, .test].contains(target.type) {
  let (name, isOfPlugin) = (target.name, modulesOfThePlugin.contains(target.name))
  // The index for editors does not need the declarations of the system's modules again in each module that uses them.
  var debug = ["-index-ignore-system-modules", "-index-ignore-clang-modules"]
  var release: [String] = []
  if hasPrograms || target.type == .test {
    debug += isOfPlugin || compiledInBatches.contains(name) ? [] : asWhole
    debug += target.type == .test ? lineTablesOnly : []
  } else if framework.contains(where: { $0 === target }) {
    debug += (isOfPlugin ? asOneBatch : asWhole) + lineTablesOnly
    release += lineTablesOnly
  }
  release += optimizedForSize.contains(name) ? ["-Osize"] : notOptimized.contains(name) ? ["-Onone"] : []
  release += notSpecialized.contains(name) ? withoutSpecialization : []
  release += (framework + programs).contains { $0 === target } ? metadataAccessors : []
  target.swiftSettings! += [.unsafeFlags(debug, .when(configuration: .debug))]
  if !release.isEmpty { target.swiftSettings! += [.unsafeFlags(release, .when(configuration: .release))] }
  // It links in half the time of the default linker.
  if hasPrograms, target.type == .executable || name == "StrataTestSupport" {
    target.linkerSettings! += [.unsafeFlags(["-use-ld=lld"], .when(configuration: .debug))]
  }
}

// Tests/fuzz.sh builds the readers so that libFuzzer sees which of their edges ran: the variables have libFuzzer's library and
// a sanitizer, if any. The plugin's program has the instrumented readers of models in it.
if hasPrograms, let driver = Context.environment["STRATA_FUZZ_DRIVER"] {
  let sanitizers = ["fuzzer"] + [Context.environment["STRATA_FUZZ_SANITIZER"]].compactMap { $0 }
  let flags = SwiftSetting.unsafeFlags(["-sanitize=\(sanitizers.joined(separator: ","))", "-assert-config", "Debug"])
  for target in targets where target.type == .regular || target === fuzz { target.swiftSettings! += [flags] }
  // The readers of Quakes are internal, which matters to an optimized build.
  for target in programs where target.type == .regular { target.swiftSettings! += [.unsafeFlags(["-enable-testing"])] }
  fuzz.swiftSettings! += [.define("FUZZING")]
  for target in targets where [fuzz.name, "strata-model-compiler", "StrataSwiftDataMacros"].contains(target.name) {
    target.linkerSettings = [.unsafeFlags([driver]), .linkedLibrary("stdc++")]
  }
}
