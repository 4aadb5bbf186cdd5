import Foundation
import StrataTestSupport
import Testing

/// The check of packages by `coredata doctor`.
@Suite(.waitsForProcesses) struct ToolDoctorTests {
  /// Writes a package whose only target has a source, and returns its folder.
  private func package(_ tool: ToolHome, plugins: String, _ source: String) throws -> String {
    _ = try tool.home.write(
      "Books/Package.swift",
      """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Books", dependencies: [.package(path: "../Strata")],
        targets: [
          .target(
            name: "Books", dependencies: [.product(name: "CoreData", package: "Strata")], plugins: [\(plugins)])
        ])
      """)
    _ = try tool.home.write("Books/Sources/Books/Book.swift", source)
    return tool.path("Books")
  }

  private func finding(_ tool: ToolHome, _ folder: String, named name: String = "plugin") throws -> [String: Any]? {
    let variables = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""]
    let report = try tool.json("doctor", folder, variables: variables)
    let checks = report["checks"] as? [[String: Any]]
    return checks?.first { $0["name"] as? String == name }
  }

  private static let source = "import CoreData\nclass Book: NSManagedObject { @NSManaged var title: String }\n"

  @Test func `doctor names the plugin that a target with managed properties lacks`() throws {
    let tool = try ToolHome()
    let folder = try package(tool, plugins: "", Self.source)
    let found = try #require(try finding(tool, folder))
    #expect(found["state"] as? String == "fail")
    #expect(
      found["finding"] as? String
        == "the target Books has @NSManaged members in Book.swift, but not the plugin CoreDataModel")
    #expect((found["advice"] as? String)?.contains(#".plugin(name: "CoreDataModel", package: "Strata")"#) == true)
  }

  @Test func `doctor accepts a target with the plugin, and one that does not need it`() throws {
    let tool = try ToolHome()
    let plugin = #".plugin(name: "CoreDataModel", package: "Strata")"#
    let found = try finding(tool, try package(tool, plugins: plugin, Self.source))
    #expect(found?["state"] as? String == "ok", "\(String(describing: found))")
    let plain = "// Without @NSManaged members.\npublic let count = 1\n"
    #expect(try finding(tool, try package(tool, plugins: "", plain)) == nil)
  }

  @Test func `doctor checks the folder of a package as a folder of stores too`() throws {
    let tool = try ToolHome()
    let folder = try package(tool, plugins: "", "public let count = 1\n")
    let found = try #require(try finding(tool, folder, named: "folder"))
    #expect((found["finding"] as? String)?.contains(folder) == true)
  }

  @Test func `doctor reports the error of a manifest that cannot be read`() throws {
    let tool = try ToolHome()
    let folder = try package(tool, plugins: "nonsense", Self.source)
    let found = try #require(try finding(tool, folder))
    #expect(found["state"] as? String == "warn")
    let text = try #require(found["finding"] as? String)
    #expect(text.contains("cannot find 'nonsense' in scope"), "\(text)")
  }

  @Test func `doctor names the plugin that a target with a model lacks`() throws {
    let tool = try ToolHome()
    let folder = try package(tool, plugins: "", "public let count = 1\n")
    _ = try tool.home.write("Books/Sources/Books/Books.xcdatamodeld/Books.xcdatamodel/contents", "<model/>")
    let found = try #require(try finding(tool, folder))
    #expect(
      found["finding"] as? String
        == "the target Books has the model Books.xcdatamodeld, but not the plugin CoreDataModel")
  }
}
