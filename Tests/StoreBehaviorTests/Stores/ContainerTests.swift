import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// A container subclass that chooses the stores' folder.
private class FolderContainer: NSPersistentContainer, @unchecked Sendable {
  static let folder = (try? TemporaryFolder.make()) ?? FileManager.default.temporaryDirectory
  override class func defaultDirectoryURL() -> URL { folder }
}

/// A container subclass without a folder.
private class StrictContainer: NSPersistentContainer, @unchecked Sendable {
  override class func defaultDirectoryURL() -> URL { fatalError("The container requested the folder.") }
}

/// Containers: their descriptions, how they load stores, and their contexts.
@Suite struct ContainerTests {
  private func container(_ descriptions: [NSPersistentStoreDescription]) -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Quakes", managedObjectModel: Quakes.model)
    container.persistentStoreDescriptions = descriptions
    return container
  }

  private func description(_ name: String, type: String = NSSQLiteStoreType) throws -> NSPersistentStoreDescription {
    let description = NSPersistentStoreDescription(url: try TemporaryFolder.make().appendingPathComponent(name))
    description.type = type
    return description
  }

  /// The arguments of the completion handler, in order.
  private func load(_ container: NSPersistentContainer) -> [(name: String, code: Int?)] {
    let here = pthread_self()
    var results: [(String, Int?)] = []
    container.loadPersistentStores { description, error in
      #expect(pthread_equal(pthread_self(), here) != 0)
      results.append((description.url?.lastPathComponent ?? "nil", (error as? CocoaError)?.code.rawValue))
    }
    return results
  }

  // MARK: Descriptions

  @Test func `a container subclass chooses the folder of its stores`() throws {
    let container = FolderContainer(name: "Shop", managedObjectModel: Quakes.model)
    let description = try #require(container.persistentStoreDescriptions.first)
    #expect(container.persistentStoreDescriptions.count == 1 && container.name == "Shop")
    #expect(description.url == FolderContainer.folder.appendingPathComponent("Shop.sqlite"))
    #expect(!FileManager.default.fileExists(atPath: try #require(description.url).path))
    #expect(load(container).map(\.name) == ["Shop.sqlite"])
    #expect(FileManager.default.fileExists(atPath: try #require(description.url).path))
  }

  @Test func `only a container creates the folder of a new store`() throws {
    let folder = try TemporaryFolder.make().appendingPathComponent("a/b")
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Quakes.sqlite"))
    description.isReadOnly = true
    #expect(load(container([description])).first?.code != nil)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    description.isReadOnly = false
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Quakes.model)
    var failure: (any Error)?
    coordinator.addPersistentStore(with: description) { failure = $1 }
    #expect("\(try #require(failure))".contains("does not exist; create it first"))
    #expect(load(container([description])).map(\.code) == [nil])
    #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("Quakes.sqlite").path))
  }

  @Test func `a new description has the documented defaults`() throws {
    let description = try description("Quakes.sqlite")
    #expect(description.type == NSSQLiteStoreType && description.configuration == nil && description.timeout == 240)
    #expect(!description.isReadOnly && !description.shouldAddStoreAsynchronously && description.sqlitePragmas.isEmpty)
    #expect(description.shouldMigrateStoreAutomatically && description.shouldInferMappingModelAutomatically)
  }

  @Test func `options and properties of a description are equivalent`() throws {
    let description = try description("Quakes.sqlite")
    description.isReadOnly = true
    description.timeout = 5
    description.shouldInferMappingModelAutomatically = false
    #expect(description.options[NSReadOnlyPersistentStoreOption] as? Bool == true)
    #expect(description.options[NSPersistentStoreTimeoutOption] as? Double == 5)
    #expect(description.options[NSInferMappingModelAutomaticallyOption] as? Bool == false)
    description.setOption(7 as NSNumber, forKey: NSPersistentStoreTimeoutOption)
    description.setOption(nil, forKey: NSReadOnlyPersistentStoreOption)
    #expect(description.timeout == 7 && !description.isReadOnly)
    #expect(description.options[NSReadOnlyPersistentStoreOption] == nil)
    description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")
    description.setValue("100" as NSString, forPragmaNamed: "cache_size")
    description.setValue(nil, forPragmaNamed: "cache_size")
    #expect(description.options[NSSQLitePragmasOption] as? [String: String] == ["synchronous": "FULL"])
    let copy = try #require(description.copy() as? NSPersistentStoreDescription)
    copy.timeout = 1
    #expect(description.timeout == 7 && copy.sqlitePragmas.count == 1 && copy.url == description.url)
    #expect(load(container([description])).map(\.code) == [nil])
  }

  @Test func `pragmas set separately or together form one option`() throws {
    let description = try description("Quakes.sqlite")
    description.setOption(["synchronous": "FULL"] as NSDictionary, forKey: NSSQLitePragmasOption)
    description.setValue("100" as NSString, forPragmaNamed: "cache_size")
    #expect(description.sqlitePragmas as? [String: String] == ["synchronous": "FULL", "cache_size": "100"])
    let container = container([description])
    #expect(load(container).map(\.code) == [nil])
    let options = try #require(container.persistentStoreCoordinator.persistentStores.first?.options)
    #expect(options[NSSQLitePragmasOption] is NSDictionary)
    #expect(options[NSSQLitePragmasOption] as? [String: String] == ["synchronous": "FULL", "cache_size": "100"])
    description.setOption(nil, forKey: NSSQLitePragmasOption)
    #expect(description.sqlitePragmas.isEmpty && description.options[NSSQLitePragmasOption] == nil)
  }

  @Test func `the default folder is requested only for the default description`() async throws {
    await #expect(processExitsWith: .success) {
      let container = StrictContainer(name: "Shop", managedObjectModel: Quakes.model)
      container.persistentStoreDescriptions = [NSPersistentStoreDescription()]
      container.loadPersistentStores { #expect($1 == nil) }
    }
    await #expect(processExitsWith: .failure) {
      _ = StrictContainer(name: "Shop", managedObjectModel: Quakes.model).persistentStoreDescriptions
    }
  }

  // MARK: Loading

  @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType])
  func `each description is loaded and reported once`(type: String) throws {
    let container = container([try description("a", type: type), try description("b", type: type)])
    #expect(load(container).map(\.name) == ["a", "b"])
    #expect(load(container).isEmpty && container.persistentStoreCoordinator.persistentStores.count == 2)
    container.persistentStoreDescriptions.append(try description("c", type: type))
    #expect(load(container).map(\.name) == ["c"])
    #expect(container.persistentStoreCoordinator.persistentStores.count == 3)
  }

  @Test func `a failed store is reported and can be loaded again`() throws {
    let wrong = try description("wrong", type: "Nothing")
    let container = container([wrong, try description("right")])
    let results = load(container)
    #expect(results.map(\.name) == ["wrong", "right"] && results.map(\.code) == [134000, nil])
    #expect(load(container).map(\.code) == [134000])
    wrong.type = NSSQLiteStoreType
    let again = load(container)
    #expect(again.map(\.name) == ["wrong"] && again.map(\.code) == [nil])
  }

  @Test func `a container without descriptions loads nothing`() {
    let container = container([])
    #expect(load(container).isEmpty && container.persistentStoreCoordinator.persistentStores.isEmpty)
  }

  @Test func `an in-memory store needs no URL`() throws {
    let description = NSPersistentStoreDescription()
    (description.type, description.url) = (NSInMemoryStoreType, nil)
    let container = container([description])
    #expect(load(container).map(\.code) == [nil])
    #expect(load(container).isEmpty && container.persistentStoreCoordinator.persistentStores.count == 1)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      _ = context.insert("Tag", ["name": "x"])
      try context.save()
      #expect(try context.fetch("Tag").count == 1)
    }
  }

  @Test func `a store can be added asynchronously on another thread`() async throws {
    let description = try description("Quakes.sqlite")
    description.shouldAddStoreAsynchronously = true
    let container = container([description])
    let here = pthread_self()
    let isElsewhere = await withCheckedContinuation { continuation in
      // The handler must not wait for the caller.
      let returned = DispatchSemaphore(value: 0)
      container.loadPersistentStores { _, error in
        returned.wait()
        continuation.resume(returning: error == nil && pthread_equal(pthread_self(), here) == 0)
      }
      returned.signal()
    }
    #expect(isElsewhere && container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  @Test func `a coordinator adds a description before the call returns`() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Quakes.model)
    var results: [String] = []
    let good = try description("good")
    coordinator.addPersistentStore(with: good) { results.append("\($0.url?.lastPathComponent ?? "") \($1 == nil)") }
    coordinator.addPersistentStore(with: try description("bad", type: "Nothing")) {
      results.append("\($0.url?.lastPathComponent ?? "") \($1 == nil)")
    }
    #expect(results == ["good true", "bad false"] && coordinator.persistentStores.map(\.url) == [good.url])
  }

  @Test func `a container without a model stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPersistentContainer(name: "NoSuchModel")
    }
    #expect(result.errorText.contains("Failed to load model named NoSuchModel"))
    #expect(result.errorText.contains("needs the plugin CoreDataModel"))
  }

  // MARK: Contexts

  @Test func `the view context uses the main queue and other contexts private queues`() async throws {
    let container = try Store.memory.container()
    let view = container.viewContext
    #expect(view === container.viewContext && view.concurrencyType == .mainQueueConcurrencyType)
    let contexts = [container.newBackgroundContext(), container.newBackgroundContext()]
    #expect(contexts[0] !== contexts[1])
    let task = await container.performBackgroundTask { ObjectIdentifier($0) }
    #expect(!(contexts + [view]).map(ObjectIdentifier.init).contains(task))
    for context in contexts {
      #expect(context.concurrencyType == .privateQueueConcurrencyType && context.parent == nil)
      #expect(context.persistentStoreCoordinator === container.persistentStoreCoordinator)
    }
  }
}
