import CoreData
import Foundation
import StrataStoreCoordination
import StrataTestSupport
import Synchronization
import Testing

/// A back end that the coordinator knows only by its driver: whatever works with SQLite works with it.
@Suite struct BackEndTests {
  /// The same for all: rows refer to their entities.
  private static let model = makeModel(makeEntity("Quake", [attribute("code", preserved: true)]))

  private let host = UUID().uuidString
  private var url: URL { URL(string: "test://\(host)/quakes")! }

  init() { #expect(TestDriver.isRegistered) }

  /// A separate coordinator for the database, as another process would have.
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

  /// Invariant 3, where the numbers of transactions have gaps and none is known before its COMMIT.
  @Test func commitsOfAllAreMergedOnceAndInTheirOrder() throws {
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
    for merge in merges.seen {
      #expect(Set(order.prefix(merge.count)) == merge)
      order = order.dropFirst(merge.count)
    }
    #expect(order.isEmpty)
  }

  @Test func changesAndDeletionsOfOthersReachObjects() throws {
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

  @Test func saveOfAnOldVersionIsAConflict() throws {
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

  @Test func remoteChangesArePosted() throws {
    let listening = try container(remote: true)
    let notes = RemoteChanges(of: listening.persistentStoreCoordinator)
    let other = try container()
    for number in 0..<5 { try other.save("\(number)") }
    let last = other.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
    #expect(notes.wait { $0.last?.token == last })
    let identifier = listening.persistentStoreCoordinator.persistentStores[0].identifier
    #expect(notes.seen.allSatisfy { $0.url == url && $0.identifier == identifier })
  }

  /// Invariant 3, where the server does not answer at first: what was there before is not news.
  @Test func `a coordinator that connects late is not notified of older commits`() throws {
    let other = try container()
    for number in 0..<5 { try other.save("\(number)") }
    let database = try #require(TestDatabase.at(url))
    database.state.withLock { $0.unanswered = 3 }
    let listening = try container(remote: true)
    let notes = RemoteChanges(of: listening.persistentStoreCoordinator)
    let context = listening.newBackgroundContext()
    let merges = BackEndMerges(of: context)
    context.automaticallyMergesChangesFromParent = true
    #expect(notes.wait { !$0.isEmpty })
    #expect(database.state.withLock { $0.unanswered } == 0)
    let new = try other.save("new").uriRepresentation()
    #expect(merges.wait { $0.contains([new]) })
    #expect(merges.seen.joined().elementsEqual([new]))
  }

  @Test func remoteChangesOfAStoreWithoutHistoryHaveNoToken() throws {
    let listening = try container(history: false, remote: true)
    let notes = RemoteChanges(of: listening.persistentStoreCoordinator)
    // Only who posts them signals a store without history.
    try container(history: false, remote: true).save("a")
    #expect(notes.wait { $0.count == 1 })
    #expect(notes.seen[0].token == nil && notes.seen[0].url == url)
  }

  // MARK: History

  @Test func historyIsReadAfterATokenAndFollowed() async throws {
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
    var seen = 0
    try follower.catchUp { _ in seen += 1 }
    #expect(seen == 2)
    let coming = Task {
      var transactions = follower.transactions.makeAsyncIterator()
      return try await transactions.next()?.author
    }
    try other.save("c", author: "later")
    #expect(try await coming.value == "later")
    follower.end()
  }

  /// Invariant 5.
  @Test func `a purge spares transactions that a reader has not read`() throws {
    let (own, other) = (try container(), try container())
    for number in 0..<5 { try own.save("\(number)") }
    let numbers = try own.transactions(.fetchHistory(after: Date.distantPast)).map(\.transactionNumber)
    let store = other.persistentStoreCoordinator.persistentStores[0]
    let follower = try HistoryFollower(of: store, name: "index")
    struct Enough: Error {}
    var seen = 0
    #expect(throws: Enough.self) {
      try follower.catchUp { _ in
        seen += 1
        if seen == 3 { throw Enough() }
      }
    }
    // The third was not done with.
    #expect(try HistoryFollower.purgeHistory(of: own.persistentStoreCoordinator.persistentStores[0]) == 2)
    #expect(
      try own.transactions(.fetchHistory(after: Date.distantPast)).map(\.transactionNumber) == Array(numbers[2...]))
    #expect(throws: CocoaError.self) { try HistoryFollower(of: store, name: "index") }
    follower.end()
    #expect(try HistoryFollower.purgeHistory(of: store) == 0, "Asleep, and remembered.")
    let request = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
    request.resultType = .count
    #expect(try own.result(of: request) as? Int == 3)
    try own.save("new")
    let new = try own.transactions(.fetchHistory(after: Date.distantPast)).map(\.transactionNumber)
    #expect(new.count == 1 && new[0] > numbers[4], "A number is not used again.")
  }

  @Test func aStoreWithHistoryIsReadOnlyWithoutTheKey() throws {
    try container().save("a")
    let reader = try container(history: false)
    #expect(reader.persistentStoreCoordinator.persistentStores[0].isReadOnly)
    #expect(try reader.codes() == ["a"])
    #expect(throws: CocoaError.self) { try reader.save("b") }
  }

  // MARK: As a whole

  @Test func metadataAreReadAndWrittenWithoutOpening() throws {
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

  @Test func aDestroyedStoreIsNewWhenItIsOpened() throws {
    let old = try container()
    try old.save("a")
    try old.persistentStoreCoordinator.destroyPersistentStore(at: url, ofType: TestDriver.type)
    let new = try container()
    #expect(try new.codes() == [])
    #expect(
      new.persistentStoreCoordinator.persistentStores[0].identifier
        != old.persistentStoreCoordinator.persistentStores[0].identifier)
  }

  /// Neither type can be migrated from outside, so the options for that change nothing.
  @Test(arguments: [TestDriver.type, NSXMLStoreType, NSBinaryStoreType])
  func anotherModelIsRefusedWithTheStoresMetadata(_ type: String) throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = type == TestDriver.type ? url : folder.appendingPathComponent("Quakes")
    try NSPersistentStoreCoordinator(managedObjectModel: Self.model)
      .addPersistentStore(ofType: type, configurationName: nil, at: place)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel(makeEntity("Region")))
    let error = #expect(throws: CocoaError.self) {
      try coordinator.addPersistentStore(
        ofType: type, configurationName: nil, at: place,
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

  @Test func aStoreMovesToSQLiteAndBack() throws {
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
    let place = try #require(URL(string: "test://\(host)/back"))
    let back = try coordinator.migratePersistentStore(
      sqlite, to: place, options: [NSPersistentHistoryTrackingKey: true as NSNumber],
      type: .init(rawValue: TestDriver.type))
    #expect(coordinator.persistentStores.map(\.type) == [TestDriver.type] && back.url == place)
    #expect(try container.codes() == ["a", "b", "c", "d"])
    #expect(try container.transactions(.fetchHistory(after: Date.distantPast)).count == 1)
  }

  /// The store continues with another client, at another URL of the same database.
  @Test func aStoreIsSetToAnotherURL() throws {
    let container = try container()
    try container.save("a")
    let store = container.persistentStoreCoordinator.persistentStores[0]
    let elsewhere = try #require(URL(string: "test://\(host)/nowhere"))
    #expect(!container.persistentStoreCoordinator.setURL(elsewhere, for: store))
    #expect(store.url == url)
    TestDatabase.alias(url, as: elsewhere)
    #expect(container.persistentStoreCoordinator.setURL(elsewhere, for: store))
    #expect(store.url == elsewhere)
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

  /// A context whose only change conflicts whenever it is saved. Each attempt uses up a transaction number.
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
