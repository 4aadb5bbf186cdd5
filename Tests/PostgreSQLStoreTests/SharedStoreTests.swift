import CoreDataPostgreSQL
import Foundation
import StrataPostgreSQLServer
import StrataPostgreSQLStore
import StrataSQLText
import StrataTestSupport
import Testing

/// Several coordinators that share a store on a server, like separate processes or hosts.
@Suite(.waitsForProcesses) struct SharedStoreTests {
  private static let model = makeModel(
    makeEntity("Quake", unique: [["code"]], [attribute("code", preserved: true), attribute("magnitude", .double)]))

  private static func container(at url: URL) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Quakes", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: url)
    description.type = NSPostgreSQLStoreType
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }

  private func pair() throws -> (NSPersistentContainer, NSPersistentContainer) {
    let url = try PostgreSQLServer.shared.get().freshURL()
    return (try Self.container(at: url), try Self.container(at: url))
  }

  @discardableResult
  private func save(_ code: String, _ magnitude: Double, in container: NSPersistentContainer) throws
    -> NSManagedObjectID
  {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      let quake = NSEntityDescription.insertNewObject(forEntityName: "Quake", into: context)
      quake.setValue(code, forKey: "code")
      quake.setValue(magnitude, forKey: "magnitude")
      try context.save()
      return quake.objectID
    }
  }

  @Test func `a coordinator automatically merges what another one saves`() async throws {
    let (one, other) = try pair()
    let context = other.newBackgroundContext()
    context.automaticallyMergesChangesFromParent = true
    let id = try save("a", 5, in: one)
    let uri = id.uriRepresentation()
    let magnitude = { @Sendable () -> Double? in
      context.performAndWait {
        let known = other.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri)
        return known.flatMap { context.object(with: $0).value(forKey: "magnitude") as? Double }
      }
    }
    #expect(magnitude() == 5)
    let own = one.newBackgroundContext()
    try await own.perform {
      own.object(with: id).setValue(6.5, forKey: "magnitude")
      try own.save()
    }
    #expect(await eventually { magnitude() == 6.5 })
  }

  @MainActor @Test func `the merge policy resolves conflicts between two coordinators`() throws {
    let (one, other) = try pair()
    let id = try save("a", 5, in: one)
    let (mine, theirs) = (one.viewContext, other.viewContext)
    let uri = id.uriRepresentation()
    let known = try #require(other.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri))
    let (quake, copy) = (mine.object(with: id), theirs.object(with: known))
    #expect(copy.value(forKey: "magnitude") as? Double == 5 && quake.value(forKey: "magnitude") as? Double == 5)
    quake.setValue(6.0, forKey: "magnitude")
    try mine.save()
    copy.setValue(7.0, forKey: "magnitude")
    let error = #expect(throws: CocoaError.self) { try theirs.save() }
    #expect(error?.code.rawValue == NSManagedObjectMergeError)
    theirs.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try theirs.save()
    mine.refreshAllObjects()
    #expect(quake.value(forKey: "magnitude") as? Double == 7)
    let double = NSEntityDescription.insertNewObject(forEntityName: "Quake", into: theirs)
    double.setValue("a", forKey: "code")
    theirs.mergePolicy = NSMergePolicy.error
    let refusal = #expect(throws: CocoaError.self) { try theirs.save() }
    #expect(refusal?.code.rawValue == NSManagedObjectConstraintMergeError)
  }

  @Test func `a follower reads all commits once and in order`() throws {
    let (one, other) = try pair()
    let follower = try HistoryFollower(
      of: #require(other.persistentStoreCoordinator.persistentStores.first), name: "index")
    try save("a", 1, in: one)
    try save("b", 2, in: other)
    let id = try save("c", 3, in: one)
    let context = one.newBackgroundContext()
    try context.performAndWait {
      context.delete(context.object(with: id))
      try context.save()
    }
    var numbers: [Int64] = []
    var kinds: [NSPersistentHistoryChangeType] = []
    var kept: [String] = []
    let count = try follower.catchUp { transaction in
      numbers.append(transaction.transactionNumber)
      for change in transaction.changes ?? [] {
        kinds.append(change.changeType)
        if let code = change.tombstone?["code"] as? String { kept.append(code) }
      }
    }
    #expect(count == 4 && numbers == [1, 2, 3, 4] && kinds == [.insert, .insert, .insert, .delete] && kept == ["c"])
    #expect(try follower.catchUp { _ in } == 0)
    // Another follower of that name would skip transactions that this one has not read.
    #expect(throws: CocoaError.self) {
      try HistoryFollower(of: one.persistentStoreCoordinator.persistentStores[0], name: "index")
    }
    follower.end()
    let next = try HistoryFollower(of: one.persistentStoreCoordinator.persistentStores[0], name: "index")
    #expect(try next.catchUp { _ in } == 0)
    try save("d", 4, in: other)
    var last: Int64 = 0
    #expect(try next.catchUp { last = $0.transactionNumber } == 1)
    #expect(last == 5)
  }

  /// Otherwise, every program would write to the server after each commit.
  @Test func `a program that merges writes its position at most once a second`() async throws {
    let url = try PostgreSQLServer.shared.get().freshURL()
    let (one, other) = (try Self.container(at: url), try Self.container(at: url))
    let connection = try ServerConnection(to: ServerAddress(url), name: "test")
    try connection.run("CREATE TABLE move (place bigint)")
    try connection.run(
      """
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS \
      'BEGIN INSERT INTO move VALUES (NEW.place); RETURN NEW; END'
      """)
    try connection.run("CREATE TRIGGER note BEFORE UPDATE ON strata_reader FOR EACH ROW EXECUTE FUNCTION note()")
    let context = other.newBackgroundContext()
    context.automaticallyMergesChangesFromParent = true
    let begin = Date()
    for number in 1...100 { try save("\(number)", 1, in: one) }
    let arrived = await eventually {
      (try? connection.run("SELECT 1 FROM move WHERE place = 100").rowCount) == 1
    }
    let writes = try connection.run("SELECT count(*) FROM move").integer(0, 0)
    #expect(arrived && Double(writes) <= Date().timeIntervalSince(begin) + 2, "\(writes)")
  }

  @Test func `a purge keeps transactions that a follower has not read`() throws {
    let (one, other) = try pair()
    let store = try #require(one.persistentStoreCoordinator.persistentStores.first)
    let follower = try HistoryFollower(of: store, name: "slow")
    for number in 0..<3 { try save("\(number)", 1, in: other) }
    try HistoryFollower.purgeHistory(of: store, before: Date.distantFuture)
    #expect(try follower.catchUp { _ in } == 3)
    try save("last", 1, in: other)
    try follower.catchUp { _ in }
    try HistoryFollower.purgeHistory(of: store, before: Date.distantFuture)
    #expect(try follower.catchUp { _ in } == 0)
  }

  @MainActor @Test func `a store can be copied and destroyed`() throws {
    let url = try PostgreSQLServer.shared.get().freshURL()
    let container = try Self.container(at: url)
    try save("a", 5, in: container)
    var parts = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
    parts.queryItems = parts.queryItems?.map {
      $0.name == "schema" ? URLQueryItem(name: "schema", value: $0.value.map { "\($0)copy" }) : $0
    }
    let copy = try #require(parts.url)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    try coordinator.replacePersistentStore(at: copy, withPersistentStoreFrom: url, type: .postgreSQL)
    let other = try Self.container(at: copy)
    #expect(try other.viewContext.count(for: NSFetchRequest<NSManagedObject>(entityName: "Quake")) == 1)
    // Keys and numbers continue after those of the original.
    try save("b", 6, in: other)
    #expect(try other.viewContext.count(for: NSFetchRequest<NSManagedObject>(entityName: "Quake")) == 2)
    #expect(try container.viewContext.count(for: NSFetchRequest<NSManagedObject>(entityName: "Quake")) == 1)
    try coordinator.destroyPersistentStore(at: copy, type: .postgreSQL)
    #expect(throws: (any Error).self) {
      try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .postgreSQL, at: copy)
    }
  }

  /// Whether a condition becomes true within ten minutes.
  private func eventually(_ condition: @Sendable () -> Bool) async -> Bool {
    for _ in 0..<60_000 {
      if condition() { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }
}
