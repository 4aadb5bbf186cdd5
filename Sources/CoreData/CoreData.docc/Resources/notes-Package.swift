// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Notes",
  dependencies: [.package(name: "Strata", path: "../Strata")],
  targets: [
    .executableTarget(
      name: "notes",
      dependencies: [.product(name: "CoreData", package: "Strata")],
      plugins: [.plugin(name: "CoreDataModel", package: "Strata")])
  ]
)
