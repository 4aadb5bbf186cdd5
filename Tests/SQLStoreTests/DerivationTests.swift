import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLStore
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// Derived attributes, which triggers in the file compute for every writer.
@Suite struct DerivationTests {
  let folder: TemporaryFolder
  let quakes: QuakeStore

  init() throws {
    folder = try TemporaryFolder()
    quakes = QuakeStore(try Self.open(folder), in: folder)
  }

  /// Triggers of an untrusted file must not call functions that could harm this process.
  @Test(arguments: [
    "SELECT STRATA_FILE(x'0241', 1)", "SELECT STRATA_MATCHES(NEW.ZNAME, '(a*)*b', 0)",
  ])
  func `triggers of the file cannot call unsafe functions`(action: String) throws {
    let shell = try quakes.shell()
    try shell.run("CREATE TRIGGER foreign_one AFTER INSERT ON ZQUAKE BEGIN \(action); END")
    let error = #expect(throws: StoreError.self) {
      try quakes.insert([quakes.row("Quake", ["name": .string("a")])])
    }
    #expect(error?.message.contains("unsafe use of") == true, "\(error?.message ?? "")")
    #expect(try shell.value("SELECT count(*) FROM ZQUAKE") == .integer(0))
    try shell.run("DROP TRIGGER foreign_one")
    _ = try quakes.insert([quakes.row("Quake", ["name": .string("a")])])
  }

  private static func open(_ folder: TemporaryFolder) throws -> SQLStore {
    try SQLStore(opening: folder.url(), model: model(), number: 1, options: .test)
  }

  private static func model() -> NSManagedObjectModel {
    QuakeStore.model { quake, region in
      quake.properties += [
        derivedAttribute("home", .string, "region.name"), derivedAttribute("folded", .string, "canonical:(name)"),
        derivedAttribute("loud", .string, "uppercase:(region.name)"), derivedAttribute("changed", .date, "now()"),
      ]
      let magnitude = NSFetchIndexElementDescription(
        property: quake.propertiesByName["magnitude"] ?? attribute("magnitude", .double),
        collationType: .rTree)
      quake.indexes = [NSFetchIndexDescription(name: "bySize", elements: [magnitude])]
      region.properties += [
        derivedAttribute("count", .integer64, "quakes.@count"),
        derivedAttribute("sum", .double, "quakes.@sum.magnitude"),
      ]
    }
  }

  private func region(_ name: String) throws -> RowID {
    try quakes.insert([quakes.row("Region", ["name": .string(name)])]).inserted[0]
  }

  private func quake(_ name: String, _ magnitude: Double, in region: RowID) throws -> RowID {
    let row = quakes.row(
      "Quake", ["name": .string(name), "magnitude": .double(magnitude), "region": .reference(region)])
    return try quakes.insert([row]).inserted[0]
  }

  private func change(_ id: RowID, _ name: String, _ value: SlotValue) throws {
    var batch = ChangeBatch()
    batch.updated = [quakes.update(try #require(try quakes.stored(id)), name, value)]
    _ = try quakes.store.commit(batch)
  }

  @Test func `counts and sums follow the members`() throws {
    let (honshu, chile) = (try region("Honshu"), try region("Chile"))
    #expect(try quakes.value(honshu, "count") == .integer(0))
    #expect(try quakes.value(honshu, "sum") == .double(0))
    let first = try quake("a", 5, in: honshu)
    let second = try quake("b", 6.5, in: honshu)
    #expect(try quakes.value(honshu, "count") == .integer(2))
    #expect(try quakes.value(honshu, "sum") == .double(11.5))
    try change(first, "region", .reference(chile))
    try change(second, "magnitude", .double(7))
    #expect(try quakes.value(honshu, "count") == .integer(1))
    #expect(try quakes.value(honshu, "sum") == .double(7))
    #expect(try quakes.value(chile, "sum") == .double(5))
    var batch = ChangeBatch()
    batch.deleted = [RowDeletion(id: second, version: nil)]
    _ = try quakes.store.commit(batch)
    #expect(try quakes.value(honshu, "count") == .integer(0))
    #expect(try quakes.stored(honshu)?.version == 1, "No save changed the row itself.")
  }

  @Test func `members inserted in the same save are counted`() throws {
    let region = quakes.row("Region", ["name": .string("Honshu")])
    let rows = (0..<3).map { quakes.row("Quake", ["magnitude": .double(Double($0)), "region": .reference(region.id)]) }
    for order in [[region] + rows, rows + [region]] {
      let ids = try quakes.insert(order).inserted
      let home = try #require(ids.first { $0.entity == region.id.entity })
      let quake = try #require(ids.first { $0.entity != region.id.entity })
      #expect(try quakes.value(home, "count") == .integer(3))
      #expect(try quakes.value(home, "sum") == .double(3))
      #expect(try quakes.value(quake, "home") == .string("Honshu"))
      try change(home, "name", .string("Kyushu \(order[0].id.key)"))
    }
  }

  @Test func `derived values follow other attributes`() throws {
    let honshu = try region("Honsh\u{16B}")
    let id = try quake("T\u{14D}hoku", 9, in: honshu)
    #expect(try quakes.value(id, "folded") == .string("tohoku"))
    #expect(try quakes.value(id, "home") == .string("Honsh\u{16B}"))
    #expect(try quakes.value(id, "loud") == .string("HONSH\u{16A}"))
    guard case .date(let made) = try quakes.value(id, "changed") else { return #expect(Bool(false)) }
    #expect(abs(made - Date().timeIntervalSinceReferenceDate) < 60)
    try change(id, "name", .string("\u{C9}ire"))
    try change(honshu, "name", .string("Kyushu"))
    #expect(try quakes.value(id, "folded") == .string("eire"))
    #expect(try quakes.value(id, "home") == .string("Kyushu"))
    guard case .date(let changed) = try quakes.value(id, "changed") else { return #expect(Bool(false)) }
    #expect(changed > made)
  }

  @Test func `values set by a program do not replace derived values`() throws {
    let honshu = try quakes.insert([quakes.row("Region", ["name": .string("Honshu"), "count": .integer(99)])]).inserted[
      0]
    #expect(try quakes.value(honshu, "count") == .integer(0))
    try change(honshu, "count", .integer(42))
    #expect(try quakes.value(honshu, "count") == .integer(0))
    #expect(try quakes.stored(honshu)?.version == 2)
  }

  @Test func `a migration computes derived values of existing rows`() throws {
    let old = try QuakeStore(in: folder, "Old.sqlite")
    let honshu = try old.insert([old.row("Region", ["name": .string("Honshu")])]).inserted[0]
    let values: [String: SlotValue] = [
      "name": .string("\u{C9}ire"), "magnitude": .double(6), "region": .reference(honshu),
    ]
    let quake = try old.insert([old.row("Quake", values)]).inserted[0]
    old.store.close()
    var options = SQLStoreOptions.test
    options.migration = SQLStoreOptions.Migration()
    let store = try SQLStore(opening: folder.url("Old.sqlite"), model: Self.model(), number: 1, options: options)
    let migrated = QuakeStore(store, in: folder)
    #expect(try migrated.value(honshu, "count") == .integer(1))
    #expect(try migrated.value(honshu, "sum") == .double(6))
    #expect(try migrated.value(quake, "folded") == .string("eire"))
    #expect(try migrated.value(quake, "loud") == .string("HONSHU"))
    #expect(
      try migrated.shell().rows("SELECT Z_PK, ZMAGNITUDE_MAX FROM Z_RT_Quake_bySize")
        == [[.integer(quake.key), .real(6)]])
    try migrated.insert([migrated.row("Quake", ["region": .reference(honshu)])])
    #expect(try migrated.value(honshu, "count") == .integer(2))
    #expect(try migrated.shell().value("SELECT count(*) FROM Z_RT_Quake_bySize") == .integer(2))
  }

  @Test func `a derivation that triggers cannot compute is refused`() throws {
    let model = QuakeStore.model { quake, _ in
      quake.properties.append(derivedAttribute("odd", .double, "magnitude + 1"))
    }
    let error = #expect(throws: StoreError.self) {
      try SQLStore(opening: folder.url("Other.sqlite"), model: model, number: 2, options: .test)
    }
    #expect(error?.message.contains("'Quake.odd' cannot be computed") == true, "\(error?.message ?? "")")
  }

  @Test func `R-tree boxes follow their rows`() throws {
    let model = QuakeStore.model { quake, _ in
      let elements = [attribute("latitude", .double), attribute("longitude", .double)]
      quake.properties += elements
      quake.indexes = [
        NSFetchIndexDescription(
          name: "byPlace",
          elements: elements.map { NSFetchIndexElementDescription(property: $0, collationType: .rTree) })
      ]
    }
    let store = try SQLStore(opening: folder.url("Places.sqlite"), model: model, number: 2, options: .test)
    let places = QuakeStore(store, in: folder)
    let rows = [(35.0, 139.0), (-33, -70)].map { latitude, longitude in
      places.row("Quake", ["latitude": .double(latitude), "longitude": .double(longitude)])
    }
    let ids = try places.insert(rows).inserted
    let found = "SELECT Z_PK FROM Z_RT_Quake_byPlace WHERE ZLATITUDE_MIN >= 30 AND ZLATITUDE_MAX <= 40"
    #expect(try places.shell().rows(found) == [[.integer(ids[0].key)]])
    var batch = ChangeBatch()
    batch.updated = [places.update(try #require(try places.stored(ids[1])), "latitude", .double(36))]
    batch.deleted = [RowDeletion(id: ids[0], version: nil)]
    _ = try store.commit(batch)
    #expect(try places.shell().rows(found) == [[.integer(ids[1].key)]])
    #expect(try places.shell().value("PRAGMA integrity_check") == .text("ok"))
  }
}
