import StrataManagedModel
import StrataRowStore

/// Uniqueness constraints.
extension StoreConformance {
  static let uniquenessChecks = [
    ConformanceCheck("sameValuesAsAStoredRowAreRefused") { factory in
      let scene = try Scene(factory)
      let held = try scene.save { try $0.insert("Account", account("a", "b", 1)) }[0]
      var draft = BatchDraft()
      let id = try draft.insert("Account", account("a", "b", 2))
      let refusal = try scene.refusal(of: draft.batch)
      try expectEqual(refusal.code, .constraint, "the error")
      try expectEqual(refusal.conflicts.map(\.id), [id], "the rows in conflict")
      try expectEqual(refusal.conflicts[0].constraint, ["email"], "the constraint")
      try expectEqual(refusal.conflicts[0].stored?.id, held, "the stored row")
      try expectEqual(refusal.conflicts[0].expectedVersion, 0, "the expected version of a new row")
    },
    ConformanceCheck("sameValuesWithinABatchAreRefused") { factory in
      let scene = try Scene(factory)
      var draft = BatchDraft()
      let ids = try ["a", "b", "a"].map { try draft.insert("Account", account($0, nil, nil)) }
      let refusal = try scene.refusal(of: draft.batch)
      try expectEqual(refusal.code, .constraint, "the error")
      try expect(!refusal.conflicts.isEmpty, "the refusal names no row")
      for conflict in refusal.conflicts {
        try expect([ids[0], ids[2]].contains(conflict.id), "\(conflict.id) is in no conflict")
        try expectEqual(conflict.constraint, ["email"], "the constraint")
        try expect(conflict.stored == nil, "a conflict within the batch has a stored row")
      }
      try expectEqual(scene.store.count(for: scene.plan("Account")), 0, "the number of rows")
    },
    ConformanceCheck("updateIntoTheValuesOfAnotherRowIsRefused") { factory in
      let scene = try Scene(factory)
      let ids = try scene.save { draft in
        try draft.insert("Account", account("a", "b", 1))
        try draft.insert("Account", account("c", "b", 2))
      }
      var draft = BatchDraft()
      try draft.update(scene.row(ids[1]), ["number": .integer(1)])
      let refusal = try scene.refusal(of: draft.batch)
      try expectEqual(refusal.code, .constraint, "the error")
      try expectEqual(refusal.conflicts.map(\.id), [ids[1]], "the rows in conflict")
      try expectEqual(Set(refusal.conflicts[0].constraint), ["bank", "number"], "the constraint")
      try expectEqual(refusal.conflicts[0].stored?.id, ids[0], "the stored row")
    },
    ConformanceCheck("nilInAConstraintDoesNotConflict") { factory in
      let scene = try Scene(factory)
      for _ in 0..<2 {
        try scene.save { draft in
          try draft.insert("Account", account(nil, "b", nil))
          try draft.insert("Account", account(nil, nil, 1))
          try draft.insert("Account", account(nil, nil, nil))
        }
      }
      try expectEqual(scene.store.count(for: scene.plan("Account")), 6, "the number of rows")
    },
    ConformanceCheck("rowMayKeepItsOwnValues") { factory in
      let scene = try Scene(factory)
      let id = try scene.save { try $0.insert("Account", account("a", "b", 1)) }[0]
      try scene.save { try $0.update(scene.row(id), account("a", "b", 2)) }
      try expectEqual(scene.value(id, "number"), .integer(2), "the number")
    },
    ConformanceCheck("valuesOfAGoneRowAreFree") { factory in
      let scene = try Scene(factory)
      let first = try scene.save { try $0.insert("Account", account("a", "b", 1)) }[0]
      try scene.save { try $0.delete(scene.row(first)) }
      let second = try scene.save { try $0.insert("Account", account("a", "b", 1)) }[0]
      try scene.save { draft in
        draft.delete(try scene.row(second))
        try draft.insert("Account", account("a", "b", 1))
      }
      let third = try scene.store.ids(for: scene.plan("Account"))
      try scene.save { try $0.update(scene.row(third[0]), ["email": .string("z")]) }
      try scene.save { try $0.insert("Account", account("a", nil, nil)) }
      try expectEqual(scene.store.count(for: scene.plan("Account")), 2, "the number of rows")
    },
  ]

  private static func account(_ email: String?, _ bank: String?, _ number: Int64?) -> [String: SlotValue] {
    [
      "email": email.map(SlotValue.string) ?? .null, "bank": bank.map(SlotValue.string) ?? .null,
      "number": number.map(SlotValue.integer) ?? .null,
    ]
  }
}
