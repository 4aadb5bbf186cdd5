import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataSQLStore
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// A big insertion into an empty table builds its indexes last, except those that triggers use for every row:
/// without them, each row would read the whole table.
@Suite struct DeferredIndexTests {
  static let count = 6_000
  let folder: TemporaryFolder
  let nodes: QuakeStore

  init() throws {
    folder = try TemporaryFolder()
    nodes = QuakeStore(
      try SQLStore(opening: folder.url(), model: Self.model(), number: 1, options: .test), in: folder)
    // The indexes that exist while the last row is inserted.
    let shell = try nodes.shell()
    try shell.run("CREATE TABLE seen (name)")
    for table in ["ZNODE", "ZTRIP"] {
      try shell.run(
        """
        CREATE TRIGGER watch_\(table) AFTER INSERT ON \(table) WHEN NEW.Z_PK = \(Self.count) BEGIN \
        INSERT INTO seen SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = '\(table)'; END
        """)
    }
  }

  /// Nodes with parents among them; trips with stops in another table.
  private static func model() -> NSManagedObjectModel {
    let node = makeEntity(
      "Node", unique: [["code"]],
      [
        attribute("title"), attribute("code"), attribute("size", .double),
        derivedAttribute("number", .integer64, "children.@count"),
        derivedAttribute("sizes", .double, "children.@sum.size"),
      ])
    let stop = makeEntity("Stop", [attribute("title"), derivedAttribute("tripTitle", .string, "trip.title")])
    let entities = [node, makeEntity("Trip", [attribute("title")]), stop]
    for entity in entities {
      let element = NSFetchIndexElementDescription(property: entity.properties[0], collationType: .binary)
      entity.indexes = [NSFetchIndexDescription(name: "byTitle", elements: [element])]
    }
    return makeModel(entities)
      .relate("Node", "children", .many, "Node", "parent", .one)
      .relate("Trip", "stops", .many, "Stop", "trip", .one)
  }

  /// The indexes that existed while the last row was inserted.
  private func seen() throws -> Set<String> {
    Set(
      try nodes.shell().rows("SELECT name FROM seen").compactMap {
        if case .text(let name)? = $0.first { name } else { nil }
      })
  }

  private func isWhole() throws -> Bool {
    try nodes.shell().integer("SELECT count(*) FROM sqlite_master WHERE name LIKE '%byTitle'") == 3
  }

  @Test(arguments: [BulkInsertion.Conflict.fail, .takeAll])
  func `a batch insert keeps the indexes that triggers need`(onConflict: BulkInsertion.Conflict) throws {
    let rows = NumberedRows(nodes.layout("Node"), count: Self.count)
    let insertion = BulkInsertion(layout: nodes.layout("Node"), rows: rows, onConflict: onConflict)
    _ = try nodes.store.execute(
      BulkChange(.insert(insertion), wantsIDs: false, author: nil, contextName: nil))
    #expect(try seen() == ["ZNODE_ZPARENT_INDEX", "Z_Node_UNIQUE_code"])
    #expect(try isWhole())
  }

  @Test func `a save keeps the indexes that triggers need`() throws {
    let parent = nodes.row("Node", ["title": .string("parent")])
    let children = (1..<Self.count).map {
      nodes.row("Node", ["size": .double(Double($0)), "parent": .reference(parent.id)])
    }
    let ids = try nodes.insert([parent] + children).inserted
    #expect(try seen() == ["ZNODE_ZPARENT_INDEX", "Z_Node_UNIQUE_code"])
    #expect(try isWhole())
    #expect(try nodes.value(ids[0], "number") == .integer(Int64(Self.count - 1)))
    #expect(try nodes.value(ids[0], "sizes") == .double(Double(Self.count * (Self.count - 1) / 2)))
  }

  /// Every new trip queries its stops.
  @Test func `a save keeps the indexes that triggers of other tables need`() throws {
    let shell = try nodes.shell()
    try shell.run(
      """
      CREATE TRIGGER watch_stops AFTER INSERT ON ZTRIP BEGIN \
      INSERT INTO seen SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ZSTOP'; END
      """)
    let trip = nodes.row("Trip", ["title": .string("Alps")])
    let stops = (0..<Self.count).map { nodes.row("Stop", ["title": .string("\($0)"), "trip": .reference(trip.id)]) }
    let ids = try nodes.insert(stops + [trip]).inserted
    #expect(try seen() == ["ZSTOP_ZTRIP_INDEX"])
    #expect(try isWhole())
    #expect(try nodes.value(ids[7], "tripTitle") == .string("Alps"))
  }
}

/// Rows with codes, in pages that are reused.
private final class NumberedRows: BulkRows {
  private let page: RowPage
  private let code: Int
  private let count: Int
  private var made = 0

  init(_ layout: EntityLayout, count: Int) {
    (page, code, self.count) = (RowPage(layout: layout, capacity: 100), layout.slot(named: "code") ?? 0, count)
  }

  func next() -> BulkPage? {
    page.removeAll()
    while !page.isFull, made < count {
      let row = Row(page: page, index: page.append(id: .none, version: 0))
      row.set(slot: code, to: .string("\(made)"))
      made += 1
    }
    let words = [UInt64](repeating: 0, count: page.layout.nullWords)
    return page.count == 0 ? nil : BulkPage(page: page, given: Array(repeatElement(words, count: page.count).joined()))
  }
}
