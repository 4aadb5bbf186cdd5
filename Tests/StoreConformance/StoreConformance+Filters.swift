import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// The meaning of comparisons, including nil: see the numbered rules at `PredicateNode.evaluate(on:)`.
extension StoreConformance {
  static let filterChecks = [
    ConformanceCheck("comparisons with nil are true or false") { factory in
      try fiveQuakes(factory).expectNames(
        "Quake",
        [
          ("depth = 10", ["a", "d"]), ("depth != 10", ["b", "c", "e"]),
          ("depth = nil", ["c", "e"]), ("depth != nil", ["a", "b", "d"]),
          ("depth < 20", ["a", "d"]), ("depth <= 20", ["a", "b", "d"]), ("depth > 10", ["b"]),
          ("depth >= 10", ["a", "b", "d"]), ("depth < nil", []), ("depth >= nil", []),
        ])
    },
    ConformanceCheck("NOT negates every comparison") { factory in
      try fiveQuakes(factory).expectNames(
        "Quake",
        [
          ("NOT depth = 10", ["b", "c", "e"]), ("NOT depth != 10", ["a", "d"]), ("NOT depth = nil", ["a", "b", "d"]),
          ("NOT depth < 20", ["b", "c", "e"]), ("NOT depth > 10", ["a", "c", "d", "e"]),
          ("NOT depth BETWEEN {10, 15}", ["b", "c", "e"]), ("NOT depth IN {10, 15}", ["b", "c", "e"]),
          ("NOT (depth > 10 AND magnitude > 1)", ["a", "c", "d", "e"]),
          ("NOT (depth > 10 OR magnitude > 5)", ["a", "c"]), ("NOT (NOT depth < 20)", ["a", "d"]),
          ("NOT name CONTAINS 'b'", ["a", "c", "d", "e"]),
        ])
    },
    ConformanceCheck("AND, OR and constants can be combined") { factory in
      let fixture = try fiveQuakes(factory)
      try fixture.expectNames(
        "Quake",
        [
          ("depth = 10 AND magnitude > 5", ["d"]), ("depth = 20 OR magnitude > 6", ["b", "d"]),
          ("depth = 10 AND (magnitude = 1 OR magnitude = 7)", ["a", "d"]),
          ("TRUEPREDICATE", ["a", "b", "c", "d", "e"]), ("FALSEPREDICATE", []),
          ("depth = 10 OR FALSEPREDICATE", ["a", "d"]), ("NOT FALSEPREDICATE AND depth = 20", ["b"]),
        ])
      try expectEqual(fixture.names(fixture.plan("Quake", .and([]))).count, 5, "the rows of an empty AND")
      try expectEqual(fixture.names(fixture.plan("Quake", .or([]))).count, 0, "the rows of an empty OR")
    },
    ConformanceCheck("BETWEEN includes both bounds") { factory in
      try fiveQuakes(factory).expectNames(
        "Quake",
        [
          ("depth BETWEEN {10, 20}", ["a", "b", "d"]), ("depth BETWEEN {11, 20}", ["b"]),
          ("depth BETWEEN {20, 10}", []), ("magnitude BETWEEN {1, 6.0}", ["a", "b", "e"]),
          ("name BETWEEN {'b', 'd'}", ["b", "c", "d"]),
        ])
    },
    ConformanceCheck("IN accepts lists of any length") { factory in
      let fixture = try fiveQuakes(factory)
      try fixture.expectNames(
        "Quake",
        [
          ("depth IN {}", []), ("NOT depth IN {}", ["a", "b", "c", "d", "e"]), ("depth IN {20}", ["b"]),
          ("depth IN {20, 10, 30}", ["a", "b", "d"]), ("depth IN {nil}", ["c", "e"]),
          ("depth IN {20, nil}", ["b", "c", "e"]),
          ("name IN {'e', 'a', 'x'}", ["a", "e"]),
        ])
      let numbers = PredicateValue.list((20..<2_020).map { .integer($0) })
      try expectEqual(fixture.names(fixture.plan("Quake", .compare(["depth"], .in, numbers))), ["b"], "2,000 numbers")
      let texts = PredicateValue.list((0..<2_000).map { .string($0 == 1_234 ? "d" : "no \($0)") })
      try expectEqual(fixture.names(fixture.plan("Quake", .compare(["name"], .in, texts))), ["d"], "2,000 texts")
    },
    ConformanceCheck("constants can be on the left") { factory in
      try fiveQuakes(factory).expectNames(
        "Quake",
        [
          ("10 = depth", ["a", "d"]), ("10 < depth", ["b"]), ("nil = depth", ["c", "e"]), ("1 = 2", []),
          ("2 = 2 AND depth = 20", ["b"]),
        ])
    },
    ConformanceCheck("properties can be compared with each other") { factory in
      try fiveQuakes(factory).expectNames(
        "Quake",
        [
          ("depth > magnitude", ["a", "b", "d"]), ("depth = magnitude", ["c"]),
          ("depth != magnitude", ["a", "b", "d", "e"]),
        ])
    },
    ConformanceCheck("numbers of different types can be compared") { factory in
      try fiveQuakes(factory).expectNames(
        "Quake",
        [
          ("depth = 10.0", ["a", "d"]), ("depth < 10.5", ["a", "d"]), ("magnitude = 1", ["a"]),
          ("magnitude > 6", ["d"]), ("magnitude >= 6", ["b", "d"]),
        ])
    },
    ConformanceCheck("every kind of value can be compared") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.save { draft in
        try draft.insert("Kinds")
        try draft.insert("Kinds", kindsOfValue)
      }
      for (name, value) in constants {
        let equal = try fixture.store.ids(for: fixture.plan("Kinds", .compare([name], .equal, value)))
        try expectEqual(equal, [ids[1]], "the rows where \(name) is the value")
        let other = try fixture.store.ids(for: fixture.plan("Kinds", .compare([name], .notEqual, value)))
        try expectEqual(other, [ids[0]], "the rows where \(name) is not the value")
        let listed = try fixture.store.ids(for: fixture.plan("Kinds", .compare([name], .in, .list([value]))))
        try expectEqual(listed, [ids[1]], "the rows where \(name) is in a list of the value")
      }
    },
    ConformanceCheck("dates and decimals are ordered") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.save { draft in
        for step in 0..<3 {
          try draft.insert(
            "Kinds",
            [
              "moment": .date(Double(step) + 0.5),
              "amount": .decimal(Decimal(sign: .plus, exponent: -1, significand: Decimal(step * 10 + 1))),
            ])
        }
      }
      let moment = PredicateValue.date(Date(timeIntervalSinceReferenceDate: 1.5))
      try expectEqual(fixture.store.ids(for: fixture.plan("Kinds", .compare(["moment"], .greater, moment))), [ids[2]])
      try expectEqual(
        fixture.store.ids(for: fixture.plan("Kinds", .compare(["moment"], .lessOrEqual, moment))), Array(ids[..<2]))
      let amount = PredicateValue.decimal(Decimal(string: "1.1") ?? 0)
      try expectEqual(fixture.store.ids(for: fixture.plan("Kinds", .compare(["amount"], .less, amount))), [ids[0]])
      try expectEqual(fixture.store.ids(for: fixture.plan("Kinds", .compare(["amount"], .equal, amount))), [ids[1]])
    },
    ConformanceCheck("SELF is the row") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.saveNamed("Quake", ["a", "b", "c"])
      func found(_ comparison: ComparisonNode.Operator, _ value: PredicateValue) throws -> [String] {
        try fixture.names(
          fixture.plan("Quake", .comparison(ComparisonNode(.evaluatedObject, comparison, .value(value)))))
      }
      try expectEqual(found(.equal, .row(ids[1].bits)), ["b"])
      try expectEqual(found(.notEqual, .row(ids[1].bits)), ["a", "c"])
      try expectEqual(found(.in, .list([.row(ids[2].bits), .row(ids[0].bits)])), ["a", "c"])
      try expectEqual(found(.in, .list([])), [])
    },
    ConformanceCheck("the error for an unknown property names it") { factory in
      try expectRefused(factory, "Quake", "magnitud > 5", naming: "magnitud")
      try expectRefused(factory, "Quake", "region.nam = 'a'", naming: "nam")
      try expectRefused(factory, "Quake", "name.length = 1", naming: "name")
      try expectRefused(factory, "Animal", "wingspan > 1", naming: "wingspan")
    },
    ConformanceCheck("the error for a transient property names it") { factory in
      try expectRefused(factory, "Kinds", "draft = 'a'", naming: "draft")
      let fixture = try StoreFixture(factory, name: "sort")
      let refusal = try fixture.refusal {
        _ = try fixture.store.rows(for: fixture.plan("Kinds", sort: [SortKey(["draft"])]))
      }
      try expectEqual(refusal.code, .unsupported, "the error")
      try expect(refusal.message.contains("draft"), "the message does not name the property: \(refusal.message)")
    },
  ]

  /// Creates quakes with magnitude and depth: a 1.0/10, b 6.0/20, c nil/nil, d 7.0/10, e 5.5/nil.
  static func fiveQuakes(_ factory: any StoreFactory) throws -> StoreFixture {
    let fixture = try StoreFixture(factory)
    try fixture.save { draft in
      for (name, magnitude, depth) in [
        ("a", 1.0, 10), ("b", 6.0, 20), ("c", nil, nil), ("d", 7.0, 10), ("e", 5.5, nil),
      ] as [(String, Double?, Int64?)] {
        try draft.insert("Quake", quake(name, magnitude, depth))
      }
    }
    return fixture
  }

  private static func expectRefused(
    _ factory: any StoreFactory, _ entity: String, _ format: String, naming part: String
  ) throws {
    let fixture = try StoreFixture(factory, name: "refused")
    defer { fixture.store.close() }
    let plan = try fixture.plan(entity, try PredicateParser.tree(format))
    for operation in [
      { _ = try fixture.store.rows(for: plan) }, { _ = try fixture.store.ids(for: plan) },
      { _ = try fixture.store.count(for: plan) },
    ] as [() throws -> Void] {
      let refusal = try fixture.refusal(operation)
      try expectEqual(refusal.code, .unsupported, "the error of \(format)")
      try expect(refusal.message.contains(part), "the message does not name '\(part)': \(refusal.message)")
    }
  }

  private static let constants: [String: PredicateValue] = [
    "small": .integer(-7), "medium": .integer(70_000), "large": .integer(7_000_000_000), "flag": .bool(true),
    "real": .real(0.1), "single": .real(1.5), "moment": .date(Date(timeIntervalSinceReferenceDate: 700_000_000.25)),
    "amount": .decimal(Decimal(string: "12.75") ?? 0), "text": .string("Zürich, 東京, 🌋"),
    "link": .string("https://example.org/a?b=c"),
    "token": .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))),
    "bytes": .data(Data([0, 1, 255, 0])),
  ]
}
