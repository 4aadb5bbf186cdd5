import CoreData
import Foundation
import StrataStoreCoordination
import StrataTestSupport
import Synchronization
import Testing

/// A back end that the coordinator knows only by its driver, and which must support whatever SQLite supports.
@Suite struct BackEndTests {
  /// All coordinators share the model, because rows refer to its entities.
  private static let model = makeModel(makeEntity("Quake", [attribute("code", preserved: true)]))

  private let host = UUID().uuidString
  private var url: URL { URL(string: "test://\(host)/quakes")! }

  init() { #expect(TestDriver.isRegistered) }

  /// A container with a separate coordinator for the database, as in another process.
  private func container(history: Bool = true, remote: Bool = false) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Quakes", managedObjectModel: Self.model)
    let description = NSPersistentStoreDescription(url: url)
    description.type = TestDriver.type
    description.setOption(history as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setOption(remote as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    container.persistentStoreDescriptions = [description]
    let failure = Mutex<(any Error)?>(nil)
    container.loadPersistentStores { _, error in failure.withLock { $0 = error } }
    if let error = failure.withLock({ $0 }) { throw error }
    return container
  }

  // MARK: Two coordinators

  /// Invariant 3, with transaction numbers that have gaps and are unknown before COMMIT.
  @Test func `commits of all coordinators are merged once and in order`() throws {
    let containers = [try container(), try container()]
    let context = containers[0].newBackgroundContext()
    context.automaticallyMergesChangesFromParent = true
    let merges = BackEndMerges(of: context)
    let stale = try containers.map { try $0.contextThatCannotSave() }
    let count = 100
    DispatchQueue.concurrentPerform(iterations: 4) { writer in
      for round in 0..<count {
        do { try containers[writer % 2].save("\(writer)-\(round)") } catch { Issue.record(error) }
        guard writer < 2, round % 10 == 0 else { continue }
        stale[writer].performAndWait {
          _ = #expect(throws: CocoaError.self) { try stale[writer].save() }
        }
      }
    }
    #expect(merges.wait { $0.joined().count >= 4 * count + stale.count })
    let transactions = try containers[1].transactions(.fetchHistory(after: Date.distantPast))
    let numbers = transactions.map(\.transactionNumber)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    #expect(numbers.last ?? 0 > 4 * count, "The numbers have gaps.")
    var order = transactions.compactMap(\.changes).joined().filter { $0.changeType == .insert }
      .map { $0.changedObjectID.uriRepresentation() }[...]
    for merge in merges.received {
      #expect(Set(order.prefix(merge.count)) == merge)
      order = order.dropFirst(merge.count)
    }
    #expect(order.isEmpty)
  }

  @Test func `changes and deletions by others reach objects`() throws {
    let (own, other) = (try container(), try container())
    let context = own.newBackgroundContext()
    context.automaticallyMergesChangesFromParent = true
    let id = try other.save("a")
    let quake = try context.performAndWait { try #require(context.fetchQuakes().first) }
    try other.change(id) { $0.setValue("b", forKey: "code") }
    #expect(isMet { context.performAndWait { quake.value(forKey: "code") as? String == "b" } })
    try other.change(id) { $0.managedObjectContext?.delete($0) }
    #expect(isMet { context.performAndWait { quake.managedObjectContext == nil || quake.isDeleted } })
    #expect(try context.performAndWait { try context.fetchQuakes().isEmpty })
  }

  @Test func `saving an outdated version is a conflict`() throws {
    let (own, other) = (try container(), try container())
    let id = try other.save("a")
    let context = own.newBackgroundContext()
    try context.performAndWait {
      let quake = try #require(context.fetchQuakes().first)
      #expect(quake.value(forKey: "code") as? String == "a")
      try other.change(id) { $0.setValue("b", forKey: "code") }
      quake.setValue("c", forKey: "code")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
    }
    #expect(try other.codes() == ["c"])
  }

  // MARK: Remote changes

  @Test func `remote changes are posted`() throws {
    let listening = try container(remote: true)
    let notes = RemoteChanges(of: listening.persistentStoreCoordinator)
    let other = try container()
    for number in 0..<5 { try other.save("\(number)") }
    let last = other.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
    #expect(notes.wait { $0.last?.token == last })
    let identifier = listening.persistentStoreCoordinator.persistentStores[0].identifier
    #expect(notes.received.allSatisfy { $0.url == url && $0.identifier == identifier })
  }

  /// Invariant 3, with a server that does not respond at first: older commits are not reported.
  @Test func `a coordinator that connects late is not notified of older commits`() throws {
    let other = try container()
    for number in 0..<5 { try other.save("\(number)") }
    let database = try #require(TestDatabase.at(url))
    // The server responds only once the observers are there.
    database.state.withLock { $0.failingRequests = .max }
    let listening = try container(remote: true)
    let notes = RemoteChanges(of: listening.persistentStoreCoordinator)
    let context = listening.newBackgroundContext()
    let merges = BackEndMerges(of: context)
    context.automaticallyMergesChangesFromParent = true
    database.state.withLock { $0.failingRequests = 3 }
    #expect(notes.wait { !$0.isEmpty })
    #expect(database.state.withLock { $0.failingRequests } == 0)
    let new = try other.save("new").uriRepresentation()
    #expect(merges.wait { $0.contains([new]) })
    #expect(merges.received.joined().elementsEqual([new]))
  }

  @Test func `remote changes of a store without history have no token`() throws {
    let listening = try container(history: false, remote: true)
    let notes = RemoteChanges(of: listening.persistentStoreCoordinator)
    // Without history, only a store that posts remote changes signals its commits.
    try container(history: false, remote: true).save("a")
    #expect(notes.wait { $0.count == 1 })
    #expect(notes.received[0].token == nil && notes.received[0].url == url)
  }

  // MARK: History

  @Test func `history can be read after a token and followed`() async throws {
    let (own, other) = (try container(), try container())
    let first = try own.save("a", author: "own")
    let token = try #require(own.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil))
    try other.save("b", author: "other")
    try other.change(first) { $0.managedObjectContext?.delete($0) }
    let transactions = try own.transactions(.fetchHistory(after: token))
    #expect(transactions.map(\.author) == ["other", nil])
    #expect(transactions.last?.changes?.first?.tombstone?["code"] as? String == "a")
    let store = own.persistentStoreCoordinator.persistentStores[0]
    let follower = try HistoryFollower(of: store, name: "index", after: token)
    var seenCount = 0
    try follower.catchUp { _ in seenCount += 1 }
    #expect(seenCount == 2)
    let nextAuthor = Task {
      var transactions = follower.transactions.makeAsyncIterator()
      return try await transactions.next()?.author
    }
    try other.save("c", author: "later")
    #expect(try await nextAuthor.value == "later")
    follower.end()
  }

  /// Invariant 5.
  @Test func `a purge keeps transactions that a reader has not read`() throws {
    let (own, other) = (try container(), try container())
    for number in 0..<5 { try own.save("\(number)") }
    let numbers = try own.transactions(.fetchHistory(after: Date.distantPast)).map(\.transactionNumber)
    let store = other.persistentStoreCoordinator.persistentStores[0]
    let follower = try HistoryFollower(of: store, name: "index")
    struct Interruption: Error {}
    var seenCount = 0
    #expect(throws: Interruption.self) {
      try follower.catchUp { _ in
        seenCount += 1
        if seenCount == 3 { throw Interruption() }
      }
    }
    // The third transaction was not finished.
    #expect(try HistoryFollower.purgeHistory(of: own.persistentStoreCoordinator.persistentStores[0]) == 2)
    #expect(
      try own.transactions(.fetchHistory(after: Date.distantPast)).map(\.transactionNumber) == Array(numbers[2...]))
    #expect(throws: CocoaError.self) { try HistoryFollower(of: store, name: "index") }
    follower.end()
    #expect(try HistoryFollower.purgeHistory(of: store) == 0, "The inactive reader still protects the rest.")
    let request = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
    request.resultType = .count
    #expect(try own.result(of: request) as? Int == 3)
    try own.save("new")
    let new = try own.transactions(.fetchHistory(after: Date.distantPast)).map(\.transactionNumber)
    #expect(new.count == 1 && new[0] > numbers[4], "A number is not used again.")
  }

  @Test func `a store with history is read-only without the history option`() throws {
    try container().save("a")
    let reader = try container(history: false)
    #expect(reader.persistentStoreCoordinator.persistentStores[0].isReadOnly)
    #expect(try reader.codes() == ["a"])
    #expect(throws: CocoaError.self) { try reader.save("b") }
  }

  // MARK: Whole stores

  @Test func `metadata can be read and written without opening the store`() throws {
    let container = try container()
    let store = container.persistentStoreCoordinator.persistentStores[0]
    typealias Coordinator = NSPersistentStoreCoordinator
    var metadata = try Coordinator.metadataForPersistentStore(ofType: TestDriver.type, at: url)
    #expect(metadata[NSStoreUUIDKey] as? String == store.identifier)
    #expect(metadata[NSStoreTypeKey] as? String == TestDriver.type)
    #expect(Self.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    metadata["note"] = "seen"
    try Coordinator.setMetadata(metadata, forPersistentStoreOfType: TestDriver.type, at: url)
    #expect(store.metadata["note"] as? String == "seen")
    let nowhere = try #require(URL(string: "test://\(host)/nowhere"))
    #expect(throws: CocoaError.self) {
      try Coordinator.metadataForPersistentStore(ofType: TestDriver.type, at: nowhere)
    }
    #expect(Coordinator.registeredStoreTypes[TestDriver.type] != nil)
  }

  @Test func `opening a destroyed store creates a new one`() throws {
    let old = try container()
    try old.save("a")
    try old.persistentStoreCoordinator.destroyPersistentStore(at: url, ofType: TestDriver.type)
    let new = try container()
    #expect(try new.codes() == [])
    #expect(
      new.persistentStoreCoordinator.persistentStores[0].identifier
        != old.persistentStoreCoordinator.persistentStores[0].identifier)
  }

  /// These types do not support automatic migration, so its options have no effect.
  @Test(arguments: [TestDriver.type, NSXMLStoreType, NSBinaryStoreType])
  func `opening a store with another model throws an error with its metadata`(_ type: String) throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let location = type == TestDriver.type ? url : folder.appendingPathComponent("Quakes")
    try NSPersistentStoreCoordinator(managedObjectModel: Self.model)
      .addPersistentStore(ofType: type, configurationName: nil, at: location)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel(makeEntity("Region")))
    let error = #expect(throws: CocoaError.self) {
      try coordinator.addPersistentStore(
        ofType: type, configurationName: nil, at: location,
        options: [
          NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
          NSInferMappingModelAutomaticallyOption: true as NSNumber,
        ])
    }
    #expect(error?.code == .persistentStoreIncompatibleVersionHash)
    #expect((error?.userInfo["metadata"] as? [String: Any])?[NSStoreTypeKey] as? String == type)
  }

  private func temporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("back-end-\(host)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test func `a store can be migrated to SQLite and back`() throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try container()
    for code in ["a", "b", "c"] { try container.save(code) }
    let coordinator = container.persistentStoreCoordinator
    let file = folder.appendingPathComponent("Quakes.sqlite")
    let sqlite = try coordinator.migratePersistentStore(coordinator.persistentStores[0], to: file, type: .sqlite)
    #expect(coordinator.persistentStores.map(\.type) == [NSSQLiteStoreType])
    #expect(try container.codes() == ["a", "b", "c"])
    try container.save("d")
    let location = try #require(URL(string: "test://\(host)/back"))
    let back = try coordinator.migratePersistentStore(
      sqlite, to: location, options: [NSPersistentHistoryTrackingKey: true as NSNumber],
      type: .init(rawValue: TestDriver.type))
    #expect(coordinator.persistentStores.map(\.type) == [TestDriver.type] && back.url == location)
    #expect(try container.codes() == ["a", "b", "c", "d"])
    #expect(try container.transactions(.fetchHistory(after: Date.distantPast)).count == 1)
  }

  /// The store continues with another client, at another URL of the same database.
  @Test func `a store can be set to another URL of its database`() throws {
    let container = try container()
    try container.save("a")
    let store = container.persistentStoreCoordinator.persistentStores[0]
    let otherURL = try #require(URL(string: "test://\(host)/nowhere"))
    #expect(!container.persistentStoreCoordinator.setURL(otherURL, for: store))
    #expect(store.url == url)
    TestDatabase.alias(url, as: otherURL)
    #expect(container.persistentStoreCoordinator.setURL(otherURL, for: store))
    #expect(store.url == otherURL)
    try container.save("b")
    #expect(try container.codes() == ["a", "b"])
  }

  @Test func `a back end without files creates none`() throws {
    let container = try container(remote: true)
    let context = container.newBackgroundContext()
    context.automaticallyMergesChangesFromParent = true
    try container.save("a")
    _ = try HistoryFollower(of: container.persistentStoreCoordinator.persistentStores[0], name: "index")
    let manager = FileManager.default
    for folder in ["/", manager.currentDirectoryPath, NSPersistentContainer.defaultDirectoryURL().path] {
      let found = try manager.contentsOfDirectory(atPath: folder)
      #expect(!found.contains { $0 == host || $0.hasPrefix("quakes-") || $0 == "quakes" }, "\(folder)")
    }
  }
}

extension NSManagedObjectContext {
  fileprivate func fetchQuakes() throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    return try fetch(request)
  }
}

extension NSPersistentContainer {
  @discardableResult
  fileprivate func save(_ code: String, author: String? = nil) throws -> NSManagedObjectID {
    let context = newBackgroundContext()
    context.transactionAuthor = author
    return try context.performAndWait {
      let quake = NSEntityDescription.insertNewObject(forEntityName: "Quake", into: context)
      quake.setValue(code, forKey: "code")
      try context.save()
      return quake.objectID
    }
  }

  fileprivate func change(_ id: NSManagedObjectID, _ body: (NSManagedObject) -> Void) throws {
    let context = newBackgroundContext()
    try context.performAndWait {
      let uri = id.uriRepresentation()
      let own = try #require(persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri))
      body(try context.existingObject(with: own))
      try context.save()
    }
  }

  /// A context whose only change conflicts at every save. Each attempt uses up a transaction number.
  fileprivate func contextThatCannotSave() throws -> NSManagedObjectContext {
    let id = try save("stale")
    let context = newBackgroundContext()
    try context.performAndWait {
      let quake = try context.existingObject(with: id)
      #expect(quake.value(forKey: "code") as? String == "stale")
      quake.setValue("changed", forKey: "code")
    }
    try change(id) { $0.setValue("newer", forKey: "code") }
    return context
  }

  fileprivate func codes() throws -> [String] {
    let context = newBackgroundContext()
    return try context.performAndWait { try context.fetchQuakes().compactMap { $0.value(forKey: "code") as? String } }
  }

  fileprivate func result(of request: NSPersistentHistoryChangeRequest) throws -> Any? {
    let context = newBackgroundContext()
    return try context.performAndWait { (try context.execute(request) as? NSPersistentHistoryResult)?.result }
  }

  fileprivate func transactions(
    _ request: NSPersistentHistoryChangeRequest
  ) throws -> [NSPersistentHistoryTransaction] {
    try #require(result(of: request) as? [NSPersistentHistoryTransaction])
  }
}
