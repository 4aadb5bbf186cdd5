import Foundation
import StrataTestSupport
import SwiftData
import Synchronization
import Testing

/// Fetches and deletions of many models, and the notifications of saves.
@Suite struct BatchTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    container = try ModelContainer(for: Novel.self, configurations: ModelConfiguration(url: folder.url("Novels.store")))
    context = ModelContext(container)
    for number in 0..<25 { context.insert(Novel(title: "\(number)", pages: number)) }
    try context.save()
  }

  private let byPages = FetchDescriptor(sortBy: [SortDescriptor(\Novel.pages)])

  // MARK: Fetches

  @Test(arguments: [0, 1, 7, 25, 100])
  func `a fetch in batches has all models in order`(size: Int) throws {
    let novels = try ModelContext(container).fetch(byPages, batchSize: size)
    #expect(novels.map(\.pages) == Array(0..<25) && novels.count == 25 && novels[13].title == "13")
    #expect(Array(novels.reversed()).first?.pages == 24 && novels[20..<22].map(\.pages) == [20, 21])
    let ids = try context.fetchIdentifiers(byPages, batchSize: size)
    #expect(Array(ids) == (try context.fetchIdentifiers(byPages)))
  }

  @Test func `a fetch in batches includes no unsaved changes`() throws {
    context.insert(Novel(title: "new"))
    #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) { try context.fetch(byPages, batchSize: 5) }
    var descriptor = byPages
    descriptor.includePendingChanges = false
    #expect(try context.fetch(descriptor, batchSize: 5).count == 25)
  }

  @Test func `an enumeration passes each model and releases it`() throws {
    let context = ModelContext(container)
    weak var first: Novel?
    var pages: [Int] = []
    try context.enumerate(byPages, batchSize: 4) { novel in
      pages.append(novel.pages)
      if novel.pages == 0 { first = novel }
      if novel.pages == 4 { #expect(first == nil) }
    }
    #expect(pages == Array(0..<25))
  }

  @Test func `an enumeration leaves out what its block has deleted and saved`() throws {
    var pages: [Int] = []
    try context.enumerate(byPages, batchSize: 1) { novel in
      pages.append(novel.pages)
      guard let next = try context.fetch(byPages).first(where: { $0.pages == novel.pages + 1 }) else { return }
      context.delete(next)
      try context.save()
    }
    #expect(pages == Array(stride(from: 0, to: 25, by: 2)))
  }

  @Test func `an enumeration keeps changes and ends with the block's error`() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try context.enumerate(byPages, batchSize: 4) { novel in
        novel.isRead = true
        if novel.pages == 5 { throw Stop() }
      }
    }
    #expect(context.changedModelsArray.count == 6)
  }

  // MARK: Deletions

  @Test func `a batch deletion removes what fulfills the condition`() throws {
    let (kept, gone) = (try context.fetch(byPages)[3], try context.fetch(byPages)[20])
    context.insert(Novel(title: "unsaved", pages: 50))
    try context.delete(model: Novel.self, where: #Predicate { $0.pages >= 10 })
    #expect(try context.fetchCount(byPages) == 10 && kept.pages == 3)
    #expect(gone.modelContext == nil || gone.isDeleted)
    #expect(try ModelContext(container).fetchCount(byPages) == 10)
    try context.save()
    #expect(try ModelContext(container).fetchCount(byPages) == 10)
  }

  @Test func `a batch deletion without a condition removes all models of the class`() throws {
    let other = ModelContext(container)
    let novel = try #require(try other.fetch(byPages).first)
    try context.delete(model: Novel.self)
    #expect(try other.fetchCount(byPages) == 0 && novel.modelContext == nil)
  }

  @Test func `a batch deletion that fails deletes no new model`() throws {
    let new = Novel(title: "new")
    context.insert(new)
    #expect(throws: SwiftDataError.unsupportedPredicate) {
      try context.delete(model: Novel.self, where: #Predicate { $0.title == "new" || $0.isOpen })
    }
    #expect(!new.isDeleted)
    try context.delete(model: Novel.self, where: #Predicate { $0.title == "new" })
    #expect(new.isDeleted && context.hasChanges)
  }

  @Test func `a condition that a store cannot test deletes nothing`() throws {
    #expect(throws: SwiftDataError.unsupportedPredicate) {
      try context.delete(model: Novel.self, where: #Predicate { $0.isOpen })
    }
    #expect(try context.fetchCount(byPages) == 25)
  }

  // MARK: Notifications

  @Test func `a save posts what it writes`() throws {
    let posted = Mutex<[(Notification.Name, [String: [PersistentIdentifier]])]>([])
    let observers = [ModelContext.willSave, ModelContext.didSave].map { name in
      NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { notification in
        let lists = notification.userInfo as? [String: [PersistentIdentifier]] ?? [:]
        posted.withLock { $0.append((name, lists)) }
      }
    }
    defer { observers.forEach(NotificationCenter.default.removeObserver) }
    try context.save()
    #expect(posted.withLock { $0.isEmpty })
    let novels = try context.fetch(byPages)
    novels[0].isRead = true
    context.delete(novels[1])
    let new = Novel(title: "new")
    context.insert(new)
    let temporary = new.persistentModelID
    try context.save()
    let both = posted.withLock { $0 }
    #expect(both.map(\.0) == [ModelContext.willSave, ModelContext.didSave])
    for (name, lists) in both {
      let id = name == ModelContext.willSave ? temporary : new.persistentModelID
      #expect(lists[ModelContext.NotificationKey.insertedIdentifiers.rawValue] == [id])
      #expect(lists[ModelContext.NotificationKey.updatedIdentifiers.rawValue] == [novels[0].persistentModelID])
      #expect(lists[ModelContext.NotificationKey.deletedIdentifiers.rawValue] == [novels[1].persistentModelID])
    }
  }
}
