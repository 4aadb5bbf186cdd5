import CoreDataPostgreSQL
import Foundation
import StrataPostgreSQLServer
import StrataPostgreSQLStore
import StrataSQLText
import StrataTestSupport
import Synchronization
import Testing

/// Migration of a store that several programs use, and refused migrations.
@Suite(.waitsForProcesses) struct SharedMigrationTests {
  private func person(_ properties: [NSPropertyDescription] = []) -> NSManagedObjectModel {
    makeModel([makeEntity("Person", [attribute("name")] + properties)])
  }

  private var newer: NSManagedObjectModel {
    person([attribute("age", .integer16, optional: false, default: 1)])
  }

  private func filled() throws -> VersionedStore {
    let store = try VersionedStore.onServer()
    try store.open(person()) { $0.make("Person", ["name": "Ada"]) }
    return store
  }

  /// Everything in the store's tables, and their columns and indexes.
  private func contents(of store: VersionedStore) throws -> [String] {
    let connection = try PostgreSQLServer.shared.get().connect(store.url)
    let schema = connection.address.schema
    let result = try connection.run(
      SQLStatement(
        """
        SELECT table_schema::text || (SELECT string_agg(c.table_name || '.' || c.column_name || ' ' || c.data_type, ',' \
        ORDER BY c.table_name, c.ordinal_position) FROM information_schema.columns c WHERE c.table_schema = $1) \
        || (SELECT string_agg(indexdef, ',' ORDER BY indexdef) FROM pg_indexes WHERE schemaname = $1) \
        || schema_to_xml(table_schema, true, false, '')::text \
        FROM information_schema.tables WHERE table_schema = $1 LIMIT 1
        """, [.text(schema)]))
    return (0..<result.rowCount).map { result.text($0, 0) }
  }

  private func migrations(of store: VersionedStore) throws -> Int64 {
    try PostgreSQLServer.shared.get().connect(store.url).run("SELECT migrations FROM strata_counter").integer(0, 0)
  }

  @Test func `several openers migrate once`() throws {
    let store = try filled()
    let names = Mutex<[[String]]>([])
    DispatchQueue.concurrentPerform(iterations: 6) { _ in
      do {
        let found = try store.open(newer) { try $0.everything() }
        names.withLock { $0.append(found) }
      } catch {
        Issue.record(error)
      }
    }
    #expect(names.withLock { $0 } == Array(repeating: ["Person Ada age=1"], count: 6))
    try #expect(migrations(of: store) == 1)
  }

  @Test func `an old store is refused without the migration options`() throws {
    let store = try filled()
    let before = try contents(of: store)
    #expect(store.refusal(of: newer, migrating: false) == 134100)
    let after = try contents(of: store)
    #expect(after == before)
  }

  @Test func `an older program does not migrate back`() throws {
    let store = try filled()
    try store.open(newer) { _ in }
    let before = try contents(of: store)
    #expect(store.refusal(of: person()) == 134130)
    let after = try contents(of: store)
    #expect(after == before)
    try store.open(newer) { try #expect($0.everything() == ["Person Ada age=1"]) }
  }

  @Test func `a store of another model is refused`() throws {
    let store = try filled()
    #expect(store.refusal(of: makeModel([makeEntity("Quake", [attribute("name")])])) == 134100)
    try store.open(person()) { try #expect($0.names("Person") == ["Ada"]) }
  }

  @Test func `a migration that cannot be inferred is refused`() throws {
    let store = try VersionedStore.onServer()
    try store.open(person([attribute("age")])) { $0.make("Person", ["name": "Ada", "age": "36"]) }
    let before = try contents(of: store)
    let refusal = store.refusal(of: person([attribute("age", .integer16)]))
    let file = try VersionedStore.inFile()
    try file.open(person([attribute("age")])) { _ in }
    #expect(refusal == 134140 && file.refusal(of: person([attribute("age", .integer16)])) == refusal)
    let after = try contents(of: store)
    #expect(after == before)
  }

  @Test func `duplicate values leave the store unchanged`() throws {
    let store = try VersionedStore.onServer()
    try store.open(person([attribute("gone")])) {
      for _ in 0..<2 { $0.make("Person", ["name": "Ada"]) }
    }
    let before = try contents(of: store)
    let unique = person([attribute("age", .integer16)])
    unique.entities[0].uniquenessConstraints = [["name"]]
    #expect(store.refusal(of: unique) == 134111)
    let after = try contents(of: store)
    #expect(after == before)
    try store.open(person([attribute("gone")])) { try #expect($0.names("Person") == ["Ada", "Ada"]) }
  }

  /// A view of another program needs a column that the new model lacks.
  @Test func `a failed migration leaves the store unchanged`() throws {
    let store = try VersionedStore.onServer()
    try store.open(person([attribute("gone")])) { $0.make("Person", ["name": "Ada", "gone": "x"]) }
    let connection = try PostgreSQLServer.shared.get().connect(store.url)
    try connection.run("CREATE VIEW report AS SELECT zgone FROM zperson")
    let before = try contents(of: store)
    #expect(store.refusal(of: newer) == 134110)
    let after = try contents(of: store)
    #expect(after == before)
    try connection.run("DROP VIEW report")
    try store.open(newer) { try #expect($0.everything() == ["Person Ada age=1"]) }
  }

  /// A program that has the store open with the older model detects the migration when it saves.
  @Test func `a program with the old model cannot save after the migration`() throws {
    let store = try filled()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: person())
    let opened = try coordinator.addPersistentStore(type: .postgreSQL, at: store.url, options: store.options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      context.make("Person", ["name": "Bob"])
      try context.save()
    }
    try store.open(newer) { $0.make("Person", ["name": "Eve"]) }
    try context.performAndWait {
      try #expect(context.names("Person") == ["Ada", "Bob", "Eve"])
      context.make("Person", ["name": "Tom"])
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.errorCode == 134100)
    }
    try coordinator.remove(opened)
    try store.open(newer) { try #expect($0.names("Person") == ["Ada", "Bob", "Eve"]) }
  }

  /// Waiting for a lock ends with an error, and the store is unchanged.
  @Test func `a migration respects the timeout`() throws {
    let store = try filled()
    let connection = try PostgreSQLServer.shared.get().connect(store.url)
    try connection.run("BEGIN")
    try connection.run("LOCK TABLE zperson IN ROW EXCLUSIVE MODE")
    var options = store.options
    options[NSPersistentStoreTimeoutOption] = 0.2 as NSNumber
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: newer)
    #expect(throws: CocoaError.self) {
      try coordinator.addPersistentStore(type: .postgreSQL, at: store.url, options: options)
    }
    try connection.run("ROLLBACK")
    try store.open(person()) { try #expect($0.names("Person") == ["Ada"]) }
  }

  /// A recreated table has the privileges of the previous one.
  @Test func `a migration keeps privileges`() throws {
    let store = try VersionedStore.onServer()
    try store.open(person([attribute("first"), attribute("last")])) { _ in }
    let connection = try PostgreSQLServer.shared.get().connect(store.url)
    try connection.run("GRANT SELECT, UPDATE ON zperson TO PUBLIC")
    let new = person([attribute("first", was: "last"), attribute("last", was: "first")])
    try store.open(new.later()) { _ in }
    let privileges = try connection.run("SELECT relacl::text FROM pg_class WHERE oid = 'zperson'::regclass")
    #expect(privileges.text(0, 0).contains("=rw/"))
  }

  @Test func `history after a migration uses the new model's names`() throws {
    let store = try VersionedStore.onServer()
    func version(_ isNew: Bool) -> NSManagedObjectModel {
      let person = makeEntity(
        isNew ? "Human" : "Person", was: "Person",
        [attribute("name"), attribute(isNew ? "years" : "age", .integer16, was: "age")])
      if !isNew { person.properties.append(attribute("gone")) }
      return makeModel([person] + (isNew ? [makeEntity("Ape", [attribute("name")])] : []))
    }
    try store.open(version(false)) { context in
      let ada = context.make("Person", ["name": "Ada"])
      try context.save()
      ada.setValue(36, forKey: "age")
      ada.setValue("x", forKey: "gone")
      try context.save()
    }
    try store.open(version(true)) { context in
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      request.resultType = .transactionsAndChanges
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let changes = (result?.result as? [NSPersistentHistoryTransaction] ?? []).flatMap { $0.changes ?? [] }
      #expect(changes.map { $0.changedObjectID.entity.name } == ["Human", "Human"])
      #expect(changes.last?.updatedProperties?.map(\.name) == ["years"])
      #expect(changes.last.map { try? context.existingObject(with: $0.changedObjectID).storedName } == "Ada")
    }
  }
}
