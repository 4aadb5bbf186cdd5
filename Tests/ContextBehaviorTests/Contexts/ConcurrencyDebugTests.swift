import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Use of a context on a wrong queue, which traps while concurrency debugging is on.
@Suite struct ConcurrencyDebugTests {
  /// Call in a separate process, before its first context, because the setting affects the whole process.
  private static func container() throws -> NSPersistentContainer {
    setenv("COREDATA_CONCURRENCY_DEBUG", "1", 1)
    return try Store.memory.container()
  }

  private static func quake(in context: NSManagedObjectContext) throws -> NSManagedObject {
    try context.performAndWait {
      let quake = context.insert("Quake", ["magnitude": 5.0])
      try context.save()
      return quake
    }
  }

  private func expect(_ result: ExitTest.Result?, _ call: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let text = result.errorText
    let name = "+[NSManagedObjectContext __Multithreading_Violation_AllThatIsLeftToUsIsHonor__]"
    #expect(text.contains("\(name): \(call)"), "\(text)", sourceLocation: sourceLocation)
  }

  @Test func `reading an object on the wrong queue stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Self.container().newBackgroundContext()
      _ = try Self.quake(in: context).value(forKey: "magnitude")
    }
    expect(result, "Quake.magnitude was called outside of the own queue")
  }

  @Test func `changing an object on the wrong queue stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Self.container().newBackgroundContext()
      try Self.quake(in: context).setValue(1.0, forKey: "magnitude")
    }
    expect(result, "Quake.")
  }

  @Test func `reading a to-many relationship on the wrong queue stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Self.container().newBackgroundContext()
      let quake = try Self.quake(in: context)
      print((quake.value(forKey: "tags") as? NSSet)?.count ?? 0)
    }
    expect(result, "Quake.")
  }

  @Test func `using a context on the wrong queue stops the program`() async {
    let fetch = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Self.container().newBackgroundContext().fetch("Quake")
    }
    expect(fetch, "NSManagedObjectContext.fetch(_:)")
    let save = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.container().newBackgroundContext().save()
    }
    expect(save, "NSManagedObjectContext.save()")
    let insert = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Self.container().newBackgroundContext().insert("Quake")
    }
    expect(insert, "NSManagedObjectContext.insert(_:)")
  }

  @Test func `using a main-queue context on another thread stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let container = try Self.container()
      await Task.detached { _ = container.viewContext.hasChanges }.value
    }
    expect(result, "NSManagedObjectContext.hasChanges was called outside of the main queue")
  }

  @Test func `using objects and contexts on their own queues never stops the program`() async {
    await #expect(processExitsWith: .success) {
      let container = try Self.container()
      container.viewContext.automaticallyMergesChangesFromParent = true
      let outer = container.newBackgroundContext()
      let inner = container.newBackgroundContext()
      inner.automaticallyMergesChangesFromParent = true
      let child = outer.child(.privateQueueConcurrencyType)
      let quake = try Self.quake(in: outer)
      let id = quake.objectID
      try outer.performAndWait {
        // The outer queue is blocked, so its objects cannot change.
        try inner.performAndWait {
          quake.setValue(6.0, forKey: "magnitude")
          let count = try inner.fetch("Quake").count
          #expect(count == 1)
        }
        try outer.save()
      }
      try await child.perform {
        let region = child.insert("Region", ["name": "Tonga"])
        child.object(with: id).setValue(region, forKey: "region")
        try child.save()
      }
      try await outer.perform { try outer.save() }
      await inner.perform(schedule: .enqueued) { _ = inner.registeredObjects.map { $0.value(forKey: "region") } }
      try await MainActor.run {
        let count = try container.viewContext.fetch("Quake", "region.name == 'Tonga'").count
        #expect(count == 1)
        container.viewContext.reset()
      }
      // An object's ID, entity and context may be read on any queue.
      #expect(quake.objectID.entity.name == "Quake" && quake.managedObjectContext === outer)
    }
  }

  @Test func `the setting is read once, before the first context`() async {
    await #expect(processExitsWith: .success) {
      setenv("COREDATA_CONCURRENCY_DEBUG", "0", 1)
      let context = try Store.memory.container().newBackgroundContext()
      _ = try context.fetch("Quake")
      setenv("COREDATA_CONCURRENCY_DEBUG", "1", 1)
      _ = try context.fetch("Quake")
    }
  }

  /// Values that were read, and objects that were changed in the same event, are reached without the usual checks.
  @Test(arguments: ["read", "written", "visited"])
  func `the fast paths of typed properties check the queue`(_ use: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [use] in
      setenv("COREDATA_CONCURRENCY_DEBUG", "1", 1)
      let container = try Store.memory.library()
      let context = container.newBackgroundContext()
      let (book, page) = try context.performAndWait {
        let (book, page) = (Book(context: context), Page(context: context))
        (page.name, page.book) = ("1", book)
        if use == "visited" {
          try context.save()
          context.refreshAllObjects()
        }
        _ = (page.name, book.lists)
        return (book, page)
      }
      switch use {
      case "read": print(page.name as Any)
      case "written": page.name = "2"
      default: print(book.lists.count)
      }
    }
    expect(result, "\(use == "visited" ? "Book.lists" : "Page.name") was called outside of the own queue")
  }

  @Test func `checks are enabled by default in a debug build`() async {
    #if DEBUG
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      unsetenv("COREDATA_CONCURRENCY_DEBUG")
      _ = try Store.memory.container().newBackgroundContext().fetch("Quake")
    }
    expect(result, "NSManagedObjectContext.fetch(_:)")
    #else
    await #expect(processExitsWith: .success) {
      unsetenv("COREDATA_CONCURRENCY_DEBUG")
      _ = try Store.memory.container().newBackgroundContext().fetch("Quake")
    }
    #endif
  }
}
