import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// IN with long lists, for which a store may use an index or the key.
extension StoreConformance {
  static let listChecks = [
    ConformanceCheck("a long list finds each row once") { factory in
      let fixture = try StoreFixture(factory)
      let between = factory.keepsNUL ? "a\u{0}b" : "a\u{1}b"
      let accounts = try fixture.save { draft in
        for (email, bank) in [("d", "x"), (between, "y"), ("", "y"), ("č", "x"), ("a", nil)] as [(String, String?)] {
          try draft.insert("Account", ["email": .string(email), "bank": bank.map(SlotValue.string) ?? .null])
        }
        try draft.insert("Account", ["bank": .string("x")])
      }
      let fillers = (0..<600).map { PredicateValue.string("no \($0)") }
      let wanted: [PredicateValue] = [.string("a"), .string("d"), .string("č"), .string(""), .string("d"), .integer(7)]
      let emails = PredicateNode.compare(["email"], .in, .list(wanted + fillers + wanted))
      try fixture.expect(emails, [0, 2, 3, 4], of: accounts, "every email once")
      try fixture.expect(.not(emails), [1, 5], of: accounts, "all others")
      let texts = PredicateNode.compare(["email"], .in, .list([.string(between), .string("c\u{0}")] + fillers))
      try fixture.expect(texts, [1], of: accounts, "a text with a NUL")
      let inBank = PredicateNode.compare(["bank"], .equal, .string("x"))
      try fixture.expect(.and([inBank, emails]), [0, 3], of: accounts, "a list and a value")
      try fixture.expect(.or([inBank, emails]), [0, 2, 3, 4, 5], of: accounts, "a list or a value")
      try fixture.expect(.and([emails, texts]), [], of: accounts, "two lists")
      let orNone = PredicateNode.compare(["email"], .in, .list([.null, .string("d")] + fillers))
      try fixture.expect(orNone, [0, 5], of: accounts, "a list with nil")
      let folded = PredicateNode.comparison(
        ComparisonNode(
          .keyPath(["email"]), .in, .value(.list([.string("D")] + fillers)), options: [.caseInsensitive]))
      try fixture.expect(folded, [0], of: accounts, "a list that ignores case")
      let sorted = try fixture.plan(
        "Account", emails, sort: [SortKey(["email"], ascending: false)], limit: 2, offset: 1)
      try expectEqual(fixture.names(sorted, of: "email"), ["d", "a"], "a window of the sorted rows")
      try expectEqual(fixture.store.count(for: sorted), 2, "rows in the window")
    },
    ConformanceCheck("a long list of rows finds those rows") { factory in
      let fixture = try StoreFixture(factory)
      let regions = try fixture.saveNamed("Region", (0..<700).map { "r\($0)" })
      let quakes = try fixture.save { draft in
        for (name, region) in [("a", 3), ("b", 698), ("c", 3)] {
          try draft.insert("Quake", ["name": .string(name), "region": .reference(regions[region])])
        }
        try draft.insert("Quake", ["name": .string("d")])
      }
      func list(_ ids: some Sequence<RowID>) -> PredicateValue { .list(ids.map { .row($0.bits) }) }
      let odd = list(regions.enumerated().filter { $0.offset % 700 != 698 }.map(\.element).reversed())
      try expectEqual(fixture.names(fixture.plan("Quake", .compare(["region"], .in, odd))), ["a", "c"], "quakes there")
      let own = PredicateNode.comparison(ComparisonNode(.evaluatedObject, .in, .value(odd)))
      try expectEqual(fixture.store.count(for: fixture.plan("Region", own)), 699, "regions themselves")
      try expectEqual(fixture.store.count(for: fixture.plan("Quake", own)), 0, "rows of another entity")
      let named = PredicateNode.and([own, .compare(["name"], .in, .list([.string("r3"), .string("r698")]))])
      try expectEqual(fixture.names(fixture.plan("Region", named)), ["r3"], "a list of rows and one of names")
      let far = list((0..<600).map { RowID(store: 9, entity: quakes[0].entity, key: Int64($0)) })
      let none = PredicateNode.comparison(ComparisonNode(.evaluatedObject, .in, .value(far)))
      try expectEqual(fixture.names(fixture.plan("Quake", none)), [], "rows of another store")
    },
    ConformanceCheck("a long list finds only the entities of the fetch") { factory in
      let fixture = try StoreFixture(factory)
      let animals = try fixture.save { draft in
        for number in 0..<600 {
          try draft.insert(["Animal", "Bird", "Owl"][number % 3], ["name": .string("\(number)")])
        }
      }
      let all = PredicateNode.comparison(
        ComparisonNode(.evaluatedObject, .in, .value(.list(animals.map { .row($0.bits) }))))
      try expectEqual(fixture.store.count(for: fixture.plan("Animal", all)), 600, "animals")
      try expectEqual(fixture.store.count(for: fixture.plan("Bird", all)), 400, "birds")
      try expectEqual(
        fixture.store.count(for: fixture.plan("Bird", all, subentities: false)), 200, "birds other than owls")
    },
  ]
}

extension StoreFixture {
  /// Checks which accounts a filter selects, by number: as rows, as IDs and by count.
  fileprivate func expect(
    _ filter: PredicateNode, _ expected: [Int], of accounts: [RowID], _ what: String, file: StaticString = #fileID,
    line: UInt = #line
  ) throws {
    let plan = try plan("Account", filter)
    let wanted = expected.map { accounts[$0] }
    try expectEqual(store.rows(for: plan).rows.map(\.id), wanted, what, file: file, line: line)
    try expectEqual(store.ids(for: plan).sorted { $0.key < $1.key }, wanted, "\(what), ids", file: file, line: line)
    try expectEqual(store.count(for: plan), wanted.count, "\(what), counted", file: file, line: line)
  }
}
