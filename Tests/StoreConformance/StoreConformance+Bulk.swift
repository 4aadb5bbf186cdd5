import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Batch requests.
extension StoreConformance {
  static let bulkChecks = [
    ConformanceCheck("bulkInsertStreamsPages") { factory in
      let scene = try Scene(factory)
      let rows = ListedRows(try scene.layout("Quake"), pageSize: 7, (0..<50).map { ["name": .string("q\($0)")] })
      let receipt = try scene.store.execute(scene.change(.insert(rows.insertion(.fail)), wantsIDs: true))
      try expectEqual(receipt.insertedCount, 50)
      try expectEqual(receipt.inserted.count, 50)
      try expectEqual(scene.value(receipt.inserted[49], "name"), .string("q49"))
      try expectEqual(scene.row(receipt.inserted[0]).version, 1, "the version of a new row")
      try expectEqual(try scene.saveNamed("Quake", ["next"])[0].key, receipt.inserted[49].key + 1, "the next key")
      let history = try scene.store.history(after: 0, limit: 0)
      try expectEqual(history.map(\.author), ["bulk", nil])
      try expectEqual(history[0].changes.map(\.id), receipt.inserted, "the rows in the history")
      try expect(history[0].changes.allSatisfy { $0.kind == .insert }, "a change is no insertion")
      try expectEqual(receipt.transaction, history[0].number)
    },
    ConformanceCheck("bulkInsertThatFailsLeavesNothing") { factory in
      let scene = try Scene(factory)
      let rows = ListedRows(try scene.layout("Quake"), pageSize: 2, (0..<9).map { ["name": .string("q\($0)")] })
      rows.failsAtPage = 3
      _ = try scene.refusal { _ = try scene.store.execute(scene.change(.insert(rows.insertion(.fail)))) }
      try expectEqual(scene.names(try scene.plan("Quake")), [])
      try expectEqual(scene.store.newestTransaction(), 0, "the newest transaction")
      let twice = ListedRows(try scene.layout("Account"), [["email": .string("a")], ["email": .string("a")]])
      let refusal = try scene.refusal { _ = try scene.store.execute(scene.change(.insert(twice.insertion(.fail)))) }
      try expectEqual(refusal.code, .constraint)
      try expectEqual(scene.names(try scene.plan("Account"), of: "email"), [])
    },
    ConformanceCheck("bulkInsertMeetsStoredRows") { factory in
      for (policy, bank, number) in [
        (BulkInsertion.Conflict.keepStored, SlotValue.string("X"), SlotValue.integer(1)),
        (.takeGiven, .string("X"), .integer(2)), (.takeAll, .null, .integer(2)),
      ] {
        let scene = try Scene(factory, name: "store \(policy)")
        let id = try scene.save {
          try $0.insert("Account", ["email": .string("a"), "bank": .string("X"), "number": .integer(1)])
        }[0]
        let rows = ListedRows(
          try scene.layout("Account"), [["email": .string("a"), "number": .integer(2)], ["email": .string("b")]])
        let receipt = try scene.store.execute(scene.change(.insert(rows.insertion(policy)), wantsIDs: true))
        try expectEqual(receipt.insertedCount, 1, "the rows inserted with \(policy)")
        try expectEqual(receipt.updated, policy == .keepStored ? [] : [id], "the rows updated with \(policy)")
        try expectEqual(scene.value(id, "bank"), bank, "the value that was not given, with \(policy)")
        try expectEqual(scene.value(id, "number"), number, "the value that was given, with \(policy)")
        try expectEqual(scene.row(id).version, policy == .keepStored ? 1 : 2, "the version with \(policy)")
        let changes = try scene.store.history(after: 0, limit: 0).last?.changes ?? []
        try expectEqual(Set(changes.filter { $0.kind == .insert }.map(\.id)), Set(receipt.inserted))
        let updates = changes.filter { $0.kind == .update }
        try expectEqual(updates.map(\.id), receipt.updated)
        guard policy == .takeGiven else { continue }
        try expectEqual(updates.map { Set($0.updatedProperties) }, [["email", "number"]])
      }
    },
    ConformanceCheck("bulkUpdateChangesWhatTheFilterSelects") { factory in
      let tagged = try TaggedQuakes(factory)
      let scene = tagged.scene
      let last = try scene.store.newestTransaction()
      var update = BulkUpdate(
        layout: try scene.layout("Quake"), includesSubentities: true, filter: try PredicateParser.tree("magnitude >= 3")
      )
      try update.set("name", .string("strong"))
      try update.set("region", .null)
      let receipt = try scene.store.execute(scene.change(.update(update), wantsIDs: true))
      try expectEqual(receipt.updatedCount, 3)
      try expectEqual(Set(receipt.updated), [tagged.quakes[1], tagged.quakes[2], tagged.quakes[4]])
      try expectEqual(scene.names(try scene.plan("Quake")), ["a", "strong", "strong", "d", "strong"])
      try expectEqual(scene.row(tagged.quakes[1]).version, 2, "the version of a changed row")
      try expectEqual(scene.related(tagged.regions[0], "quakes"), [tagged.quakes[0]], "the members of the region")
      let history = try scene.store.history(after: last, limit: 0)
      try expectEqual(history.count, 1, "the number of transactions")
      try expectEqual(history[0].changes.map(\.id), receipt.updated.sorted { $0.key < $1.key })
      try expectEqual(Set(history[0].changes.flatMap(\.updatedProperties)), ["name", "region"])
    },
    ConformanceCheck("bulkUpdateOfNothingMakesNoTransaction") { factory in
      let tagged = try TaggedQuakes(factory)
      let scene = tagged.scene
      let last = try scene.store.newestTransaction()
      var update = BulkUpdate(
        layout: try scene.layout("Quake"), includesSubentities: true, filter: try PredicateParser.tree("magnitude > 99")
      )
      try update.set("name", .string("x"))
      let receipt = try scene.store.execute(scene.change(.update(update)))
      try expect(receipt.isEmpty && receipt.transaction == nil, "the receipt of nothing says something")
      try expectEqual(scene.store.newestTransaction(), last, "the newest transaction")
      try scene.saveNamed("Quake", ["z"])
      try expectEqual(scene.store.newestTransaction(), last + 1, "the next transaction")
    },
    ConformanceCheck("bulkDeleteEmptiesRelationships") { factory in
      let tagged = try TaggedQuakes(factory)
      let scene = tagged.scene
      let last = try scene.store.newestTransaction()
      let deletion = BulkDeletion(
        layout: try scene.layout("Region"),
        selection: .query(try scene.plan("Region", try PredicateParser.tree("name == 'r1'"))))
      let receipt = try scene.store.execute(scene.change(.delete(deletion), wantsIDs: true))
      try expectEqual(receipt.deleted, [tagged.regions[0]])
      try expectEqual(Set(receipt.updated), [tagged.quakes[0], tagged.quakes[1]])
      try expectEqual(scene.value(tagged.quakes[0], "region"), .null)
      try expectEqual(scene.value(tagged.quakes[2], "region"), .reference(tagged.regions[1]))
      try expectEqual(scene.row(tagged.quakes[0]).version, 2, "the version of an emptied row")
      let changes = try scene.store.history(after: last, limit: 0).flatMap(\.changes)
      try expectEqual(changes.filter { $0.kind == .delete }.map(\.id), [tagged.regions[0]])
      try expectEqual(
        changes.filter { $0.kind == .update }.map { ($0.id.key, $0.updatedProperties) }.map { "\($0)" },
        [tagged.quakes[0], tagged.quakes[1]].map { "\(($0.key, ["region"]))" })
    },
    ConformanceCheck("bulkDeleteByIDsTakesPairsAlong") { factory in
      let tagged = try TaggedQuakes(factory)
      let scene = tagged.scene
      let deletion = BulkDeletion(
        layout: try scene.layout("Tag"),
        selection: .ids([tagged.tags[0], tagged.tags[0], RowID(store: 1, entity: tagged.tags[0].entity, key: 99)]))
      let receipt = try scene.store.execute(scene.change(.delete(deletion)))
      try expectEqual(receipt.deletedCount, 1)
      try expectEqual(receipt.deleted, [], "the ids that nobody asked for")
      try expectEqual(scene.related(tagged.quakes[0], "tags"), [tagged.tags[1]])
      try expectEqual(scene.related(tagged.quakes[1], "tags"), [])
    },
    ConformanceCheck("bulkChangesWithoutHistoryLeaveNone") { factory in
      let scene = try Scene(factory, keepsHistory: false)
      let rows = ListedRows(try scene.layout("Quake"), [["name": .string("a")], ["name": .string("b")]])
      try expectEqual(scene.store.execute(scene.change(.insert(rows.insertion(.fail)))).transaction, nil)
      var update = BulkUpdate(layout: try scene.layout("Quake"), includesSubentities: true, filter: nil)
      try update.set("name", .string("c"))
      try expectEqual(scene.store.execute(scene.change(.update(update), wantsIDs: true)).updated.count, 2)
      let plan = try scene.plan("Quake")
      let deletion = BulkDeletion(layout: plan.layout, selection: .query(plan))
      try expectEqual(scene.store.execute(scene.change(.delete(deletion))).deletedCount, 2)
      try expectEqual(scene.store.newestTransaction(), 0, "the newest transaction")
      try expectEqual(scene.store.count(for: plan), 0)
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
    if pagesMade == failsAtPage { throw StoreError(.unsupported, "The page was to fail.") }
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

extension Scene {
  fileprivate func layout(_ entity: String) throws -> EntityLayout {
    try expectSome(model.entitiesByName[entity]?.layout, "the layout of \(entity)")
  }

  fileprivate func change(_ work: BulkChange.Work, wantsIDs: Bool = false) -> BulkChange {
    BulkChange(work, wantsIDs: wantsIDs, author: "bulk", contextName: "checks")
  }
}
