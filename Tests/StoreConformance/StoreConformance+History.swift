import Foundation
import StrataManagedModel
import StrataRowStore

/// The history of commits.
extension StoreConformance {
  static let historyChecks = [
    ConformanceCheck("the history lists transactions with authors and changes in order") { factory in
      let fixture = try StoreFixture(factory)
      let before = Date().timeIntervalSinceReferenceDate
      let ids = try fixture.save(author: "fetch", contextName: "import") { draft in
        try draft.insert("Quake", quake("a", 5, 10))
        try draft.insert("Region", ["name": .string("r")])
      }
      try fixture.save(author: "reader") { draft in
        try draft.update(fixture.row(ids[0]), ["magnitude": .double(6), "region": .reference(ids[1])])
        draft.delete(try fixture.row(ids[1]))
      }
      let history = try fixture.store.history(after: 0, limit: 0)
      try expectEqual(history.map(\.author), ["fetch", "reader"], "the authors")
      try expectEqual(history.map(\.contextName), ["import", nil], "the names of the contexts")
      try expectEqual(
        history.map { Set($0.changes.map(Event.init)) },
        [
          [Event(.insert, ids[0]), Event(.insert, ids[1])],
          [Event(.update, ids[0], ["magnitude", "region"]), Event(.delete, ids[1])],
        ])
      let numbers = history.flatMap(\.changes).map(\.number)
      try expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "the changes' numbers are \(numbers)")
      for transaction in history {
        let now = Date().timeIntervalSinceReferenceDate
        try expect(transaction.timestamp > before - 1 && transaction.timestamp < now + 1, "a timestamp is off")
        try expect(transaction.processID?.isEmpty == false, "a transaction has no process")
      }
    },
    ConformanceCheck("the history lists changed to-many relationships") { factory in
      let tagged = try TaggedQuakes(factory)
      let fixture = tagged.fixture
      let last = try fixture.store.newestTransaction()
      try fixture.save { draft in
        try draft.link(tagged.quakes[2], "tags", add: [tagged.tags[0]])
        try draft.update(fixture.row(tagged.quakes[2]), ["name": .string("c2")], toMany: ["tags"])
        try draft.update(fixture.row(tagged.tags[0]), [:], toMany: ["quakes"])
      }
      let changes = try fixture.store.history(after: last, limit: 0).flatMap(\.changes)
      try expectEqual(
        Set(changes.map(Event.init)),
        [
          Event(.update, tagged.quakes[2], ["name", "tags"]), Event(.update, tagged.tags[0], ["quakes"]),
        ])
    },
    ConformanceCheck("the history after a transaction excludes that transaction") { factory in
      let fixture = try StoreFixture(factory)
      for name in ["a", "b", "c"] { try fixture.save(author: name) { try $0.insert("Quake", quake(name, nil, nil)) } }
      let numbers = try fixture.store.history(after: 0, limit: 0).map(\.number)
      try expectEqual(numbers.count, 3, "the number of transactions")
      try expect(numbers[0] > 0 && numbers[0] < numbers[1] && numbers[1] < numbers[2], "the numbers are \(numbers)")
      try expectEqual(fixture.store.history(after: numbers[0], limit: 0).map(\.author), ["b", "c"])
      try expectEqual(fixture.store.history(after: numbers[2], limit: 0).count, 0, "the transactions after the last")
      try expectEqual(fixture.store.history(after: 0, limit: 2).map(\.author), ["a", "b"], "the first two")
      try expectEqual(
        fixture.store.history(after: numbers[0], limit: 1).map(\.author), ["b"], "the one after the first")
    },
    ConformanceCheck("the receipt contains the transaction number") { factory in
      let fixture = try StoreFixture(factory)
      try expectEqual(fixture.store.newestTransaction(), 0, "the newest transaction of a new store")
      for _ in 0..<2 {
        var draft = BatchDraft()
        try draft.insert("Quake")
        let number = try fixture.store.commit(draft.batch).transaction
        try expectEqual(fixture.store.newestTransaction(), number ?? 0, "the newest transaction")
        try expectEqual(
          fixture.store.history(after: 0, limit: 0).last?.number, number, "the last number in the history")
      }
    },
    ConformanceCheck("an empty batch creates no transaction") { factory in
      let fixture = try StoreFixture(factory)
      try fixture.saveNamed("Quake", ["a"])
      let newest = try fixture.store.newestTransaction()
      let receipt = try fixture.store.commit(ChangeBatch())
      try expect(receipt.transaction == nil && receipt.inserted.isEmpty, "the receipt of an empty batch is not empty")
      try expectEqual(fixture.store.newestTransaction(), newest, "the newest transaction")
    },
    ConformanceCheck("a store without history keeps no transactions") { factory in
      let fixture = try StoreFixture(factory, keepsHistory: false)
      var draft = BatchDraft()
      try draft.insert("Quake")
      try expectEqual(fixture.store.commit(draft.batch).transaction, nil, "the receipt's transaction")
      try expectEqual(fixture.store.history(after: 0, limit: 0).count, 0, "the number of transactions")
      try expectEqual(fixture.store.newestTransaction(), 0, "the newest transaction")
    },
  ]

  /// History queries and purges.
  static let historyPlanChecks = [
    ConformanceCheck("a history query selects transactions and changes") { factory in
      let fixture = try StoreFixture(factory)
      for name in ["a", "b", "c", "d"] {
        try fixture.save(author: name) { try $0.insert("Quake", quake(name, nil, nil)) }
      }
      let all = try fixture.store.history(after: 0, limit: 0)
      func authors(_ plan: HistoryQuery) throws -> [String?] {
        try fixture.store.history(plan).transactions.map(\.author)
      }
      try expectEqual(authors(HistoryQuery(after: all[0].number, upTo: all[2].number)), ["b", "c"])
      try expectEqual(authors(HistoryQuery(after: 0, later: all[1].timestamp, limit: 1)), ["c"])
      try expectEqual(authors(HistoryQuery(after: 0, filter: { $0.author != "b" })), ["a", "c", "d"])
      let bare = try fixture.store.history(HistoryQuery(after: 0, changes: .none))
      try expect(bare.transactions.allSatisfy { $0.changes.isEmpty }, "changes were read that were not requested")
      let ids = try fixture.store.history(HistoryQuery(after: 0, changes: .ids)).transactions.flatMap(\.changes).map(
        \.id)
      try expectEqual(ids, all.flatMap(\.changes).map(\.id), "the rows")
    },
    ConformanceCheck("a deletion keeps the preserved values") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.save { try $0.insert("Quake", quake("a", 5.5, 10)) }[0]
      try fixture.save { $0.delete(try fixture.row(id)) }
      let change = try expectSome(fixture.store.history(after: 0, limit: 0).last?.changes.first, "the deletion")
      let layout = model.layout(number: id.entity)
      let kept = Dictionary(uniqueKeysWithValues: change.tombstone.map { (layout.slots[$0].name, $1) })
      try expectEqual(kept, ["magnitude": .double(5.5)], "the preserved values")
    },
    ConformanceCheck("a purge deletes earlier transactions") { factory in
      let fixture = try StoreFixture(factory)
      for name in ["a", "b", "c"] { try fixture.save(author: name) { try $0.insert("Quake", quake(name, nil, nil)) } }
      let all = try fixture.store.history(after: 0, limit: 0).map(\.number)
      try expectEqual(fixture.store.purgeHistory(before: all[0]), 0, "the number of transactions before the first")
      try expectEqual(fixture.store.purgeHistory(before: all[2]), 2, "the number of transactions before the third")
      let left = try fixture.store.history(HistoryQuery(after: all[0]))
      try expectEqual(left.transactions.map(\.number), [all[2]], "the remaining transactions")
      try expect(left.oldest == all[2] && left.newest == all[2], "the bounds are \(left.oldest) and \(left.newest)")
      try expect(
        left.lacksPart(after: all[0]) && !left.lacksPart(after: all[1]),
        "the gap does not begin after the first transaction")
      try expectEqual(fixture.store.purgeHistory(before: .max), 1, "the number of remaining transactions")
      let empty = try fixture.store.history(HistoryQuery(after: all[2]))
      try expect(
        empty.oldest == all[2] + 1 && empty.newest == all[2],
        "an empty history does not begin after the newest transaction")
      try expect(
        !empty.lacksPart(after: all[2]) && empty.lacksPart(after: all[2] + 1),
        "a position after the newest transaction is not detected")
      try fixture.saveNamed("Quake", ["d"])
      try expectEqual(fixture.store.newestTransaction(), all[2] + 1, "the next transaction number")
    },
  ]

  /// A change without its number.
  private struct Event: Hashable {
    var kind: HistoryChange.Kind
    var id: RowID
    var properties: Set<String>

    init(_ kind: HistoryChange.Kind, _ id: RowID, _ properties: Set<String> = []) {
      (self.kind, self.id, self.properties) = (kind, id, properties)
    }

    init(_ change: HistoryChange) { self.init(change.kind, change.id, Set(change.updatedProperties)) }
  }
}
