import CoreData
import Foundation
import StrataTestSupport
import SwiftData
import Testing

@Suite struct ContextTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func container() throws -> ModelContainer {
    try ModelContainer(for: Novel.self, configurations: ModelConfiguration(url: folder.url("Library.store")))
  }

  private func all(_ context: ModelContext) throws -> [Novel] {
    try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\Novel.title)]))
  }

  // MARK: Values

  @Test func `values of every type are stored`() throws {
    let context = ModelContext(try container())
    let novel = Novel(title: "Orlando", pages: 134)
    (novel.rating, novel.isRead, novel.added) = (4.5, true, Date(timeIntervalSinceReferenceDate: 7))
    (novel.cover, novel.page, novel.price) = (Data([1, 2]), URL(string: "https://example.org/o"), 9.99)
    (novel.number, novel.weight, novel.genre, novel.secondGenre) = (-3, 0.5, .love, .crime)
    let identifier = novel.identifier
    context.insert(novel)
    try context.save()

    let stored = try #require(try all(ModelContext(try container())).first)
    #expect(stored.title == "Orlando" && stored.pages == 134 && stored.rating == 4.5 && stored.isRead)
    #expect(stored.added == Date(timeIntervalSinceReferenceDate: 7) && stored.cover == Data([1, 2]))
    #expect(stored.page?.absoluteString == "https://example.org/o" && stored.price == 9.99)
    #expect(stored.number == -3 && stored.weight == 0.5 && stored.genre == .love && stored.secondGenre == .crime)
    #expect(stored.identifier == identifier && stored.writer == nil && stored.reviews.isEmpty)
    stored.rating = nil
    stored.secondGenre = nil
    #expect(stored.rating == nil && stored.secondGenre == nil)
  }

  @Test func `a context has one object for a model, and keeps transient values`() throws {
    let context = ModelContext(try container())
    let novel = Novel(title: "Orlando")
    novel.isOpen = true
    context.insert(novel)
    try context.save()
    #expect(try all(context).first === novel && novel.isOpen)
    #expect(context.model(for: novel.persistentModelID) as? Novel === novel)
    #expect(context.registeredModel(for: novel.persistentModelID) as Novel? === novel)
    let decoded = try JSONDecoder().decode(
      PersistentIdentifier.self, from: JSONEncoder().encode(novel.persistentModelID))
    #expect(decoded == novel.persistentModelID && context.model(for: decoded) as? Novel === novel)
  }

  // MARK: Relationships

  @Test func `inserting a model inserts what it is related to, and sets the inverse`() throws {
    let context = ModelContext(try container())
    let writer = Writer(name: "Virginia")
    let novel = Novel(title: "Orlando", writer: writer)
    novel.reviews = [Review(text: "Long"), Review(text: "Good")]
    context.insert(novel)
    #expect(writer.novels == [novel] && novel.reviews.map(\.novel) == [novel, novel])
    try context.save()

    let other = ModelContext(try container())
    let stored = try #require(try all(other).first)
    #expect(stored.writer?.name == "Virginia" && stored.reviews.map(\.text).sorted() == ["Good", "Long"])
    stored.writer?.novels.append(Novel(title: "Flush"))
    try other.save()
    #expect(try all(context).map(\.title) == ["Flush", "Orlando"])
    #expect(writer.novels.count == 2)
  }

  @Test func `a deletion applies the delete rules`() throws {
    let context = ModelContext(try container())
    let novel = Novel(title: "Orlando", writer: Writer(name: "Virginia"))
    novel.reviews = [Review(text: "Long")]
    context.insert(novel)
    try context.save()
    context.delete(novel)
    #expect(novel.isDeleted && context.hasChanges && context.deletedModelsArray.count == 1)
    try context.save()
    let counts = try [
      context.fetchCount(FetchDescriptor<Novel>()), context.fetchCount(FetchDescriptor<Review>()),
      context.fetchCount(FetchDescriptor<Writer>()),
    ]
    #expect(counts == [0, 0, 1])
  }

  // MARK: Saves

  @Test func `a saved model takes the place of another one with the same unique value`() throws {
    let container = try container()
    let (first, second) = (ModelContext(container), ModelContext(container))
    first.insert(Novel(title: "Orlando", pages: 1))
    try first.save()
    second.insert(Novel(title: "Orlando", pages: 2))
    try second.save()
    #expect(try all(ModelContext(container)).map(\.pages) == [2])
  }

  @Test func `a rollback discards changes`() throws {
    let context = ModelContext(try container())
    let novel = Novel(title: "Orlando")
    context.insert(novel)
    try context.save()
    novel.title = "Flush"
    context.insert(Novel(title: "The Waves"))
    #expect(context.hasChanges && context.insertedModelsArray.count == 1 && context.changedModelsArray.count == 1)
    context.rollback()
    #expect(!context.hasChanges && novel.title == "Orlando")
    #expect(try all(context) == [novel])
  }

  @Test func `contexts see what others save, on any thread`() async throws {
    let (container, other) = (try container(), try container())
    let context = ModelContext(container)
    let novel = Novel(title: "Orlando")
    context.insert(novel)
    try context.save()
    let id = novel.persistentModelID
    await Task.detached {
      let theirs = ModelContext(other)
      (theirs.model(for: id) as? Novel)?.pages = 9
      #expect(throws: Never.self) { try theirs.save() }
    }.value
    // The other coordinator's commit arrives by the store's signal.
    while novel.pages != 9 {
      try await Task.sleep(for: .milliseconds(5))
      context.processPendingChanges()
    }
    #expect(!context.hasChanges)
  }

  @MainActor @Test func `the main context saves by itself`() async throws {
    let container = try container()
    container.mainContext.insert(Novel(title: "Orlando"))
    while container.mainContext.hasChanges { try await Task.sleep(for: .milliseconds(5)) }
    #expect(try all(ModelContext(container)).map(\.title) == ["Orlando"])
  }

  // MARK: Fetches

  @Test func `a fetch selects, sorts and limits`() throws {
    let context = ModelContext(try container())
    let writer = Writer(name: "Virginia")
    for (index, title) in ["Flush", "Jacob", "Night", "Orlando"].enumerated() {
      context.insert(Novel(title: title, pages: 100 * index, writer: index > 1 ? writer : nil))
    }
    func titles(_ predicate: Predicate<Novel>?) throws -> [String] {
      try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\Novel.title)])).map(\.title)
    }
    for isSaved in [false, true] {
      if isSaved { try context.save() }
      #expect(try titles(#Predicate { $0.pages >= 100 && $0.pages < 300 }) == ["Jacob", "Night"])
      #expect(try titles(#Predicate { $0.writer?.name == "Virginia" }) == ["Night", "Orlando"])
      #expect(try titles(#Predicate { $0.title.contains("l") }) == ["Flush", "Orlando"])
      #expect(try titles(#Predicate { $0.rating == nil && $0.writer == nil }) == ["Flush", "Jacob"])
    }
    let id = writer.persistentModelID
    #expect(try titles(#Predicate { $0.writer?.persistentModelID == id }) == ["Night", "Orlando"])
    let crime = Novel.Genre.crime
    #expect(try titles(#Predicate { $0.genre == crime }).count == 4)
    var descriptor = FetchDescriptor(sortBy: [SortDescriptor(\Novel.pages, order: .reverse)])
    (descriptor.fetchLimit, descriptor.fetchOffset) = (2, 1)
    descriptor.relationshipKeyPathsForPrefetching = [\.writer]
    #expect(try context.fetch(descriptor).map(\.title) == ["Night", "Jacob"])
    let writers = FetchDescriptor<Writer>(predicate: #Predicate { $0.novels.contains { $0.pages > 250 } })
    #expect(try context.fetchCount(writers) == 1)
    #expect(try context.fetchIdentifiers(writers) == [id])
  }

  @Test func `predicates contain identifiers, decoded ones too`() throws {
    let context = ModelContext(try container())
    let writer = Writer(name: "Virginia")
    for title in ["Flush", "Orlando"] { context.insert(Novel(title: title, writer: writer)) }
    context.insert(Novel(title: "Emma"))
    try context.save()
    func titles(_ predicate: Predicate<Novel>) throws -> [String] {
      try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\Novel.title)])).map(\.title)
    }
    let known = try all(context).prefix(2).map(\.persistentModelID)
    let decoded = try JSONDecoder().decode([PersistentIdentifier].self, from: JSONEncoder().encode(known))
    for ids in [known, decoded] {
      let (first, members) = (ids[0], Set(ids))
      #expect(try titles(#Predicate { $0.persistentModelID == first }) == ["Emma"])
      #expect(try titles(#Predicate { ids.contains($0.persistentModelID) }) == ["Emma", "Flush"])
      #expect(try titles(#Predicate { members.contains($0.persistentModelID) }) == ["Emma", "Flush"])
      #expect(try titles(#Predicate { !members.contains($0.persistentModelID) }) == ["Orlando"])
    }
    let id = try JSONDecoder().decode(
      PersistentIdentifier.self, from: JSONEncoder().encode(writer.persistentModelID))
    #expect(try titles(#Predicate { $0.writer?.persistentModelID == id }) == ["Flush", "Orlando"])
    #expect(
      try context.fetchCount(FetchDescriptor<Novel>(predicate: #Predicate { $0.writer?.persistentModelID == id })) == 2)
  }

  @Test(arguments: [false, true])
  func `predicates search texts whatever their case`(savesFirst: Bool) throws {
    let context = ModelContext(try container())
    for title in ["Émile", "emilia", "EMIL", "Orlando"] { context.insert(Novel(title: title)) }
    if savesFirst { try context.save() }
    func titles(_ predicate: Predicate<Novel>) throws -> [String] {
      try context.fetch(FetchDescriptor(predicate: predicate)).map(\.title).sorted()
    }
    let (text, same) = ("emil", ComparisonResult.orderedSame)
    #expect(try titles(#Predicate { $0.title.localizedStandardContains(text) }) == ["EMIL", "emilia", "Émile"])
    #expect(try titles(#Predicate { !$0.title.localizedStandardContains("ORL") }).count == 3)
    #expect(try titles(#Predicate { $0.writer?.name.localizedStandardContains(text) == true }) == [])
    #expect(try titles(#Predicate { $0.title.caseInsensitiveCompare(text) == same }) == ["EMIL"])
    let all = #Predicate<Novel> { text.isEmpty || $0.title.localizedStandardContains(text) }
    #expect(try titles(all).count == 3)
    for novel in try context.fetch(FetchDescriptor<Novel>()) {
      #expect(try all.evaluate(novel) == (novel.title != "Orlando"), "\(novel.title)")
    }
  }

  @Test func `what a store cannot be asked for is an error`() throws {
    let context = ModelContext(try container())
    #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
      try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\Novel.title.count)]))
    }
    let error = #expect(throws: SwiftDataError.self) {
      try context.fetch(FetchDescriptor<Novel>(predicate: #Predicate { $0.title.hashValue == 1 }))
    }
    #expect(error == .unsupportedPredicate || error == .unsupportedKeyPath)
  }
}
