import StrataManagedModel
import StrataRowStore

/// Uniqueness constraints.
extension StoreConformance {
  static let uniquenessChecks = [
    ConformanceCheck("the unique values of a stored row are refused") { factory in
      let fixture = try StoreFixture(factory)
      let held = try fixture.save { try $0.insert("Account", account("a", "b", 1)) }[0]
      var draft = BatchDraft()
      let id = try draft.insert("Account", account("a", "b", 2))
      let refusal = try fixture.refusal(of: draft.batch)
      try expectEqual(refusal.code, .constraint, "the error")
      try expectEqual(refusal.conflicts.map(\.id), [id], "the rows in conflict")
      try expectEqual(refusal.conflicts[0].constraint, ["email"], "the constraint")
      try expectEqual(refusal.conflicts[0].stored?.id, held, "the stored row")
      try expectEqual(refusal.conflicts[0].expectedVersion, 0, "the expected version of a new row")
    },
    ConformanceCheck("equal unique values within a batch are refused") { factory in
      let fixture = try StoreFixture(factory)
      var draft = BatchDraft()
      let ids = try ["a", "b", "a"].map { try draft.insert("Account", account($0, nil, nil)) }
      let refusal = try fixture.refusal(of: draft.batch)
      try expectEqual(refusal.code, .constraint, "the error")
      try expect(!refusal.conflicts.isEmpty, "the error lists no row")
      for conflict in refusal.conflicts {
        try expect([ids[0], ids[2]].contains(conflict.id), "\(conflict.id) is not in conflict")
        try expectEqual(conflict.constraint, ["email"], "the constraint")
        try expect(conflict.stored == nil, "a conflict within the batch has a stored row")
      }
      try expectEqual(fixture.store.count(for: fixture.plan("Account")), 0, "the number of rows")
    },
    ConformanceCheck("an update to the unique values of another row is refused") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.save { draft in
        try draft.insert("Account", account("a", "b", 1))
        try draft.insert("Account", account("c", "b", 2))
      }
      var draft = BatchDraft()
      try draft.update(fixture.row(ids[1]), ["number": .integer(1)])
      let refusal = try fixture.refusal(of: draft.batch)
      try expectEqual(refusal.code, .constraint, "the error")
      try expectEqual(refusal.conflicts.map(\.id), [ids[1]], "the rows in conflict")
      try expectEqual(Set(refusal.conflicts[0].constraint), ["bank", "number"], "the constraint")
      try expectEqual(refusal.conflicts[0].stored?.id, ids[0], "the stored row")
    },
    ConformanceCheck("nil in a constraint does not conflict") { factory in
      let fixture = try StoreFixture(factory)
      for _ in 0..<2 {
        try fixture.save { draft in
          try draft.insert("Account", account(nil, "b", nil))
          try draft.insert("Account", account(nil, nil, 1))
          try draft.insert("Account", account(nil, nil, nil))
        }
      }
      try expectEqual(fixture.store.count(for: fixture.plan("Account")), 6, "the number of rows")
    },
    ConformanceCheck("a row can keep its own unique values") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.save { try $0.insert("Account", account("a", "b", 1)) }[0]
      try fixture.save { try $0.update(fixture.row(id), account("a", "b", 2)) }
      try expectEqual(fixture.value(id, "number"), .integer(2), "the number")
    },
    ConformanceCheck("the unique values of a deleted row can be reused") { factory in
      let fixture = try StoreFixture(factory)
      let first = try fixture.save { try $0.insert("Account", account("a", "b", 1)) }[0]
      try fixture.save { try $0.delete(fixture.row(first)) }
      let second = try fixture.save { try $0.insert("Account", account("a", "b", 1)) }[0]
      try fixture.save { draft in
        draft.delete(try fixture.row(second))
        try draft.insert("Account", account("a", "b", 1))
      }
      let third = try fixture.store.ids(for: fixture.plan("Account"))
      try fixture.save { try $0.update(fixture.row(third[0]), ["email": .string("z")]) }
      try fixture.save { try $0.insert("Account", account("a", nil, nil)) }
      try expectEqual(fixture.store.count(for: fixture.plan("Account")), 2, "the number of rows")
    },
  ]

  private static func account(_ email: String?, _ bank: String?, _ number: Int64?) -> [String: SlotValue] {
    [
      "email": email.map(SlotValue.string) ?? .null, "bank": bank.map(SlotValue.string) ?? .null,
      "number": number.map(SlotValue.integer) ?? .null,
    ]
  }
}
