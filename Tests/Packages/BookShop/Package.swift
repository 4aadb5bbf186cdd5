// swift-tools-version: 6.1

import PackageDescription

// A typical client of Strata as a dependency. Tests/run.sh runs its tests.
let package = Package(
  name: "BookShop",
  dependencies: [.package(name: "Strata", path: "../../..")],
  targets: [
    // A library with a model of two versions and classes written by hand, generated, and mixed.
    .target(
      name: "Books", dependencies: [.product(name: "CoreData", package: "Strata")],
      plugins: [.plugin(name: "CoreDataModel", package: "Strata")]),
    // A common target name: no target behind CoreData may use it.
    .target(name: "Shared"),
    // A second model, in the older language mode, that uses types of the library.
    .target(
      name: "Shop", dependencies: ["Books", "Shared", .product(name: "CoreData", package: "Strata")],
      swiftSettings: [.swiftLanguageMode(.v5)],
      plugins: [.plugin(name: "CoreDataModel", package: "Strata")]),
    .executableTarget(name: "shop-report", dependencies: ["Shop"]),
    // Tests with a class of their own, for a model built in code.
    .testTarget(
      name: "ShopTests", dependencies: ["Shop", "Books", "shop-report"],
      plugins: [.plugin(name: "CoreDataModel", package: "Strata")]),
  ]
)
