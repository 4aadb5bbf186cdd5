import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// A store that programs open through different paths is one store.
@Suite struct LinkedStoreTests {
  private func link(to url: URL) throws -> URL {
    let link = try TemporaryFolder.make().appendingPathComponent("Link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    return link
  }

  private func eventually(_ isTrue: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<60_000 {
      if try isTrue() { return true }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return false
  }

  @Test func `coordinators merge what is saved through a link and directly`() throws {
    let direct = try QuakeHistory.container(remote: true)
    let link = try link(to: direct.url)
    let linked = try QuakeHistory.container(at: link, remote: true)
    #expect(linked.url == link)
    func codes(_ context: NSManagedObjectContext) throws -> [String] {
      try context.performAndWait {
        let held = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Quake"))
        return held.compactMap { $0.value(forKey: "code") as? String }.sorted()
      }
    }
    let contexts = [direct, linked].map { container in
      let context = container.newBackgroundContext()
      context.automaticallyMergesChangesFromParent = true
      return context
    }
    for round in 0..<5 {
      try direct.save("d\(round)")
      try linked.save("l\(round)")
    }
    let expected = (0..<5).map { "d\($0)" } + (0..<5).map { "l\($0)" }
    for context in contexts { #expect(try eventually { try codes(context) == expected }) }
    // Each container receives the other's changes to registered objects.
    let held = try contexts[0].performAndWait {
      try contexts[0].fetch(NSFetchRequest<NSManagedObject>(entityName: "Quake")).first {
        $0.value(forKey: "code") as? String == "d0"
      }
    }
    let quake = try #require(held)
    let other = linked.newBackgroundContext()
    try other.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
      request.predicate = NSPredicate(format: "code == 'd0'")
      try other.fetch(request).first?.setValue("changed", forKey: "code")
      try other.save()
    }
    #expect(eventually { contexts[0].performAndWait { quake.value(forKey: "code") as? String == "changed" } })
    let folder = link.deletingLastPathComponent().path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["Link.sqlite"])
  }

  @Test func `a coordinator finds its store through a link`() throws {
    let container = try QuakeHistory.container()
    let coordinator = container.persistentStoreCoordinator
    let link = try link(to: container.url)
    #expect(coordinator.persistentStore(for: link) === coordinator.persistentStores[0])
    #expect(coordinator.persistentStore(for: link.deletingLastPathComponent().appendingPathComponent("x")) == nil)
    // A container does not load the same store twice.
    container.persistentStoreDescriptions.append(NSPersistentStoreDescription(url: link))
    var count = 0
    container.loadPersistentStores { _, _ in count += 1 }
    #expect(coordinator.persistentStores.count == 1)
  }

  @Test func `a store with two hard links is refused with an explanation`() throws {
    let container = try QuakeHistory.container()
    let url = container.url
    let other = url.deletingLastPathComponent().appendingPathComponent("Other.sqlite")
    try FileManager.default.linkItem(at: url, to: other)
    let error = #expect(throws: CocoaError.self) { try QuakeHistory.container(at: other) }
    #expect(error?.localizedDescription.contains("hard links") == true, "\(String(describing: error))")
    try FileManager.default.removeItem(at: other)
    try container.save("a")
  }
}
