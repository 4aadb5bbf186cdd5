import StrataManagedModel
import StrataRowStore

/// Unique values that move from row to row in one batch: only the final state counts.
extension StoreConformance {
  static let movingValueChecks = [
    ConformanceCheck("two rows can swap unique values") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.saveAccounts(["a", "b", "c"])
      try fixture.save { draft in
        try draft.update(fixture.row(ids[0]), ["email": .string("b")])
        try draft.update(fixture.row(ids[1]), ["email": .string("a")])
      }
      try expectEqual(fixture.emails(ids), ["b", "a", "c"], "the values")
      try expectEqual(ids.map { try fixture.row($0).version }, [2, 2, 1], "the versions")
    },
    ConformanceCheck("unique values can move in cycles") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.save { draft in
        for number in 0..<5 { try draft.insert("Account", account("e\(number)", "b", Int64(number))) }
      }
      // Three rows rotate the values of one constraint, and four rows those of another.
      try fixture.save { draft in
        try draft.update(fixture.row(ids[0]), ["email": .string("e1"), "number": .integer(1)])
        try draft.update(fixture.row(ids[1]), ["email": .string("e2"), "number": .integer(2)])
        try draft.update(fixture.row(ids[2]), ["email": .string("e0"), "number": .integer(4)])
        try draft.update(fixture.row(ids[4]), ["number": .integer(0)])
      }
      try expectEqual(fixture.emails(ids), ["e1", "e2", "e0", "e3", "e4"], "the values of one property")
      try expectEqual(
        ids.map { try fixture.value($0, "number") }, [1, 2, 4, 3, 0].map(SlotValue.integer), "the values of two")
      try expectEqual(ids.map { try fixture.row($0).version }, [2, 2, 2, 1, 2], "the versions")
    },
    ConformanceCheck("unique relationships can be swapped") { factory in
      let fixture = try StoreFixture(factory)
      let shelves = try fixture.saveNamed("Shelf", ["s", "t"])
      let seats = try fixture.save { draft in
        for shelf in shelves { try draft.insert("Seat", ["shelf": .reference(shelf), "number": .integer(1)]) }
      }
      try fixture.save { draft in
        for (seat, shelf) in zip(seats, shelves.reversed()) {
          try draft.update(fixture.row(seat), ["shelf": .reference(shelf)])
        }
      }
      try expectEqual(
        seats.map { try fixture.value($0, "shelf") }, shelves.reversed().map(SlotValue.reference), "the relationships")
    },
    ConformanceCheck("unique values can be swapped across a hierarchy") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.save { draft in
        try draft.insert("Pass", ["code": .string("p")])
        try draft.insert("DayPass", ["code": .string("d"), "day": .integer(1)])
        try draft.insert("DayPass", ["code": .string("e"), "day": .integer(2)])
      }
      try fixture.save { draft in
        for (id, code) in zip(ids, ["d", "e", "p"]) { try draft.update(fixture.row(id), ["code": .string(code)]) }
      }
      try expectEqual(
        ids.map { try fixture.value($0, "code") }, ["d", "e", "p"].map(SlotValue.string), "the values")
    },
    ConformanceCheck("unique values can move along a chain") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.saveAccounts(["a", "b", "c", "d"])
      // The last value of the chain belongs to a deleted row, and a new row takes the first one.
      let new = try fixture.save { draft in
        try draft.insert("Account", account("a", nil, nil))
        try draft.update(fixture.row(ids[0]), ["email": .string("b")])
        try draft.update(fixture.row(ids[1]), ["email": .string("c")])
        try draft.update(fixture.row(ids[2]), ["email": .string("d")])
        draft.delete(try fixture.row(ids[3]))
      }
      try expectEqual(fixture.emails(ids.dropLast() + new), ["b", "c", "d", "a"], "the values")
      try expectEqual(fixture.store.count(for: fixture.plan("Account")), 4, "the number of rows")
    },
    ConformanceCheck("a new row can take the former value of an updated row") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.saveAccounts(["a"])[0]
      let new = try fixture.save { draft in
        try draft.insert("Account", account("a", nil, nil))
        try draft.update(fixture.row(id), ["email": .string("z")])
      }
      try expectEqual(fixture.emails([id] + new), ["z", "a"], "the values")
    },
    ConformanceCheck("many unique values can move in a large batch") { factory in
      let fixture = try StoreFixture(factory)
      let count = 300
      let ids = try fixture.saveAccounts((0..<count).map { "e\($0)" })
      let tags = try fixture.saveNamed("Tag", (0..<count).map { "t\($0)" })
      try fixture.save { draft in
        for (number, id) in ids.enumerated() {
          try draft.update(fixture.row(id), ["email": .string("e\((number + 1) % count)")])
        }
        for tag in tags { try draft.update(fixture.row(tag), [:], toMany: ["quakes"]) }
        for number in 0..<count { try draft.insert("Account", account("n\(number)", nil, nil)) }
      }
      try expectEqual(fixture.emails(ids), (0..<count).map { "e\(($0 + 1) % count)" }, "the values")
      try expectEqual(Set(ids.map { try fixture.row($0).version }), [2], "the versions")
    },
    ConformanceCheck("only the conflict outside a cycle is reported") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.saveAccounts(["a", "b", "c", "d", "held", "gone"])
      var draft = BatchDraft()
      let new = try draft.insert("Account", account("gone", nil, nil))
      for (id, email) in zip(ids, ["b", "a", "d", "held"]) {
        try draft.update(fixture.row(id), ["email": .string(email)])
      }
      draft.delete(try fixture.row(ids[5]))
      let refusal = try fixture.refusal(of: draft.batch)
      try expectEqual(refusal.code, .constraint, "the error")
      try expectEqual(refusal.conflicts.map(\.id), [ids[3]], "the rows in conflict")
      try expectEqual(refusal.conflicts[0].stored?.id, ids[4], "the stored row")
      try expectEqual(refusal.conflicts[0].expectedVersion, 1, "the expected version")
      try expect(new.isTemporary, "the ID of the new row is not temporary")
      try expectEqual(fixture.emails(ids), ["a", "b", "c", "d", "held", "gone"], "the values after the refusal")
    },
    ConformanceCheck("rows that move to the same value conflict") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.saveAccounts(["a", "b", "c"])
      var draft = BatchDraft()
      for (id, email) in zip(ids, ["b", "c", "b"]) { try draft.update(fixture.row(id), ["email": .string(email)]) }
      let refusal = try fixture.refusal(of: draft.batch)
      try expectEqual(refusal.code, .constraint, "the error")
      try expect(!refusal.conflicts.isEmpty, "the error lists no row")
      for conflict in refusal.conflicts {
        try expect([ids[0], ids[2]].contains(conflict.id), "\(conflict.id) is not in conflict")
        try expect(conflict.stored == nil, "a conflict within the batch has a stored row")
      }
    },
    ConformanceCheck("a stale row in a cycle is a version conflict") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.saveAccounts(["a", "b"])
      let stale = try fixture.row(ids[0])
      try fixture.save { try $0.update(fixture.row(ids[0]), ["bank": .string("other")]) }
      var draft = BatchDraft()
      try draft.update(stale, ["email": .string("b")])
      try draft.update(fixture.row(ids[1]), ["email": .string("a")])
      let refusal = try fixture.refusal(of: draft.batch)
      try expectEqual(refusal.code, .conflict, "the error")
      try expect(
        refusal.conflicts.contains { $0.id == ids[0] && $0.constraint.isEmpty }, "the stale row is not reported")
      try expectEqual(fixture.emails(ids), ["a", "b"], "the values after the refusal")
    },
  ]

  /// Checks of the history that such a batch leaves.
  static let movingValueHistoryChecks = [
    ConformanceCheck("the history has one update for each row in a cycle") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.saveAccounts(["a", "b", "c"])
      let last = try fixture.store.newestTransaction()
      try fixture.save { draft in
        for (id, email) in zip(ids, ["b", "c", "a"]) { try draft.update(fixture.row(id), ["email": .string(email)]) }
      }
      let changes = try fixture.store.history(after: last, limit: 0).flatMap(\.changes)
      try expectEqual(changes.map(\.kind), [.update, .update, .update], "the kinds of the changes")
      try expectEqual(changes.map(\.id).sorted { $0.bits < $1.bits }, ids, "the rows")
      try expectEqual(Set(changes.flatMap(\.updatedProperties)), ["email"], "the properties")
    }
  ]

  private static func account(_ email: String?, _ bank: String?, _ number: Int64?) -> [String: SlotValue] {
    [
      "email": email.map(SlotValue.string) ?? .null, "bank": bank.map(SlotValue.string) ?? .null,
      "number": number.map(SlotValue.integer) ?? .null,
    ]
  }
}

extension StoreFixture {
  /// Commits accounts with these emails.
  fileprivate func saveAccounts(_ emails: [String]) throws -> [RowID] {
    try save { draft in for email in emails { try draft.insert("Account", ["email": .string(email)]) } }
  }

  fileprivate func emails(_ ids: [RowID]) throws -> [String] {
    try ids.map { id in
      guard case .string(let email) = try value(id, "email") else { return "nil" }
      return email
    }
  }
}
