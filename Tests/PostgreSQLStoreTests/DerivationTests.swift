import Foundation
import StrataManagedModel
import StrataPostgreSQLServer
import StrataPostgreSQLStore
import StrataPredicates
import StrataRowStore
import StrataSQLText
import StrataTestSupport
import Testing

/// Derived attributes of a store on a server, which its triggers compute for every writer.
@Suite(.waitsForProcesses) struct DerivationTests {
  private let url: URL
  private let connection: ServerConnection

  init() throws {
    url = try PostgreSQLServer.shared.get().freshURL()
    connection = try ServerConnection(to: ServerAddress(url), name: "test")
  }

  /// Quakes in nested regions.
  private static func model(derived: Bool = true) -> NSManagedObjectModel {
    let quakes: [NSPropertyDescription] = [
      derivedAttribute("home", .string, "region.name"), derivedAttribute("same", .string, "name"),
      derivedAttribute("changed", .date, "now()"),
    ]
    let regions: [NSPropertyDescription] = [
      derivedAttribute("count", .integer64, "quakes.@count"), derivedAttribute("sum", .double, "quakes.@sum.magnitude"),
      derivedAttribute("size", .integer64, "parts.@count"),
    ]
    return makeModel(
      makeEntity("Quake", [attribute("name"), attribute("magnitude", .double)] + (derived ? quakes : [])),
      makeEntity("Region", [attribute("name")] + (derived ? regions : []))
    )
    .relate("Region", "quakes", .many, "Quake", "region", .one)
    .relate("Region", "parts", .many, "Region", "parent", .one)
  }

  private func open(
    _ model: NSManagedObjectModel = model(), at other: URL? = nil, migrates: Bool = false
  ) throws -> Regions {
    var options = PostgreSQLStoreOptions()
    if migrates { options.migration = InferredMigration() }
    return Regions(
      store: try PostgreSQLStore(opening: other ?? url, model: model, number: 1, options: options), model: model)
  }

  @Test func `counts and sums follow the members`() throws {
    let opened = try open()
    let (honshu, chile) = (try opened.region("Honshu"), try opened.region("Chile"))
    #expect(try opened.value(honshu, "count") == .integer(0) && opened.value(honshu, "sum") == .double(0))
    let first = try opened.quake("a", 5, in: honshu)
    let second = try opened.quake("b", 6.5, in: honshu)
    #expect(try opened.value(honshu, "count") == .integer(2) && opened.value(honshu, "sum") == .double(11.5))
    try opened.change(first, "region", .reference(chile))
    try opened.change(second, "magnitude", .double(7))
    #expect(try opened.value(honshu, "count") == .integer(1) && opened.value(honshu, "sum") == .double(7))
    #expect(try opened.value(chile, "count") == .integer(1) && opened.value(chile, "sum") == .double(5))
    try opened.delete(second)
    #expect(try opened.value(honshu, "count") == .integer(0) && opened.value(honshu, "sum") == .double(0))
    #expect(try opened.stored(honshu)?.version == 1, "The row itself did not change.")
  }

  @Test func `members inserted by one statement are counted once`() throws {
    let opened = try open()
    for isOwnerFirst in [true, false] {
      let owner = try opened.row("Region", ["name": .string("Japan")])
      let parts = try (0..<3).map {
        try opened.row("Region", ["name": .string("\($0)"), "parent": .reference(owner.id)])
      }
      let ids = try opened.insert(isOwnerFirst ? [owner] + parts : parts + [owner])
      #expect(try opened.value(isOwnerFirst ? ids[0] : ids[3], "size") == .integer(3))
    }
  }

  @Test func `derived values follow other attributes`() throws {
    let opened = try open()
    let honshu = try opened.region("Honsh\u{16B}")
    let id = try opened.quake("T\u{14D}hoku", 9, in: honshu)
    #expect(
      try opened.value(id, "home") == .string("Honsh\u{16B}") && opened.value(id, "same") == .string("T\u{14D}hoku"))
    guard case .date(let made) = try opened.value(id, "changed") else { return #expect(Bool(false)) }
    #expect(abs(made - Date().timeIntervalSinceReferenceDate) < 60)
    try opened.change(honshu, "name", .string("Kyushu"))
    try opened.change(id, "name", .string("b"))
    #expect(try opened.value(id, "home") == .string("Kyushu") && opened.value(id, "same") == .string("b"))
    guard case .date(let changed) = try opened.value(id, "changed") else { return #expect(Bool(false)) }
    #expect(changed > made)
    try opened.change(id, "region", .null)
    #expect(try opened.value(id, "home") == .null)
  }

  @Test func `a commit returns derived values`() throws {
    let opened = try open()
    var batch = ChangeBatch()
    batch.inserted = [try opened.row("Quake", ["name": .string("a")])]
    let receipt = try opened.store.commit(batch)
    #expect(receipt.triggered == receipt.inserted)
    var values: [SlotValue] = []
    receipt.triggeredRows.forEach { page, index in
      let row = Row(page: page, index: index)
      if let slot = row.layout.slot(named: "same") { values.append(row[slot]) }
    }
    #expect(values == [.string("a")])
  }

  /// Each commit waits for the others that change members of the same owner.
  @Test func `concurrent commits count every member`() async throws {
    let opened = try open()
    let (first, second) = (try opened.region("a"), try opened.region("b"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          let own = try open()
          for number in 0..<10 {
            // In both orders, so that two commits may wait for each other.
            let order = (writer + number).isMultiple(of: 2) ? [first, second] : [second, first]
            for owner in order { _ = try own.quake("q", 1, in: owner) }
          }
        }
      }
      try await group.waitForAll()
    }
    for owner in [first, second] {
      #expect(try opened.value(owner, "count") == .integer(40) && opened.value(owner, "sum") == .double(40))
    }
  }

  @Test func `SQL of other programs updates derived values`() throws {
    let opened = try open()
    let honshu = try opened.region("Honshu")
    _ = try opened.quake("a", 5, in: honshu)
    // With another search path.
    let schema = ServerConnection.quoted(connection.address.schema)
    try connection.run("SET search_path = pg_catalog")
    try connection.run(SQLStatement("UPDATE \(schema).zquake SET zmagnitude = 8"))
    #expect(try opened.value(honshu, "sum") == .double(8))
  }

  @Test func `a migration computes derived values of existing rows`() throws {
    let old = try open(Self.model(derived: false))
    let honshu = try old.region("Honshu")
    let quake = try old.quake("\u{C9}ire", 6, in: honshu)
    old.store.close()
    let opened = try open(migrates: true)
    #expect(try opened.value(honshu, "count") == .integer(1) && opened.value(honshu, "sum") == .double(6))
    #expect(try opened.value(quake, "home") == .string("Honshu"))
    _ = try opened.quake("b", 1, in: honshu)
    #expect(try opened.value(honshu, "count") == .integer(2))
    opened.store.close()
    let back = Self.model(derived: false)
    // A new version, because a store is not migrated back to an older model.
    back.entitiesByName["Quake"]?.versionHashModifier = "3"
    _ = try open(back, migrates: true)
    let triggers = "SELECT 1 FROM pg_trigger WHERE NOT tgisinternal AND tgrelid = 'zquake'::regclass"
    #expect(try connection.run(SQLStatement(triggers)).rowCount == 0)
  }

  @Test func `a copy of a store computes its own derived values`() throws {
    let opened = try open()
    let honshu = try opened.region("Honshu")
    let other = try PostgreSQLServer.shared.get().freshURL()
    try PostgreSQLStore.replace(at: other, with: url, timeout: 10)
    let copy = try open(at: other)
    _ = try copy.quake("a", 5, in: honshu)
    #expect(try copy.value(honshu, "count") == .integer(1) && opened.value(honshu, "count") == .integer(0))
  }

  @Test func `a rebuilt store computes derived values`() throws {
    let opened = try open()
    _ = try opened.region("Honshu")
    opened.store.close()
    try PostgreSQLStore.rebuild(at: url, timeout: 10) { copy in
      let new = try open(at: copy)
      _ = try new.region("Chile")
      new.store.close()
      return true
    }
    let rebuilt = try open()
    let chile = try #require(try rebuilt.ids("Region").first)
    _ = try rebuilt.quake("a", 5, in: chile)
    #expect(try rebuilt.value(chile, "count") == .integer(1))
  }

  @Test func `a derivation that the server cannot compute is refused`() throws {
    let model = Self.model()
    model.entitiesByName["Quake"]?.properties.append(derivedAttribute("loud", .string, "uppercase:(region.name)"))
    let error = #expect(throws: StoreError.self) { try open(model) }
    #expect(error?.message.contains("derived attribute 'Quake.loud'") == true, "\(error?.message ?? "")")
  }
}

/// A store of regions and quakes.
private struct Regions {
  let store: PostgreSQLStore
  let model: NSManagedObjectModel

  private func layout(_ entity: String) throws -> EntityLayout { try #require(model.entitiesByName[entity]?.layout) }

  /// A new row with a temporary ID.
  func row(_ entity: String, _ values: [String: SlotValue]) throws -> Row {
    let layout = try layout(entity)
    let page = RowPage(layout: layout, capacity: 1)
    let row = Row(page: page, index: page.append(id: .temporary(entity: layout.number), version: 0))
    for (name, value) in values { row.set(slot: try #require(layout.slot(named: name)), to: value) }
    return row
  }

  func insert(_ rows: [Row]) throws -> [RowID] {
    var batch = ChangeBatch()
    batch.inserted = rows
    return try store.commit(batch).inserted
  }

  func region(_ name: String) throws -> RowID { try insert([row("Region", ["name": .string(name)])])[0] }

  func quake(_ name: String, _ magnitude: Double, in region: RowID) throws -> RowID {
    let values: [String: SlotValue] = [
      "name": .string(name), "magnitude": .double(magnitude), "region": .reference(region),
    ]
    return try insert([row("Quake", values)])[0]
  }

  func change(_ id: RowID, _ name: String, _ value: SlotValue) throws {
    let row = try #require(try stored(id)).copy()
    let slot = try #require(row.layout.slot(named: name))
    row.set(slot: slot, to: value)
    var batch = ChangeBatch()
    batch.updated = [RowUpdate(row: row, slots: [1 << UInt64(slot)])]
    _ = try store.commit(batch)
  }

  func delete(_ id: RowID) throws {
    var batch = ChangeBatch()
    batch.deleted = [RowDeletion(id: id, version: nil)]
    _ = try store.commit(batch)
  }

  func stored(_ id: RowID) throws -> Row? { try store.rows(with: [id]).rows.first }

  func value(_ id: RowID, _ name: String) throws -> SlotValue? {
    try stored(id).flatMap { row in row.layout.slot(named: name).map { row[$0] } }
  }

  func ids(_ entity: String) throws -> [RowID] { try store.ids(for: FetchQuery(layout: layout(entity))) }
}
