import StrataManagedModel
import StrataRowStore

/// Optimistic locking.
extension StoreConformance {
  static let conflictChecks = [
    ConformanceCheck("a stale update is refused") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.save { try $0.insert("Quake", quake("a", 5, 10)) }[0]
      let stale = try fixture.row(id)
      try fixture.save { try $0.update(stale, ["depth": .integer(11)]) }
      var draft = BatchDraft()
      try draft.update(stale, ["name": .string("b")])
      try expectEqual(fixture.refusal(of: draft.batch).code, .conflict, "the error")
      try expectEqual(fixture.value(id, "name"), .string("a"), "the name")
    },
    ConformanceCheck("a stale delete is refused") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.save { try $0.insert("Quake", quake("a", 5, 10)) }[0]
      let stale = try fixture.row(id)
      try fixture.save { try $0.update(stale, ["depth": .integer(11)]) }
      var draft = BatchDraft()
      draft.delete(stale)
      try expectEqual(fixture.refusal(of: draft.batch).code, .conflict, "the error")
      try expectEqual(try fixture.row(id).version, 2, "the version")
    },
    ConformanceCheck("an update of a deleted row is refused") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.save { try $0.insert("Quake", quake("a", 5, 10)) }[0]
      let stale = try fixture.row(id)
      try fixture.save { $0.delete(stale) }
      var draft = BatchDraft()
      try draft.update(stale, ["name": .string("b")])
      let refusal = try fixture.refusal(of: draft.batch)
      try expectEqual(refusal.code, .conflict, "the error")
      try expectEqual(refusal.conflicts.map(\.id), [id], "the conflicts")
      try expect(refusal.conflicts[0].stored == nil, "a deleted row has a stored state")
    },
    ConformanceCheck("a delete of a deleted row is refused") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.save { try $0.insert("Quake", quake("a", 5, 10)) }[0]
      let stale = try fixture.row(id)
      try fixture.save { $0.delete(stale) }
      var draft = BatchDraft()
      draft.delete(stale)
      try expectEqual(fixture.refusal(of: draft.batch).code, .conflict, "the error")
    },
    ConformanceCheck("conflicts among many deletions are reported") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.saveNamed("Quake", (0..<300).map { "q\($0)" })
      let rows = try ids.map(fixture.row)
      try fixture.save { draft in
        try draft.update(rows[7], ["depth": .integer(11)])
        draft.delete(rows[200])
      }
      var draft = BatchDraft()
      for row in rows { draft.delete(row) }
      let refusal = try fixture.refusal(of: draft.batch)
      try expectEqual(refusal.code, .conflict, "the error")
      try expectEqual(refusal.conflicts.map(\.id).sorted { $0.key < $1.key }, [ids[7], ids[200]], "the conflicts")
      try expectEqual(try fixture.store.rows(with: ids).count, 299, "the number of rows that are left")
      let others = rows.filter { $0.id != ids[7] && $0.id != ids[200] }
      try fixture.save { draft in for row in others { draft.delete(row) } }
      try expectEqual(try fixture.store.rows(with: ids).rows.map(\.id), [ids[7]], "the rows that are left at the end")
    },
    ConformanceCheck("conflicts among many updated owners are reported") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.saveNamed("Tag", (0..<301).map { "t\($0)" })
      let rows = try ids.map(fixture.row)
      try fixture.save { draft in
        try draft.update(rows[7], ["name": .string("other")])
        draft.delete(rows[200])
      }
      var draft = BatchDraft()
      for row in rows.dropLast() { try draft.update(row, [:], toMany: ["quakes"]) }
      try draft.update(rows[300], ["name": .string("last")])
      let refusal = try fixture.refusal(of: draft.batch)
      try expectEqual(refusal.code, .conflict, "the error")
      try expectEqual(refusal.conflicts.map(\.id).sorted { $0.key < $1.key }, [ids[7], ids[200]], "the conflicts")
      try expectEqual(try fixture.row(ids[0]).version, 1, "the version after the refusal")
      try expectEqual(fixture.value(ids[300], "name"), .string("t300"), "the name after the refusal")
      draft.batch.updated.removeAll { $0.row.id == ids[7] || $0.row.id == ids[200] }
      try fixture.save { $0 = draft }
      let left = ids.filter { $0 != ids[200] }
      try expectEqual(try fixture.store.rows(with: left).rows.map(\.version), left.map { _ in 2 }, "the versions")
      try expectEqual(fixture.value(ids[300], "name"), .string("last"), "the name")
    },
    ConformanceCheck("many deletions remove their many-to-many links") { factory in
      let fixture = try StoreFixture(factory)
      let tag = try fixture.saveNamed("Tag", ["t"])[0]
      let quakes = try fixture.saveNamed("Quake", (0..<151).map { "q\($0)" })
      let people = try fixture.saveNamed("Person", (0..<151).map { "p\($0)" })
      try fixture.save { draft in
        for quake in quakes { try draft.link(quake, "tags", add: [tag]) }
        for person in people.dropLast() { try draft.link(person, "friends", add: [people[150]]) }
      }
      let deletedRows = try (quakes.dropLast() + people.dropLast()).map(fixture.row)
      try fixture.save { draft in for row in deletedRows { draft.delete(row) } }
      try expectEqual(fixture.related(tag, "quakes"), [quakes[150]], "the quakes that are left")
      try expectEqual(fixture.related(people[150], "friends"), [], "the friends that are left")
    },
    ConformanceCheck("a delete without a version does not conflict") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.save { try $0.insert("Quake", quake("a", 5, 10)) }[0]
      try fixture.save { try $0.update(fixture.row(id), ["depth": .integer(11)]) }
      try fixture.save { $0.batch.deleted.append(RowDeletion(id: id, version: nil)) }
      try expectEqual(try fixture.store.rows(with: [id]).count, 0, "the number of rows")
    },
    ConformanceCheck("the error lists every row in conflict with its stored state") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.saveNamed("Quake", ["a", "b", "c", "d"])
      let stale = try ids.map(fixture.row)
      try fixture.save { draft in
        try draft.update(stale[0], ["name": .string("a2")])
        draft.delete(stale[1])
        try draft.update(stale[2], ["name": .string("c2")])
      }
      var draft = BatchDraft()
      try draft.update(stale[0], ["name": .string("x")])
      try draft.update(stale[1], ["name": .string("x")])
      try draft.update(stale[3], ["name": .string("x")])
      draft.delete(stale[2])
      let conflicts = try fixture.refusal(of: draft.batch).conflicts.sorted { $0.id.key < $1.id.key }
      try expectEqual(conflicts.map(\.id), [ids[0], ids[1], ids[2]], "the rows in conflict")
      try expectEqual(conflicts.map(\.expectedVersion), [1, 1, 1], "the expected versions")
      try expectEqual(conflicts.map { $0.stored?.version }, [2, nil, 2], "the stored versions")
      let slot = try expectSome(stale[0].layout.slot(named: "name"), "the slot name")
      try expectEqual(conflicts.map { $0.stored?[slot] }, [.string("a2"), nil, .string("c2")], "the stored names")
    },
  ]

  static let atomicityChecks = [
    ConformanceCheck("a failed batch changes nothing") { factory in
      let fixture = try StoreFixture(factory)
      let batches = try StaleBatches(fixture)
      for position in StaleBatches.Position.allCases {
        let refusal = try fixture.refusal(of: try batches.batch(failing: position))
        try expectEqual(refusal.code, .conflict, "the error with the stale \(position)")
        try batches.expectUnchanged("after a batch with a stale \(position)")
      }
    },
    ConformanceCheck("a store accepts a batch after a failed one") { factory in
      let fixture = try StoreFixture(factory)
      let batches = try StaleBatches(fixture)
      _ = try fixture.refusal(of: try batches.batch(failing: .lastUpdate))
      let ids = try fixture.saveNamed("Quake", ["z"])
      try expectEqual(fixture.value(ids[0], "name"), .string("z"), "the name")
    },
  ]

  static let refusedUniquenessChecks = [
    ConformanceCheck("a batch that violates a constraint changes nothing") { factory in
      let fixture = try StoreFixture(factory)
      let batches = try StaleBatches(fixture)
      try fixture.save { try $0.insert("Account", ["email": .string("a@example.org")]) }
      batches.refresh()
      var draft = try batches.draft()
      try draft.insert("Account", ["email": .string("b@example.org")])
      try draft.insert("Account", ["email": .string("a@example.org")])
      try expectEqual(fixture.refusal(of: draft.batch).code, .constraint, "the error")
      try batches.expectUnchanged("after a batch that breaks a constraint")
      try expectEqual(try fixture.store.count(for: fixture.plan("Account")), 1, "the number of accounts")
    }
  ]
}

/// A few rows, and batches with exactly one stale item.
private final class StaleBatches {
  enum Position: CaseIterable { case firstUpdate, lastUpdate, deletion }

  private let fixture: StoreFixture
  private let ids: [RowID]
  private let stale: Row
  private let region: RowID
  private let tag: RowID
  private var newest: Int64 = 0

  init(_ fixture: StoreFixture) throws {
    self.fixture = fixture
    ids = try fixture.saveNamed("Quake", ["a", "b", "c", "stale"])
    region = try fixture.saveNamed("Region", ["r"])[0]
    tag = try fixture.saveNamed("Tag", ["t"])[0]
    stale = try fixture.row(ids[3])
    try fixture.save { try $0.update(stale, ["name": .string("d")]) }
    newest = try fixture.store.newestTransaction()
  }

  func refresh() { newest = (try? fixture.store.newestTransaction()) ?? 0 }

  /// A batch that inserts, updates, deletes and links.
  func draft() throws -> BatchDraft {
    var draft = BatchDraft()
    let quake = try draft.insert("Quake", ["name": .string("new"), "region": .reference(region)])
    try draft.update(fixture.row(ids[0]), ["name": .string("a2"), "region": .reference(region)])
    draft.delete(try fixture.row(ids[1]))
    try draft.link(quake, "tags", add: [tag])
    try draft.link(ids[2], "tags", add: [tag])
    return draft
  }

  func batch(failing position: Position) throws -> ChangeBatch {
    var draft = try draft()
    switch position {
    case .deletion: draft.delete(stale)
    case .firstUpdate, .lastUpdate:
      try draft.update(stale, ["name": .string("x")])
      if position == .firstUpdate { draft.batch.updated.reverse() }
    }
    return draft.batch
  }

  func expectUnchanged(_ moment: String) throws {
    try expectEqual(fixture.names(fixture.plan("Quake")), ["a", "b", "c", "d"], "the names \(moment)")
    try expectEqual(try ids.map { try fixture.row($0).version }, [1, 1, 1, 2], "the versions \(moment)")
    try expectEqual(fixture.related(region, "quakes"), [], "the region's quakes \(moment)")
    try expectEqual(fixture.related(tag, "quakes"), [], "the tag's quakes \(moment)")
    try expectEqual(try fixture.store.newestTransaction(), newest, "the newest transaction \(moment)")
  }
}
