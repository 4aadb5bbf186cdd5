import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Batch requests.
extension StoreConformance {
  static let bulkChecks = [
    ConformanceCheck("a batch insert inserts all pages") { factory in
      let fixture = try StoreFixture(factory)
      let rows = ListedRows(try fixture.layout("Quake"), pageSize: 7, (0..<50).map { ["name": .string("q\($0)")] })
      let receipt = try fixture.store.execute(fixture.change(.insert(rows.insertion(.fail)), wantsIDs: true))
      try expectEqual(receipt.insertedCount, 50)
      try expectEqual(receipt.inserted.count, 50)
      try expectEqual(fixture.value(receipt.inserted[49], "name"), .string("q49"))
      try expectEqual(fixture.row(receipt.inserted[0]).version, 1, "the version of a new row")
      try expectEqual(try fixture.saveNamed("Quake", ["next"])[0].key, receipt.inserted[49].key + 1, "the next key")
      let history = try fixture.store.history(after: 0, limit: 0)
      try expectEqual(history.map(\.author), ["bulk", nil])
      try expectEqual(history[0].changes.map(\.id), receipt.inserted, "the rows in the history")
      try expect(history[0].changes.allSatisfy { $0.kind == .insert }, "a change is not an insertion")
      try expectEqual(receipt.transaction, history[0].number)
    },
    ConformanceCheck("a failed batch insert inserts nothing") { factory in
      let fixture = try StoreFixture(factory)
      let rows = ListedRows(try fixture.layout("Quake"), pageSize: 2, (0..<9).map { ["name": .string("q\($0)")] })
      rows.failsAtPage = 3
      _ = try fixture.refusal { _ = try fixture.store.execute(fixture.change(.insert(rows.insertion(.fail)))) }
      try expectEqual(fixture.names(try fixture.plan("Quake")), [])
      try expectEqual(fixture.store.newestTransaction(), 0, "the newest transaction")
      let twice = ListedRows(try fixture.layout("Account"), [["email": .string("a")], ["email": .string("a")]])
      let refusal = try fixture.refusal {
        _ = try fixture.store.execute(fixture.change(.insert(twice.insertion(.fail))))
      }
      try expectEqual(refusal.code, .constraint)
      try expectEqual(fixture.names(try fixture.plan("Account"), of: "email"), [])
    },
    ConformanceCheck("a batch insert resolves conflicts with stored rows") { factory in
      for (policy, bank, number) in [
        (BulkInsertion.Conflict.keepStored, SlotValue.string("X"), SlotValue.integer(1)),
        (.takeGiven, .string("X"), .integer(2)), (.takeAll, .null, .integer(2)),
      ] {
        let fixture = try StoreFixture(factory, name: "store \(policy)")
        let id = try fixture.save {
          try $0.insert("Account", ["email": .string("a"), "bank": .string("X"), "number": .integer(1)])
        }[0]
        let rows = ListedRows(
          try fixture.layout("Account"), [["email": .string("a"), "number": .integer(2)], ["email": .string("b")]])
        let receipt = try fixture.store.execute(fixture.change(.insert(rows.insertion(policy)), wantsIDs: true))
        try expectEqual(receipt.insertedCount, 1, "the rows inserted with \(policy)")
        try expectEqual(receipt.updated, policy == .keepStored ? [] : [id], "the rows updated with \(policy)")
        try expectEqual(fixture.value(id, "bank"), bank, "the value that was not given, with \(policy)")
        try expectEqual(fixture.value(id, "number"), number, "the value that was given, with \(policy)")
        try expectEqual(fixture.row(id).version, policy == .keepStored ? 1 : 2, "the version with \(policy)")
        let changes = try fixture.store.history(after: 0, limit: 0).last?.changes ?? []
        try expectEqual(Set(changes.filter { $0.kind == .insert }.map(\.id)), Set(receipt.inserted))
        let updates = changes.filter { $0.kind == .update }
        try expectEqual(updates.map(\.id), receipt.updated)
        guard policy == .takeGiven else { continue }
        try expectEqual(updates.map { Set($0.updatedProperties) }, [["email", "number"]])
      }
    },
    ConformanceCheck("a batch update changes the rows that the filter selects") { factory in
      let tagged = try TaggedQuakes(factory)
      let fixture = tagged.fixture
      let last = try fixture.store.newestTransaction()
      var update = BulkUpdate(
        layout: try fixture.layout("Quake"), includesSubentities: true,
        filter: try PredicateParser.tree("magnitude >= 3")
      )
      try update.set("name", .string("strong"))
      try update.set("region", .null)
      let receipt = try fixture.store.execute(fixture.change(.update(update), wantsIDs: true))
      try expectEqual(receipt.updatedCount, 3)
      try expectEqual(Set(receipt.updated), [tagged.quakes[1], tagged.quakes[2], tagged.quakes[4]])
      try expectEqual(fixture.names(try fixture.plan("Quake")), ["a", "strong", "strong", "d", "strong"])
      try expectEqual(fixture.row(tagged.quakes[1]).version, 2, "the version of a changed row")
      try expectEqual(fixture.related(tagged.regions[0], "quakes"), [tagged.quakes[0]], "the members of the region")
      let history = try fixture.store.history(after: last, limit: 0)
      try expectEqual(history.count, 1, "the number of transactions")
      try expectEqual(history[0].changes.map(\.id), receipt.updated.sorted { $0.key < $1.key })
      try expectEqual(Set(history[0].changes.flatMap(\.updatedProperties)), ["name", "region"])
    },
    ConformanceCheck("a batch update of no rows creates no transaction") { factory in
      let tagged = try TaggedQuakes(factory)
      let fixture = tagged.fixture
      let last = try fixture.store.newestTransaction()
      var update = BulkUpdate(
        layout: try fixture.layout("Quake"), includesSubentities: true,
        filter: try PredicateParser.tree("magnitude > 99")
      )
      try update.set("name", .string("x"))
      let receipt = try fixture.store.execute(fixture.change(.update(update)))
      try expect(receipt.isEmpty && receipt.transaction == nil, "the receipt of an update of no rows is not empty")
      try expectEqual(fixture.store.newestTransaction(), last, "the newest transaction")
      try fixture.saveNamed("Quake", ["z"])
      try expectEqual(fixture.store.newestTransaction(), last + 1, "the next transaction")
    },
    ConformanceCheck("a batch delete empties relationships to the deleted rows") { factory in
      let tagged = try TaggedQuakes(factory)
      let fixture = tagged.fixture
      let last = try fixture.store.newestTransaction()
      let deletion = BulkDeletion(
        layout: try fixture.layout("Region"),
        selection: .query(try fixture.plan("Region", try PredicateParser.tree("name == 'r1'"))))
      let receipt = try fixture.store.execute(fixture.change(.delete(deletion), wantsIDs: true))
      try expectEqual(receipt.deleted, [tagged.regions[0]])
      try expectEqual(Set(receipt.updated), [tagged.quakes[0], tagged.quakes[1]])
      try expectEqual(fixture.value(tagged.quakes[0], "region"), .null)
      try expectEqual(fixture.value(tagged.quakes[2], "region"), .reference(tagged.regions[1]))
      try expectEqual(fixture.row(tagged.quakes[0]).version, 2, "the version of an emptied row")
      let changes = try fixture.store.history(after: last, limit: 0).flatMap(\.changes)
      try expectEqual(changes.filter { $0.kind == .delete }.map(\.id), [tagged.regions[0]])
      try expectEqual(
        changes.filter { $0.kind == .update }.map { ($0.id.key, $0.updatedProperties) }.map { "\($0)" },
        [tagged.quakes[0], tagged.quakes[1]].map { "\(($0.key, ["region"]))" })
    },
    ConformanceCheck("a batch delete by IDs removes many-to-many links") { factory in
      let tagged = try TaggedQuakes(factory)
      let fixture = tagged.fixture
      let deletion = BulkDeletion(
        layout: try fixture.layout("Tag"),
        selection: .ids([tagged.tags[0], tagged.tags[0], RowID(store: 1, entity: tagged.tags[0].entity, key: 99)]))
      let receipt = try fixture.store.execute(fixture.change(.delete(deletion)))
      try expectEqual(receipt.deletedCount, 1)
      try expectEqual(receipt.deleted, [], "the IDs that were not requested")
      try expectEqual(fixture.related(tagged.quakes[0], "tags"), [tagged.tags[1]])
      try expectEqual(fixture.related(tagged.quakes[1], "tags"), [])
    },
    ConformanceCheck("batch requests without history create no transactions") { factory in
      let fixture = try StoreFixture(factory, keepsHistory: false)
      let rows = ListedRows(try fixture.layout("Quake"), [["name": .string("a")], ["name": .string("b")]])
      try expectEqual(fixture.store.execute(fixture.change(.insert(rows.insertion(.fail)))).transaction, nil)
      var update = BulkUpdate(layout: try fixture.layout("Quake"), includesSubentities: true, filter: nil)
      try update.set("name", .string("c"))
      try expectEqual(fixture.store.execute(fixture.change(.update(update), wantsIDs: true)).updated.count, 2)
      let plan = try fixture.plan("Quake")
      let deletion = BulkDeletion(layout: plan.layout, selection: .query(plan))
      try expectEqual(fixture.store.execute(fixture.change(.delete(deletion))).deletedCount, 2)
      try expectEqual(fixture.store.newestTransaction(), 0, "the newest transaction")
      try expectEqual(fixture.store.count(for: plan), 0)
    },
  ]
}

/// Rows for a batch insert, in pages that are reused.
private final class ListedRows: BulkRows {
  private let layout: EntityLayout
  private let page: RowPage
  private var rows: ArraySlice<[String: SlotValue]>
  private var pagesMade = 0
  /// The page at which `next` throws.
  var failsAtPage = -1

  init(_ layout: EntityLayout, pageSize: Int = 100, _ rows: [[String: SlotValue]]) {
    self.layout = layout
    self.rows = rows[...]
    page = RowPage(layout: layout, capacity: pageSize)
  }

  func insertion(_ onConflict: BulkInsertion.Conflict) -> BulkInsertion {
    BulkInsertion(layout: layout, rows: self, onConflict: onConflict)
  }

  func next() throws -> BulkPage? {
    if pagesMade == failsAtPage { throw StoreError(.unsupported, "The test makes this page fail.") }
    pagesMade += 1
    page.removeAll()
    var given: [UInt64] = []
    while !page.isFull, let values = rows.popFirst() {
      let row = Row(page: page, index: page.append(id: .none, version: 0))
      var words = [UInt64](repeating: 0, count: layout.nullWords)
      for (name, value) in values {
        let slot = try expectSome(layout.slot(named: name), "the slot \(name)")
        row.set(slot: slot, to: value)
        words[slot >> 6] |= 1 << UInt64(slot & 63)
      }
      given += words
    }
    return page.count == 0 ? nil : BulkPage(page: page, given: given)
  }
}

extension BulkUpdate {
  fileprivate mutating func set(_ name: String, _ value: SlotValue) throws {
    let slot = try expectSome(layout.slot(named: name), "the slot \(name)")
    values.set(slot: slot, to: value)
    constants[slot >> 6] |= 1 << UInt64(slot & 63)
  }
}

extension StoreFixture {
  fileprivate func layout(_ entity: String) throws -> EntityLayout {
    try expectSome(model.entitiesByName[entity]?.layout, "the layout of \(entity)")
  }

  fileprivate func change(_ work: BulkChange.Work, wantsIDs: Bool = false) -> BulkChange {
    BulkChange(work, wantsIDs: wantsIDs, author: "bulk", contextName: "checks")
  }
}
