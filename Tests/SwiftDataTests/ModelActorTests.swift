import Foundation
import StrataTestSupport
import SwiftData
import Testing

@Suite struct ModelActorTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer

  init() throws {
    folder = try TemporaryFolder()
    container = try ModelContainer(for: Novel.self, configurations: ModelConfiguration(url: folder.url("Novels.store")))
  }

  @Test func `an actor uses a context of its own`() async throws {
    let librarian = Librarian(modelContainer: container)
    let ids = try await librarian.add(["Orlando", "Flush"])
    #expect(ids.count == 2 && librarian.modelContainer == container)
    #expect(try await librarian.title(of: ids[0]) == "Orlando")
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Novel>()) == 2)
  }

  @Test func `an identifier without a model gives nil`() async throws {
    let librarian = Librarian(modelContainer: container)
    let id = try await librarian.add(["Orlando"])[0]
    try await librarian.remove(id)
    #expect(try await librarian.title(of: id) == nil)
  }

  @Test func `many actors write one store`() async throws {
    let container = container
    try await withThrowingTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          let librarian = Librarian(modelContainer: container)
          for book in 0..<10 { _ = try await librarian.add(["\(number)-\(book)"]) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Novel>()) == 80)
  }

  @Test func `an actor's calls run one at a time`() async throws {
    let librarian = Librarian(modelContainer: container)
    await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { await librarian.count() } }
    }
    #expect(await librarian.counted == 100)
  }

  @MainActor @Test func `an actor of the main context runs on the main queue`() async {
    DispatchQueue.main.setSpecific(key: MainLibrarian.key, value: true)
    let executor = DefaultSerialModelExecutor(modelContext: container.mainContext)
    #expect(await MainLibrarian(executor, container).isOnMainQueue)
    DispatchQueue.main.setSpecific(key: MainLibrarian.key, value: nil)
  }
}

@ModelActor private actor Librarian {
  private(set) var counted = 0

  func count() { counted += 1 }

  func add(_ titles: [String]) throws -> [PersistentIdentifier] {
    let novels = titles.map { Novel(title: $0) }
    for novel in novels { modelContext.insert(novel) }
    try modelContext.save()
    return novels.map(\.persistentModelID)
  }

  func title(of id: PersistentIdentifier) throws -> String? { self[id, as: Novel.self]?.title }

  func remove(_ id: PersistentIdentifier) throws {
    if let novel = self[id, as: Novel.self] { modelContext.delete(novel) }
    try modelContext.save()
  }
}

private actor MainLibrarian: ModelActor {
  nonisolated let modelExecutor: any ModelExecutor
  nonisolated let modelContainer: ModelContainer

  init(_ executor: DefaultSerialModelExecutor, _ container: ModelContainer) {
    (modelExecutor, modelContainer) = (executor, container)
  }

  static let key = DispatchSpecificKey<Bool>()

  var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: Self.key) == true }
}
