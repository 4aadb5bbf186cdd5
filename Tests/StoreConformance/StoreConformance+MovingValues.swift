import StrataManagedModel
import StrataRowStore

/// Unique values that move from row to row in one batch: only the final state counts.
extension StoreConformance {
  static let movingValueChecks = [
    ConformanceCheck("twoRowsSwapUniqueValues") { factory in
      let scene = try Scene(factory)
      let ids = try scene.saveAccounts(["a", "b", "c"])
      try scene.save { draft in
        try draft.update(scene.row(ids[0]), ["email": .string("b")])
        try draft.update(scene.row(ids[1]), ["email": .string("a")])
      }
      try expectEqual(scene.emails(ids), ["b", "a", "c"], "the values")
      try expectEqual(ids.map { try scene.row($0).version }, [2, 2, 1], "the versions")
    },
    ConformanceCheck("uniqueValuesMoveInCircles") { factory in
      let scene = try Scene(factory)
      let ids = try scene.save { draft in
        for number in 0..<5 { try draft.insert("Account", account("e\(number)", "b", Int64(number))) }
      }
      // Three rows pass a value of one constraint around, and four rows that of another.
      try scene.save { draft in
        try draft.update(scene.row(ids[0]), ["email": .string("e1"), "number": .integer(1)])
        try draft.update(scene.row(ids[1]), ["email": .string("e2"), "number": .integer(2)])
        try draft.update(scene.row(ids[2]), ["email": .string("e0"), "number": .integer(4)])
        try draft.update(scene.row(ids[4]), ["number": .integer(0)])
      }
      try expectEqual(scene.emails(ids), ["e1", "e2", "e0", "e3", "e4"], "the values of one property")
      try expectEqual(
        ids.map { try scene.value($0, "number") }, [1, 2, 4, 3, 0].map(SlotValue.integer), "the values of two")
      try expectEqual(ids.map { try scene.row($0).version }, [2, 2, 2, 1, 2], "the versions")
    },
    ConformanceCheck("uniqueRelationshipsAreSwapped") { factory in
      let scene = try Scene(factory)
      let shelves = try scene.saveNamed("Shelf", ["s", "t"])
      let seats = try scene.save { draft in
        for shelf in shelves { try draft.insert("Seat", ["shelf": .reference(shelf), "number": .integer(1)]) }
      }
      try scene.save { draft in
        for (seat, shelf) in zip(seats, shelves.reversed()) {
          try draft.update(scene.row(seat), ["shelf": .reference(shelf)])
        }
      }
      try expectEqual(
        seats.map { try scene.value($0, "shelf") }, shelves.reversed().map(SlotValue.reference), "the relationships")
    },
    ConformanceCheck("uniqueValuesAreSwappedAcrossAHierarchy") { factory in
      let scene = try Scene(factory)
      let ids = try scene.save { draft in
        try draft.insert("Pass", ["code": .string("p")])
        try draft.insert("DayPass", ["code": .string("d"), "day": .integer(1)])
        try draft.insert("DayPass", ["code": .string("e"), "day": .integer(2)])
      }
      try scene.save { draft in
        for (id, code) in zip(ids, ["d", "e", "p"]) { try draft.update(scene.row(id), ["code": .string(code)]) }
      }
      try expectEqual(
        ids.map { try scene.value($0, "code") }, ["d", "e", "p"].map(SlotValue.string), "the values")
    },
    ConformanceCheck("uniqueValuesMoveAlongAChain") { factory in
      let scene = try Scene(factory)
      let ids = try scene.saveAccounts(["a", "b", "c", "d"])
      // The last value of the chain belongs to a row that goes, and a new row takes the first one.
      let new = try scene.save { draft in
        try draft.insert("Account", account("a", nil, nil))
        try draft.update(scene.row(ids[0]), ["email": .string("b")])
        try draft.update(scene.row(ids[1]), ["email": .string("c")])
        try draft.update(scene.row(ids[2]), ["email": .string("d")])
        draft.delete(try scene.row(ids[3]))
      }
      try expectEqual(scene.emails(ids.dropLast() + new), ["b", "c", "d", "a"], "the values")
      try expectEqual(scene.store.count(for: scene.plan("Account")), 4, "the number of rows")
    },
    ConformanceCheck("newRowTakesAValueThatAChangedRowGivesUp") { factory in
      let scene = try Scene(factory)
      let id = try scene.saveAccounts(["a"])[0]
      let new = try scene.save { draft in
        try draft.insert("Account", account("a", nil, nil))
        try draft.update(scene.row(id), ["email": .string("z")])
      }
      try expectEqual(scene.emails([id] + new), ["z", "a"], "the values")
    },
    ConformanceCheck("manyUniqueValuesMoveInABigBatch") { factory in
      let scene = try Scene(factory)
      let count = 300
      let ids = try scene.saveAccounts((0..<count).map { "e\($0)" })
      let tags = try scene.saveNamed("Tag", (0..<count).map { "t\($0)" })
      try scene.save { draft in
        for (number, id) in ids.enumerated() {
          try draft.update(scene.row(id), ["email": .string("e\((number + 1) % count)")])
        }
        for tag in tags { try draft.update(scene.row(tag), [:], toMany: ["quakes"]) }
        for number in 0..<count { try draft.insert("Account", account("n\(number)", nil, nil)) }
      }
      try expectEqual(scene.emails(ids), (0..<count).map { "e\(($0 + 1) % count)" }, "the values")
      try expectEqual(Set(ids.map { try scene.row($0).version }), [2], "the versions")
    },
    ConformanceCheck("conflictBesideACircleIsTheOnlyOneReported") { factory in
      let scene = try Scene(factory)
      let ids = try scene.saveAccounts(["a", "b", "c", "d", "held", "gone"])
      var draft = BatchDraft()
      let new = try draft.insert("Account", account("gone", nil, nil))
      for (id, email) in zip(ids, ["b", "a", "d", "held"]) {
        try draft.update(scene.row(id), ["email": .string(email)])
      }
      draft.delete(try scene.row(ids[5]))
      let refusal = try scene.refusal(of: draft.batch)
      try expectEqual(refusal.code, .constraint, "the error")
      try expectEqual(refusal.conflicts.map(\.id), [ids[3]], "the rows in conflict")
      try expectEqual(refusal.conflicts[0].stored?.id, ids[4], "the stored row")
      try expectEqual(refusal.conflicts[0].expectedVersion, 1, "the expected version")
      try expect(new.isTemporary, "the new row has no temporary id")
      try expectEqual(scene.emails(ids), ["a", "b", "c", "d", "held", "gone"], "the values after the refusal")
    },
    ConformanceCheck("rowsThatMoveToOneValueAreInConflict") { factory in
      let scene = try Scene(factory)
      let ids = try scene.saveAccounts(["a", "b", "c"])
      var draft = BatchDraft()
      for (id, email) in zip(ids, ["b", "c", "b"]) { try draft.update(scene.row(id), ["email": .string(email)]) }
      let refusal = try scene.refusal(of: draft.batch)
      try expectEqual(refusal.code, .constraint, "the error")
      try expect(!refusal.conflicts.isEmpty, "the refusal names no row")
      for conflict in refusal.conflicts {
        try expect([ids[0], ids[2]].contains(conflict.id), "\(conflict.id) is in no conflict")
        try expect(conflict.stored == nil, "a conflict within the batch has a stored row")
      }
    },
    ConformanceCheck("staleRowInACircleIsAVersionConflict") { factory in
      let scene = try Scene(factory)
      let ids = try scene.saveAccounts(["a", "b"])
      let stale = try scene.row(ids[0])
      try scene.save { try $0.update(scene.row(ids[0]), ["bank": .string("other")]) }
      var draft = BatchDraft()
      try draft.update(stale, ["email": .string("b")])
      try draft.update(scene.row(ids[1]), ["email": .string("a")])
      let refusal = try scene.refusal(of: draft.batch)
      try expectEqual(refusal.code, .conflict, "the error")
      try expect(refusal.conflicts.contains { $0.id == ids[0] && $0.constraint.isEmpty }, "the stale row is not named")
      try expectEqual(scene.emails(ids), ["a", "b"], "the values after the refusal")
    },
  ]

  /// Checks of the history that such a batch leaves.
  static let movingValueHistoryChecks = [
    ConformanceCheck("historyHasOneUpdateOfEachRowInACircle") { factory in
      let scene = try Scene(factory)
      let ids = try scene.saveAccounts(["a", "b", "c"])
      let last = try scene.store.newestTransaction()
      try scene.save { draft in
        for (id, email) in zip(ids, ["b", "c", "a"]) { try draft.update(scene.row(id), ["email": .string(email)]) }
      }
      let changes = try scene.store.history(after: last, limit: 0).flatMap(\.changes)
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

extension Scene {
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
