// swift-tools-version: 6.1

import PackageDescription

#if os(Linux)
let packages: [Package.Dependency] = [
  .package(name: "Strata", path: "../../.."),
  // For book-service only.
  .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
  .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
]
let coreData: [Target.Dependency] = [.product(name: "CoreData", package: "Strata")]
let models: [Target.PluginUsage] = [.plugin(name: "CoreDataModel", package: "Strata")]
let webServer: [Target.Dependency] = [
  .product(name: "Hummingbird", package: "hummingbird"),
  .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
]
#else
// Apple's platforms have the framework, and Xcode compiles models.
let packages: [Package.Dependency] = []
let coreData: [Target.Dependency] = []
let models: [Target.PluginUsage] = []
let webServer: [Target.Dependency] = []
#endif

// Clients of Strata as a dependency. Tests/run.sh runs their tests.
let package = Package(
  name: "Examples", platforms: [.macOS(.v15)], dependencies: packages,
  targets: [
    // MARK: A book shop: what libraries, programs and tests may do with models and classes

    // A library with a model of two versions and classes written by hand, generated, and mixed.
    .target(name: "Books", dependencies: coreData, path: "Sources/BookShop/Books", plugins: models),
    // A common target name: no target behind CoreData may use it.
    .target(name: "Shared", path: "Sources/BookShop/Shared"),
    // A second model, in the older language mode, that uses types of the library.
    .target(
      name: "Shop", dependencies: ["Books", "Shared"] + coreData, path: "Sources/BookShop/Shop",
      swiftSettings: [.swiftLanguageMode(.v5)], plugins: models),
    .executableTarget(name: "shop-report", dependencies: ["Shop"], path: "Sources/BookShop/shop-report"),
    // Tests with a class of their own, for a model built in code.
    .testTarget(name: "ShopTests", dependencies: ["Shop", "Books", "shop-report"], plugins: models),

    // MARK: Examples to copy from

    // The program of the article "Getting started".
    .executableTarget(name: "reading", dependencies: coreData, plugins: models),

    // Notes in a store that several processes share: `notes add|list|search|watch`.
    .executableTarget(name: "notes", dependencies: coreData, plugins: models),

    // The classic stack: a coordinator, and two contexts that merge each other's saves.
    .target(name: "ClassicStack", dependencies: coreData, plugins: models),
    // The container of Xcode's template, and one in a folder that processes share.
    .target(name: "Containers", dependencies: coreData, plugins: models),
    .executableTarget(name: "trip-log", dependencies: ["Containers"] + coreData),
    // Operations that import into children of the main context.
    .target(name: "ChildContexts", dependencies: coreData, plugins: models),
    // A stack whose store is opened while the program starts.
    .target(name: "AsyncStack", dependencies: coreData, plugins: models),
    // A model in two stores, one of them read-only, with relationships between them.
    .target(name: "TwoStores", dependencies: coreData, plugins: models),
    // An importer with a coordinator of its own, and a view that follows the history.
    .target(name: "Earthquakes", dependencies: coreData, plugins: models),
    // A server: one container, many tasks at a time.
    .executableTarget(name: "status-server", dependencies: coreData, plugins: models),
    // A web service: JSON over HTTP, several processes on one store.
    .executableTarget(name: "book-service", dependencies: coreData + webServer, plugins: models),
    // Two versions of a program on one store: the old one ends when the new one has migrated it.
    .target(name: "RollingUpgrade", dependencies: coreData, path: "Sources/RollingUpgrade/RollingUpgrade"),
    .executableTarget(
      name: "visitors-1", dependencies: ["RollingUpgrade"] + coreData, path: "Sources/RollingUpgrade/visitors-1",
      plugins: models),
    .executableTarget(
      name: "visitors-2", dependencies: ["RollingUpgrade"] + coreData, path: "Sources/RollingUpgrade/visitors-2",
      plugins: models),
    // Sources that build on Apple's platforms too.
    .target(name: "Portable", dependencies: coreData, plugins: models),

    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "reading", "notes", "ClassicStack", "Containers", "trip-log", "ChildContexts", "AsyncStack", "TwoStores",
        "Earthquakes", "status-server", "book-service", "RollingUpgrade", "visitors-1", "visitors-2", "Portable",
      ]),
  ]
)
