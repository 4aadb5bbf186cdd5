import CoreData
import Foundation
import StrataTestSupport
import Testing

/// `coredata model` as run in a terminal.
@Suite(.waitsForProcesses) struct ToolModelTests {
  @Test func `the current version is printed with all its settings`() throws {
    let tool = try ToolHome()
    let (status, lines, errors) = try tool.run("model", "print", try tool.library())
    #expect(status == 0, "\(errors)")
    #expect(lines.first == "model Library, version Library 2")
    #expect(lines.contains("    name   String      required, renaming id title"), "\(lines)")
    #expect(lines.contains("    pages  Integer 32  required, default 0"), "\(lines)")
    #expect(lines.contains("    books  to many Book  optional, cascade, inverse author"), "\(lines)")
  }

  @Test func `a named version is printed as JSON`() throws {
    let tool = try ToolHome()
    let report = try tool.json("model", "print", try tool.library(), "--model-version", "Library 1")
    #expect(report["format_version"] as? Int == 1)
    #expect(report["versions"] as? [String] == ["Library 1", "Library 2"])
    let entity = try #require((report["entities"] as? [[String: Any]])?.first)
    #expect(entity["class_name"] as? String == "Book")
    let attributes = try #require(entity["attributes"] as? [[String: Any]])
    #expect(attributes.map { $0["name"] as? String } == ["pages", "shelf", "title"])
    #expect(attributes.first?["default_value"] as? Int == 0)
  }

  @Test func `hash prints the hashes of the model`() throws {
    let tool = try ToolHome()
    let path = try tool.library()
    let model = try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path)))
    let (status, lines, errors) = try tool.run("model", "hash", path)
    #expect(status == 0, "\(errors)")
    let hashes = model.entityVersionHashesByName.sorted { $0.key < $1.key }
    #expect(
      lines == hashes.map { "\($0.value.base64EncodedString())  \($0.key)" } + ["\(model.versionChecksum)  (checksum)"])
  }

  @Test func `print shows the model stored in a store`() throws {
    let tool = try ToolHome()
    let url = URL(fileURLWithPath: try tool.library())
    let model = try #require(NSManagedObjectModel(contentsOf: url))
    let store = tool.path("Library.sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: store))
    let printed = try tool.run("model", "print", store)
    #expect(printed.status == 0, "\(printed.errors)")
    #expect(printed.lines.dropFirst(2) == (try tool.run("model", "print", url.path)).lines.dropFirst(3))
    #expect(try tool.run("model", "hash", store).lines == (try tool.run("model", "hash", url.path)).lines)
  }

  @Test func `unreadable models are reported with their status`() throws {
    let tool = try ToolHome()
    let missing = try tool.run("model", "print", tool.path("None.xcdatamodeld"))
    #expect(missing.status == 3 && missing.errors.contains("the file or folder"), "\(missing)")
    let broken = try tool.model("Broken", [("Broken", "<entity/>")])
    let refused = try tool.run("model", "print", broken)
    #expect(refused.status == 4 && refused.errors.contains("contents:2: error: <entity> needs"), "\(refused)")
    let unknown = try tool.run("model", "print", try tool.library(), "--model-version", "Library 3")
    #expect(unknown.status == 3 && unknown.errors.contains("its versions are Library 1, Library 2"), "\(unknown)")
    let wrong = try tool.run("model", "print")
    #expect(wrong.status == 2 && wrong.lines.isEmpty, "\(wrong)")
    #expect(wrong.errors.contains("Usage: coredata model print"), "\(wrong)")
  }
}
