import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// The asynchronous sequence of a context's object changes.
@Suite struct ContextChangeTests {
  @Test(arguments: Store.allCases) @MainActor
  func `changes carry object IDs`(_ store: Store) async throws {
    let context = try store.container().viewContext
    var changes = context.changes.makeAsyncIterator()
    let quake = context.insert("Quake", ["code": "a"])
    context.processPendingChanges()
    let temporary = quake.objectID
    var change = try #require(await changes.next())
    #expect(change.inserted == [temporary] && change.updated.isEmpty && change.deleted.isEmpty)
    try context.save()
    change = try #require(await changes.next())
    #expect(change.permanentIDs == [temporary: quake.objectID] && change.inserted.isEmpty)
    quake.setValue("b", forKey: "code")
    context.processPendingChanges()
    change = try #require(await changes.next())
    #expect(change.updated == [quake.objectID] && change.refreshed.isEmpty)
    context.refresh(quake, mergeChanges: false)
    context.processPendingChanges()
    change = try #require(await changes.next())
    #expect(change.refreshed == [quake.objectID])
    context.delete(quake)
    try context.save()
    change = try #require(await changes.next())
    #expect(change.deleted == [quake.objectID] && !change.invalidatesAll)
    context.reset()
    change = try #require(await changes.next())
    #expect(change.invalidatesAll)
  }

  @Test @MainActor func `changes during one iteration arrive as one element`() async throws {
    let context = try Store.memory.container().viewContext
    var changes = context.changes.makeAsyncIterator()
    let quakes = ["a", "b", "c"].map { context.insert("Quake", ["code": $0]) }
    try context.save()
    quakes[0].setValue("d", forKey: "code")
    context.processPendingChanges()
    context.delete(quakes[1])
    try context.save()
    let change = try #require(await changes.next())
    #expect(change.inserted == [quakes[0].objectID, quakes[2].objectID])
    #expect(change.updated == [quakes[0].objectID] && change.deleted == [quakes[1].objectID])
    #expect(change.permanentIDs.isEmpty && change.inserted.allSatisfy { !$0.isTemporaryID })
  }

  @Test func `no change is lost between tasks`() async throws {
    let container = try Store.memory.container()
    let context = container.newBackgroundContext()
    let changes = context.changes.makeAsyncIterator()
    let reader = Task {
      var changes = changes
      var seen = Set<NSManagedObjectID>()
      while seen.count < 300, let change = await changes.next() {
        seen.formUnion(change.inserted)
      }
      return seen
    }
    for number in 0..<300 {
      try await context.perform {
        _ = context.insert("Quake", ["code": "\(number)"])
        try context.save()
      }
    }
    #expect(await reader.value.count == 300)
  }

  @Test(.endsEventually) func `canceling its task ends the loop`() async throws {
    let container = try Store.memory.container()
    let changes = container.newBackgroundContext().changes
    let context = container.newBackgroundContext()
    let loop = Task { for await _ in context.changes {} }
    loop.cancel()
    await loop.value
    // The context of `changes` no longer exists.
    for await _ in changes {}
  }

  @Test(.endsEventually) func `releasing its context ends the loop`() async throws {
    let container = try Store.memory.container()
    var context: NSManagedObjectContext? = container.newBackgroundContext()
    let changes = try #require(context).changes.makeAsyncIterator()
    let loop = Task {
      var changes = changes
      var count = 0
      while await changes.next() != nil { count += 1 }
      return count
    }
    context?.performAndWait { _ = context?.insert("Quake") }
    context = nil
    #expect(await loop.value <= 1)
  }
}
