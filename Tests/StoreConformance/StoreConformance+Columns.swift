import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Aggregate queries.
extension StoreConformance {
  static let columnChecks = [
    ConformanceCheck("idOfAnObjectHasItsOwnEntity") { factory in
      let scene = try Scene(factory)
      let ids = try scene.save { draft in
        let owl = try draft.insert("Owl", ["name": .string("owl")])
        try draft.insert("Sponsor", ["name": .string("a"), "animal": .reference(owl)])
        try draft.insert("Sponsor", ["name": .string("b")])
      }
      let found = try scene.values(
        "Sponsor", [.keyPath(["name"]), .keyPath(["animal"]), .keyPath(["animal", "name"])])
      try expectEqual(
        found, [[.string("a"), .reference(ids[0]), .string("owl")], [.string("b"), .null, .null]], "the sponsors")
      try expectEqual(scene.values("Animal", [.evaluatedObject]), [[.reference(ids[0])]], "the animals")
    },
    ConformanceCheck("everyKindOfValueIsAColumn") { factory in
      let scene = try Scene(factory)
      try scene.save { draft in
        try draft.insert("Kinds", sortable.mapValues { $0.0 })
        try draft.insert("Kinds")
      }
      for (name, values) in sortable {
        try expectEqual(scene.values("Kinds", [.keyPath([name])]), [[values.0], [.null]], "the column \(name)")
        let least = try scene.values("Kinds", [.function(.min, [.keyPath([name])])], as: kind(name))
        try expectEqual(least, [[values.0]], "the least \(name)")
      }
    },
    ConformanceCheck("groupsAreCountedAndCut") { factory in
      let scene = try Scene(factory)
      try scene.save { draft in
        for (name, depth) in [("a", 1), ("b", 2), ("a", 3), ("c", 4), ("a", 5), ("b", 6)] {
          try draft.insert("Quake", ["name": .string(name), "depth": .integer(Int64(depth))])
        }
      }
      let name = ExpressionNode.keyPath(["name"])
      let sum = ExpressionNode.function(.sum, [.keyPath(["depth"])])
      var plan = AggregateQuery(
        rows: try scene.plan("Quake"), columns: [ValueColumn(name), ValueColumn(sum, as: .integer64)], groups: [name])
      let rows: [[SlotValue]] = [
        [.string("a"), .integer(9)], [.string("b"), .integer(8)], [.string("c"), .integer(4)],
      ]
      try expectEqual(scene.values(plan), rows, "the groups")
      plan.sort = [.column(1, isAscending: true)]
      plan.rows.limit = 2
      try expectEqual(scene.values(plan), [rows[2], rows[1]], "the least two")
      plan.having = .comparison(ComparisonNode(sum, .greater, .value(.integer(4))))
      try expectEqual(scene.values(plan), [rows[1], rows[0]], "those above four")
      plan.rows.offset = 1
      try expectEqual(scene.values(plan), [rows[0]], "without the first")
    },
    ConformanceCheck("nothingIsSummedToZero") { factory in
      let scene = try Scene(factory)
      let depth = ExpressionNode.keyPath(["depth"])
      let found = try scene.values(
        "Quake",
        [.function(.sum, [depth]), .function(.max, [depth]), .function(.average, [depth]), .keyPath(["@count"])])
      try expectEqual(found, [[.integer(0), .null, .null, .integer(0)]], "the values of no rows")
    },
    ConformanceCheck("aNumberTakesTheKindThatIsAskedFor") { factory in
      let scene = try Scene(factory)
      try scene.save { draft in for depth in [3, 4] as [Int64] { try draft.insert("Quake", quake("a", 5.5, depth)) } }
      let sum = ExpressionNode.function(.sum, [.keyPath(["depth"])])
      try expectEqual(scene.values("Quake", [sum], as: .decimal), [[.decimal(7)]], "the sum as a decimal number")
      try expectEqual(scene.values("Quake", [sum], as: .double), [[.double(7)]], "the sum as a real number")
      let least = ExpressionNode.function(.min, [.keyPath(["magnitude"])])
      try expectEqual(scene.values("Quake", [least], as: .integer32), [[.integer(5)]], "the least as an integer")
      try expectEqual(scene.values("Quake", [least], as: .date), [[.date(5.5)]], "the least as a date")
    },
    ConformanceCheck("unknownColumnIsRefused") { factory in
      let scene = try Scene(factory)
      for path in [["nothing"], ["name", "nothing"]] {
        let error = try scene.refusal { _ = try scene.values("Quake", [.keyPath(path)]) }
        try expectEqual("\(error.code)", "unsupported", "the code for \(path)")
      }
    },
  ]

  private static func kind(_ name: String) -> SlotKind? {
    model.entitiesByName["Kinds"]?.layout.flatMap { layout in layout.slot(named: name).map { layout.slots[$0].kind } }
  }
}

extension Scene {
  /// The results of an aggregate query.
  func values(_ plan: AggregateQuery) throws -> [[SlotValue]] {
    let table = try store.values(for: plan)
    return (0..<table.count).map { row in (0..<table.width).map { table[row, $0] } }
  }

  /// The values of expressions for all rows of an entity.
  func values(_ entity: String, _ columns: [ExpressionNode], as kind: SlotKind? = nil) throws -> [[SlotValue]] {
    try values(AggregateQuery(rows: try plan(entity), columns: columns.map { ValueColumn($0, as: kind) }))
  }
}
