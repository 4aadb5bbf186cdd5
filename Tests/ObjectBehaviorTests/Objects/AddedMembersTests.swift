import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Members that programs add to classes of the framework and of Foundation.
@Suite struct AddedMembersTests {
  private final class Drawer: NSManagedObject {
    subscript(name: String) -> Any? { name.uppercased() }
  }

  @MainActor @Test func `a subclass can have its own subscript`() throws {
    let entity = makeEntity("Drawer", [attribute("label")])
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel(entity))
    let drawer = Drawer(entity: entity, insertInto: nil)
    #expect(drawer["label"] as? String == "LABEL")
    let object: NSManagedObject = drawer
    object["label"] = "knives"
    #expect(object["label"] as? String == "knives")
    withExtendedLifetime(coordinator) {}
  }

  @Test func `a bundle returns the URLs of its model files`() throws {
    let folder = try TemporaryFolder.make().appendingPathComponent("Models.bundle")
    let versions = folder.appendingPathComponent("Books.momd")
    try FileManager.default.createDirectory(at: versions, withIntermediateDirectories: true)
    for name in ["Books", "Books 2"] { try Data().write(to: versions.appendingPathComponent("\(name).mom")) }
    let bundle = try #require(Bundle(url: folder))

    let models = bundle.urls(forResourcesWithExtension: "momd", subdirectory: nil) ?? []
    #expect(models.map(\.lastPathComponent) == ["Books.momd"])
    let found = models.flatMap {
      bundle.urls(forResourcesWithExtension: "mom", subdirectory: $0.lastPathComponent) ?? []
    }
    #expect(found.map { $0.deletingPathExtension().lastPathComponent }.sorted() == ["Books", "Books 2"])
    let foundation: [NSURL]? = bundle.urls(forResourcesWithExtension: "momd", subdirectory: nil)
    #expect(foundation?.count == 1)
  }
}
