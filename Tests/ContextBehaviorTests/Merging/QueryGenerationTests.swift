import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Contexts pinned to a query generation.
@Suite struct QueryGenerationTests {
  private func pinned(_ container: NSPersistentContainer) throws -> NSManagedObjectContext {
    let context = container.newBackgroundContext()
    try context.performAndWait { try context.setQueryGenerationFrom(.current) }
    return context
  }

  private func container(_ codes: String...) throws -> NSPersistentContainer {
    let container = try Store.sqlite.container()
    try save(codes, in: container)
    return container
  }

  private func save(_ codes: [String], in container: NSPersistentContainer) throws {
    let writer = container.newBackgroundContext()
    try writer.performAndWait {
      for code in codes { _ = writer.insert("Quake", ["code": code, "magnitude": 1.0]) }
      try writer.save()
    }
  }

  private func change(_ id: NSManagedObjectID, _ magnitude: Double, in container: NSPersistentContainer) throws {
    let writer = container.newBackgroundContext()
    try writer.performAndWait {
      writer.object(with: id).setValue(magnitude, forKey: "magnitude")
      try writer.save()
    }
  }

  private func count(_ context: NSManagedObjectContext) throws -> Int {
    try context.performAndWait { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Quake")) }
  }

  @Test func `a pinned context does not see later commits`() throws {
    let container = try container("a", "b")
    let context = try pinned(container)
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
      request.includesPropertyValues = false
      let quakes = try context.fetch(request)
      try change(quakes[0].objectID, 9, in: container)
      try save(["c"], in: container)
      let fault = try #require(quakes.first)
      #expect(fault.isFault)
      #expect(fault.value(forKey: "magnitude") as? Double == 1)
      #expect(try context.fetch("Quake").count == 2)
      #expect(try context.fetch("Quake", "magnitude == 9").isEmpty)
      #expect(try count(context) == 2)
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Quake")
      ids.resultType = .managedObjectIDResultType
      #expect(try context.fetch(ids).count == 2)
    }
    #expect(try count(container.newBackgroundContext()) == 3)
  }

  @Test func `a pinned context does not see later relationship changes`() throws {
    let container = try Store.sqlite.container()
    let writer = container.newBackgroundContext()
    let id = try writer.performAndWait {
      let region = writer.insert("Region", ["name": "Tonga"])
      _ = writer.insert("Quake", ["region": region])
      try writer.save()
      return region.objectID
    }
    let context = try pinned(container)
    try context.performAndWait {
      let region = context.object(with: id)
      #expect(region.value(forKey: "name") as? String == "Tonga")
      try writer.performAndWait {
        _ = writer.insert("Quake", ["region": writer.object(with: id)])
        try writer.save()
      }
      #expect((region.value(forKey: "quakes") as? NSSet)?.count == 1)
      #expect(try context.fetch("Region", "quakes.@count == 2").isEmpty)
    }
  }

  @Test func `the current token pins a context at its next read`() throws {
    let container = try container("a")
    let context = try pinned(container)
    context.performAndWait { #expect(context.queryGenerationToken == .current) }
    try save(["b"], in: container)
    #expect(try count(context) == 2)
    context.performAndWait {
      #expect(context.queryGenerationToken != nil && context.queryGenerationToken != .current)
    }
    try save(["c"], in: container)
    #expect(try count(context) == 2)
  }

  @Test func `a nil token unpins a context`() throws {
    let container = try container("a")
    let context = try pinned(container)
    #expect(try count(context) == 1)
    try save(["b"], in: container)
    try context.performAndWait { try context.setQueryGenerationFrom(nil) }
    #expect(context.performAndWait { context.queryGenerationToken } == nil)
    #expect(try count(context) == 2)
  }

  @Test func `a token of another context selects the same query generation`() throws {
    let container = try container("a")
    let first = try pinned(container)
    #expect(try count(first) == 1)
    try save(["b"], in: container)
    let second = container.newBackgroundContext()
    try second.performAndWait { try second.setQueryGenerationFrom(first.performAndWait { first.queryGenerationToken }) }
    #expect(try count(second) == 1)
    #expect(
      first.performAndWait { first.queryGenerationToken } == second.performAndWait { second.queryGenerationToken })
    // The snapshot is held as long as one context uses it.
    try first.performAndWait { try first.setQueryGenerationFrom(nil) }
    #expect(try count(first) == 2)
    #expect(try count(second) == 1)
  }

  @Test func `two contexts share a query generation`() async throws {
    let container = try container("a", "b")
    let first = try pinned(container)
    #expect(try count(first) == 2)
    try save(["c"], in: container)
    let token = first.performAndWait { first.queryGenerationToken }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let context = container.newBackgroundContext()
          return try await context.perform {
            try context.setQueryGenerationFrom(token)
            return try (0..<50).reduce(0) { sum, _ in
              context.reset()
              try context.setQueryGenerationFrom(token)
              return sum + (try context.fetch("Quake").count { $0.value(forKey: "code") != nil })
            }
          }
        }
      }
      for try await sum in group { #expect(sum == 100) }
    }
  }

  @Test func `a save, a merge or a reset advances a pinned context`() throws {
    let container = try container("a")
    let context = try pinned(container)
    for (number, advance) in [
      {
        context.insert("Tag").setValue("x", forKey: "name")
        try context.save()
      },
      { context.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave)) },
      { context.reset() },
    ].enumerated() as EnumeratedSequence<[() throws -> Void]> {
      let before = try count(context)
      try save(["\(number)"], in: container)
      #expect(try count(context) == before)
      try context.performAndWait { try advance() }
      #expect(context.performAndWait { context.queryGenerationToken } == .current)
      #expect(try count(context) == before + 1)
    }
  }

  @Test func `a pinned context reads the new row after a merge`() throws {
    let container = try container("a")
    let context = try pinned(container)
    let quake = try context.performAndWait { try #require(try context.fetch("Quake").first) }
    let writer = container.newBackgroundContext()
    nonisolated(unsafe) var saved: Notification?
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
    ) { saved = $0 }
    defer { NotificationCenter.default.removeObserver(observer) }
    try context.performAndWait {
      #expect(quake.value(forKey: "magnitude") as? Double == 1)
      try writer.performAndWait {
        writer.object(with: quake.objectID).setValue(5.0, forKey: "magnitude")
        try writer.save()
      }
      context.mergeChanges(fromContextDidSave: try #require(saved))
      #expect(quake.value(forKey: "magnitude") as? Double == 5)
    }
  }

  @Test func `a refresh reads the pinned query generation`() throws {
    let container = try container("a")
    let context = try pinned(container)
    try context.performAndWait {
      let quake = try #require(try context.fetch("Quake").first)
      #expect(quake.value(forKey: "magnitude") as? Double == 1)
      try change(quake.objectID, 9, in: container)
      context.refreshAllObjects()
      #expect(quake.value(forKey: "magnitude") as? Double == 1)
      // A new generation does not refresh objects.
      try context.setQueryGenerationFrom(.current)
      #expect(quake.value(forKey: "magnitude") as? Double == 1)
      context.refreshAllObjects()
      #expect(quake.value(forKey: "magnitude") as? Double == 9)
    }
  }

  @Test func `children read the query generation of their parent`() throws {
    let container = try container("a")
    let parent = try pinned(container)
    let child = parent.child(.privateQueueConcurrencyType)
    #expect(try count(child) == 1)
    try save(["b"], in: container)
    #expect(try count(child) == 1)
    child.performAndWait {
      #expect(child.queryGenerationToken == nil)
      #expect { try child.setQueryGenerationFrom(.current) } throws: {
        ($0 as? CocoaError)?.code == .persistentStoreUnsupportedRequestType
      }
    }
    try parent.performAndWait { try parent.setQueryGenerationFrom(nil) }
    #expect(try count(child) == 2)
  }

  @Test func `an in-memory store leaves the context unpinned`() throws {
    let container = try Store.memory.container()
    let context = try pinned(container)
    #expect(try count(context) == 0)
    try save(["a"], in: container)
    #expect(try count(context) == 1)
    #expect(context.performAndWait { context.queryGenerationToken } == nil)
  }

  @Test func `a journal other than WAL leaves the context unpinned`() throws {
    let container = try Store.sqlite.container()
    let description = try #require(container.persistentStoreDescriptions.first)
    let other = NSPersistentContainer(name: "Delete", managedObjectModel: Quakes.model)
    let url = try #require(description.url).deletingLastPathComponent().appendingPathComponent("Delete.sqlite")
    other.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    other.persistentStoreDescriptions[0].setValue("DELETE" as NSString, forPragmaNamed: "journal_mode")
    try other.load()
    let context = try pinned(other)
    #expect(try count(context) == 0)
    try save(["a"], in: other)
    #expect(try count(context) == 1)
    #expect(context.performAndWait { context.queryGenerationToken } == nil)
  }

  @Test func `a save from an old query generation conflicts with current rows`() throws {
    let container = try container("a")
    let context = try pinned(container)
    try context.performAndWait {
      let quake = try #require(try context.fetch("Quake").first)
      try change(quake.objectID, 9, in: container)
      quake.setValue(3.0, forKey: "magnitude")
      #expect { try context.save() } throws: { ($0 as? CocoaError)?.code == .managedObjectMerge }
    }
  }

  @Test func `a pinned context ignores a store that is added later`() throws {
    let container = try container("a")
    let context = try pinned(container)
    #expect(try count(context) == 1)
    let url = try #require(container.persistentStoreDescriptions[0].url)
    let second = url.deletingLastPathComponent().appendingPathComponent("Second.sqlite")
    let filler = NSPersistentContainer(name: "Second", managedObjectModel: Quakes.model)
    filler.persistentStoreDescriptions = [NSPersistentStoreDescription(url: second)]
    try filler.load()
    try save(["second"], in: filler)
    _ = try container.persistentStoreCoordinator.addPersistentStore(type: .sqlite, at: second)
    #expect(try count(context) == 1)
    try context.performAndWait { try context.setQueryGenerationFrom(.current) }
    #expect(try count(context) == 2)
  }

  @Test func `a pinned context throws after its store is removed`() throws {
    let container = try container("a")
    let context = try pinned(container)
    #expect(try count(context) == 1)
    let coordinator = container.persistentStoreCoordinator
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    #expect(throws: CocoaError.self) { try count(context) }
  }

  @Test func `a token of another coordinator is rejected`() throws {
    let first = try pinned(try container("a"))
    #expect(try count(first) == 1)
    let other = try container("b").newBackgroundContext()
    let token = first.performAndWait { first.queryGenerationToken }
    #expect(throws: CocoaError.self) { try other.performAndWait { try other.setQueryGenerationFrom(token) } }
  }

  @Test func `a context pinned with an explicit token does not merge commits`() async throws {
    let container = try container("a")
    let merging = try pinned(container)
    let pinnedToToken = container.newBackgroundContext()
    #expect(try count(merging) == 1)
    let token = merging.performAndWait { merging.queryGenerationToken }
    try pinnedToToken.performAndWait { try pinnedToToken.setQueryGenerationFrom(token) }
    for context in [merging, pinnedToToken] {
      context.performAndWait { context.automaticallyMergesChangesFromParent = true }
    }
    try save(["b"], in: container)
    // Merges are queued on the contexts' queues before these blocks.
    #expect(try await merging.perform(schedule: .enqueued) { try count(merging) } == 2)
    #expect(try await pinnedToToken.perform(schedule: .enqueued) { try count(pinnedToToken) } == 1)
  }

  @Test func `query generation tokens can be copied and archived`() throws {
    let context = try pinned(try container("a"))
    #expect(try count(context) == 1)
    let token = try #require(context.performAndWait { context.queryGenerationToken })
    for token in [token, .current] {
      #expect(token.copy() as? NSQueryGenerationToken == token)
      let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
      #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: data) == token)
    }
    #expect(token != .current)
  }
}
