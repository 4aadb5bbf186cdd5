import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Aggregate queries.
extension StoreConformance {
  static let columnChecks = [
    ConformanceCheck("object IDs have the entity of their row") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.save { draft in
        let owl = try draft.insert("Owl", ["name": .string("owl")])
        try draft.insert("Sponsor", ["name": .string("a"), "animal": .reference(owl)])
        try draft.insert("Sponsor", ["name": .string("b")])
      }
      let found = try fixture.values(
        "Sponsor", [.keyPath(["name"]), .keyPath(["animal"]), .keyPath(["animal", "name"])])
      try expectEqual(
        found, [[.string("a"), .reference(ids[0]), .string("owl")], [.string("b"), .null, .null]], "the sponsors")
      try expectEqual(fixture.values("Animal", [.evaluatedObject]), [[.reference(ids[0])]], "the animals")
    },
    ConformanceCheck("every kind of value can be a column") { factory in
      let fixture = try StoreFixture(factory)
      try fixture.save { draft in
        try draft.insert("Kinds", sortable.mapValues { $0.0 })
        try draft.insert("Kinds")
      }
      for (name, values) in sortable {
        try expectEqual(fixture.values("Kinds", [.keyPath([name])]), [[values.0], [.null]], "the column \(name)")
        let minimumValue = try fixture.values("Kinds", [.function(.min, [.keyPath([name])])], as: kind(name))
        try expectEqual(minimumValue, [[values.0]], "the minimum of \(name)")
      }
    },
    ConformanceCheck("groups are aggregated, sorted and limited") { factory in
      let fixture = try StoreFixture(factory)
      try fixture.save { draft in
        for (name, depth) in [("a", 1), ("b", 2), ("a", 3), ("c", 4), ("a", 5), ("b", 6)] {
          try draft.insert("Quake", ["name": .string(name), "depth": .integer(Int64(depth))])
        }
      }
      let name = ExpressionNode.keyPath(["name"])
      let sum = ExpressionNode.function(.sum, [.keyPath(["depth"])])
      var plan = AggregateQuery(
        rows: try fixture.plan("Quake"), columns: [ValueColumn(name), ValueColumn(sum, as: .integer64)], groups: [name])
      let rows: [[SlotValue]] = [
        [.string("a"), .integer(9)], [.string("b"), .integer(8)], [.string("c"), .integer(4)],
      ]
      try expectEqual(fixture.values(plan), rows, "the groups")
      plan.sort = [.column(1, isAscending: true)]
      plan.rows.limit = 2
      try expectEqual(fixture.values(plan), [rows[2], rows[1]], "the smallest two")
      plan.having = .comparison(ComparisonNode(sum, .greater, .value(.integer(4))))
      try expectEqual(fixture.values(plan), [rows[1], rows[0]], "the groups above four")
      plan.rows.offset = 1
      try expectEqual(fixture.values(plan), [rows[0]], "without the first")
    },
    ConformanceCheck("the sum of no rows is zero") { factory in
      let fixture = try StoreFixture(factory)
      let depth = ExpressionNode.keyPath(["depth"])
      let found = try fixture.values(
        "Quake",
        [.function(.sum, [depth]), .function(.max, [depth]), .function(.average, [depth]), .keyPath(["@count"])])
      try expectEqual(found, [[.integer(0), .null, .null, .integer(0)]], "the values of no rows")
    },
    ConformanceCheck("a number has the requested kind") { factory in
      let fixture = try StoreFixture(factory)
      try fixture.save { draft in for depth in [3, 4] as [Int64] { try draft.insert("Quake", quake("a", 5.5, depth)) } }
      let sum = ExpressionNode.function(.sum, [.keyPath(["depth"])])
      try expectEqual(fixture.values("Quake", [sum], as: .decimal), [[.decimal(7)]], "the sum as a decimal number")
      try expectEqual(fixture.values("Quake", [sum], as: .double), [[.double(7)]], "the sum as a real number")
      let minimumValue = ExpressionNode.function(.min, [.keyPath(["magnitude"])])
      try expectEqual(
        fixture.values("Quake", [minimumValue], as: .integer32), [[.integer(5)]], "the minimum as an integer")
      try expectEqual(fixture.values("Quake", [minimumValue], as: .date), [[.date(5.5)]], "the minimum as a date")
    },
    ConformanceCheck("an unknown column is refused") { factory in
      let fixture = try StoreFixture(factory)
      for path in [["nothing"], ["name", "nothing"]] {
        let error = try fixture.refusal { _ = try fixture.values("Quake", [.keyPath(path)]) }
        try expectEqual("\(error.code)", "unsupported", "the code for \(path)")
      }
    },
  ]

  private static func kind(_ name: String) -> SlotKind? {
    model.entitiesByName["Kinds"]?.layout.flatMap { layout in layout.slot(named: name).map { layout.slots[$0].kind } }
  }
}

extension StoreFixture {
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
