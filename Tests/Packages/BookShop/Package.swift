// swift-tools-version: 6.1

import PackageDescription

// A program as somebody writes it who has Strata from elsewhere. Its tests are run by Tests/run.sh.
let package = Package(
  name: "BookShop",
  dependencies: [.package(name: "Strata", path: "../../..")],
  targets: [
    // A library with a model of two versions: classes by hand, by the build, and half and half.
    .target(
      name: "Books", dependencies: [.product(name: "CoreData", package: "Strata")],
      plugins: [.plugin(name: "CoreDataModel", package: "Strata")]),
    // A name that half of all programs have: no target behind CoreData may take it.
    .target(name: "Shared"),
    // A second model, in the older language mode, with types of the library.
    .target(
      name: "Shop", dependencies: ["Books", "Shared", .product(name: "CoreData", package: "Strata")],
      swiftSettings: [.swiftLanguageMode(.v5)],
      plugins: [.plugin(name: "CoreDataModel", package: "Strata")]),
    .executableTarget(name: "shop-report", dependencies: ["Shop"]),
    // Tests with a class of their own, for a model that is made in code.
    .testTarget(
      name: "ShopTests", dependencies: ["Shop", "Books", "shop-report"],
      plugins: [.plugin(name: "CoreDataModel", package: "Strata")]),
  ]
)
