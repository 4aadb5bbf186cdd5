import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Replacing a store with a copy while other processes have it open.
@Suite struct RestoredStoreTests {
  /// Observes a store as another process does, and keeps all of its quakes.
  private final class Observer {
    let container: NSPersistentContainer
    let context: NSManagedObjectContext
    private var quakes: [NSManagedObject] = []

    init(at url: URL) throws {
      container = try QuakeHistory.container(at: url, remote: true)
      context = container.newBackgroundContext()
      context.automaticallyMergesChangesFromParent = true
      try context.performAndWait {
        quakes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Quake"))
        for quake in quakes { _ = quake.value(forKey: "code") }
      }
    }

    /// The codes of the registered quakes, without a fetch.
    var codes: [String] {
      context.performAndWait {
        quakes.filter { !$0.isDeleted && $0.managedObjectContext != nil }.map {
          $0.value(forKey: "code") as? String ?? ""
        }
        .sorted()
      }
    }
  }

  private static func codes(at url: URL) throws -> [String] {
    let container = try QuakeHistory.container(at: url)
    return try container.viewContext.performAndWait {
      try container.viewContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "Quake"))
        .map { $0.value(forKey: "code") as? String ?? "" }.sorted()
    }
  }

  /// Changes the code of the first quake, as another process does.
  private static func change(to code: String, at url: URL) throws {
    let container = try QuakeHistory.container(at: url)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
      request.fetchLimit = 1
      try context.fetch(request).first?.setValue(code, forKey: "code")
      try context.save()
    }
  }

  private func eventually(_ isTrue: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<60_000 {
      if try isTrue() { return true }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return false
  }

  /// - Parameters:
  ///   - isBackup: whether the copy is an older state of the same store; otherwise it is a store of another UUID.
  ///   - changes: the number of saves of the original before the copy, of the copy, and of the original after it was
  ///     replaced.
  @Test(
    arguments: [true, false], [(1, 3, 1), (2, 0, 2), (1, 3, 5), (0, 2, 0), (3, 0, 12), (0, 9, 0), (0, 4, 0), (0, 5, 0)])
  func `an observing process continues in the copy that replaces its store`(
    isBackup: Bool, changes: (before: Int, copy: Int, after: Int)
  ) throws {
    let original = try QuakeHistory.container()
    let url = original.url
    try original.save("first")
    for number in 0..<changes.before { try Self.change(to: "before \(number)", at: url) }
    let copy = try TemporaryFolder.make().appendingPathComponent("Copy.sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: QuakeHistory.model)
    if isBackup {
      try coordinator.replacePersistentStore(at: copy, withPersistentStoreFrom: url, type: .sqlite)
    } else {
      try QuakeHistory.container(at: copy).save("other")
    }
    for number in 0..<changes.copy { try Self.change(to: "copy \(number)", at: copy) }
    for number in 0..<3 { try Self.change(to: "lost \(number)", at: url) }
    let observer = try Observer(at: url)
    #expect(observer.codes == ["lost 2"])
    try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: copy, type: .sqlite)
    for number in 0..<changes.after { try Self.change(to: "after \(number)", at: url) }
    let expected = try Self.codes(at: url)
    #expect(eventually { observer.codes == expected }, "\(observer.codes) for \(expected)")
    try Self.change(to: "last", at: url)
    #expect(eventually { observer.codes == ["last"] }, "\(observer.codes)")
  }
}
