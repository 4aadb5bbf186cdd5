import CoreDataPostgreSQL
import Foundation
import StrataManagedModel
import StrataPostgreSQLServer
import StrataPostgreSQLStore
import StrataRowStore
import StrataSQLText
import StrataStoreConformance
import StrataTestSupport
import Testing

/// The effects of other programs' SQL on a store, and the privacy of its URL.
@Suite(.waitsForProcesses) struct ForeignSQLTests {
  private let server: PostgreSQLServer
  private let url: URL
  private let connection: ServerConnection

  init() throws {
    server = try PostgreSQLServer.shared.get()
    url = server.freshURL()
    try PostgreSQLStore(opening: url, model: StoreConformance.model, number: 1).close()
    connection = try server.connect(url)
  }

  private func open() throws -> PostgreSQLStore {
    try PostgreSQLStore(opening: url, model: StoreConformance.model, number: 1)
  }

  private func failure(_ body: () throws -> Void) -> StoreError? {
    #expect(throws: StoreError.self) { try body() }
  }

  @Test(arguments: [Int32.min, -1, 0, Int32.max])
  func `unknown entity numbers are ignored`(_ number: Int32) throws {
    try connection.run(
      SQLStatement("INSERT INTO z_primarykey VALUES ($1::integer, 'Foreign', 0, 0)", [.integer(Int64(number))]))
    let store = try open()
    let layout = try #require(StoreConformance.model.entitiesByName["Quake"]?.layout)
    #expect(try store.count(for: FetchQuery(layout: layout)) == 0)
  }

  @Test func `a column with invalid UUIDs is reported as damaged`() throws {
    let store = try open()
    let layout = try #require(StoreConformance.model.entitiesByName["Kinds"]?.layout)
    try connection.run("ALTER TABLE zkinds ALTER ztoken TYPE text")
    try connection.run("INSERT INTO zkinds (z_pk, z_ent, z_opt, ztoken) VALUES (1, \(layout.number), 1, 'short')")
    #expect(failure { _ = try store.rows(for: FetchQuery(layout: layout)) }?.code == .corrupt)
    let values = AggregateQuery(
      rows: FetchQuery(layout: layout), columns: [ValueColumn(.keyPath(["token"]), as: .uuid)])
    #expect(try store.values(for: values).count == 1)
  }

  @Test func `exhausted counters are errors`() throws {
    try connection.run("ALTER SEQUENCE strata_batch RESTART WITH \(Int(Int64.max))")
    try connection.run("UPDATE z_primarykey SET z_max = \(Int(Int64.max - 10))")
    let store = try open()
    let layout = try #require(StoreConformance.model.entitiesByName["Quake"]?.layout)
    #expect(failure { _ = try store.reserveIDs(for: [layout]) } != nil)
    try connection.run("UPDATE z_primarykey SET z_max = 0")
    var batch = ChangeBatch()
    let page = RowPage(layout: layout, capacity: 1)
    batch.inserted = [Row(page: page, index: page.append(id: .temporary(entity: layout.number), version: 0))]
    #expect(failure { _ = try store.commit(batch) }?.code == .full)
    #expect(try store.count(for: FetchQuery(layout: layout)) == 0)
  }

  /// The source cannot be copied completely, and the store at the destination is kept.
  @Test func `a failed copy leaves the destination unchanged`() throws {
    let other = server.freshURL()
    let store = try PostgreSQLStore(opening: other, model: StoreConformance.model, number: 1)
    defer { store.close() }
    try connection.run("ALTER SEQUENCE strata_batch RENAME TO strata_other")
    #expect(failure { try PostgreSQLStore.replace(at: other, with: url, timeout: 10) } != nil)
    #expect(try PostgreSQLStore.metadata(at: other)["NSStoreUUID"] as? String == store.identifier)
  }

  @Test func `no message shows a password`() throws {
    let model = StoreConformance.model
    let secret = try #require(URL(string: server.freshURL("&password=sesame").absoluteString))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      type: .postgreSQL, at: secret, options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let description = coordinator.debugDescription
    #expect(!description.contains("sesame") && description.contains("schema="), "\(description)")
    let wrong = NSPersistentStoreCoordinator(managedObjectModel: model)
    for type in [NSPersistentStore.StoreType.sqlite, .xml] {
      let error = #expect(throws: (any Error).self) { try wrong.addPersistentStore(type: type, at: secret) }
      #expect(!"\(String(describing: error))".contains("sesame"), "\(type)")
    }
  }
}
