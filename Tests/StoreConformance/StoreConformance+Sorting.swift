import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Sorting, windows and hierarchies.
extension StoreConformance {
  static let sortChecks = [
    ConformanceCheck("every kind of value sorts with nil first") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.save { draft in
        try draft.insert("Kinds", sortable.mapValues { $0.1 })
        try draft.insert("Kinds")
        try draft.insert("Kinds", sortable.mapValues { $0.0 })
      }
      for name in sortable.keys {
        let up = try fixture.store.ids(for: fixture.plan("Kinds", sort: [SortKey([name])]))
        try expectEqual(up, [ids[1], ids[2], ids[0]], "the rows by \(name)")
        let down = try fixture.store.ids(for: fixture.plan("Kinds", sort: [SortKey([name], ascending: false)]))
        try expectEqual(down, [ids[0], ids[2], ids[1]], "the rows by \(name), descending")
      }
    },
    ConformanceCheck("text sorts by its bytes") { factory in
      let fixture = try StoreFixture(factory)
      try fixture.saveNamed("Tag", ["b", "é", "B", "a", "ab", "", "Z", "東", "🌋", "e\u{301}"])
      try expectEqual(
        fixture.names(fixture.plan("Tag", sort: [SortKey(["name"])])),
        ["", "B", "Z", "a", "ab", "b", "e\u{301}", "é", "東", "🌋"], "the names")
    },
    ConformanceCheck("text sorts by the comparison of its key") { factory in
      let fixture = try StoreFixture(factory)
      try fixture.saveNamed("Tag", ["b10", "B2", "é", "a", "A", "e", "E\u{301}", "b9", "", "ß", "ss"])
      try fixture.save { draft in try draft.insert("Tag") }
      let orders: [(SortComparison, [String])] = [
        (.caseInsensitive, ["nil", "", "a", "A", "b10", "B2", "b9", "e", "é", "E\u{301}", "ß", "ss"]),
        (.localized, ["nil", "", "a", "A", "b10", "B2", "b9", "e", "é", "E\u{301}", "ss", "ß"]),
        (.localizedCaseInsensitive, ["nil", "", "a", "A", "b10", "B2", "b9", "e", "é", "E\u{301}", "ß", "ss"]),
        (.localizedStandard, ["nil", "", "a", "A", "B2", "b9", "b10", "e", "é", "E\u{301}", "ss", "ß"]),
      ]
      for (comparison, expected) in orders {
        let plan = try fixture.plan("Tag", sort: [SortKey(["name"], comparison: comparison)])
        try expectEqual(fixture.names(plan), expected, "the names, \(comparison)")
        let down = try fixture.plan(
          "Tag", sort: [SortKey(["name"], ascending: false, comparison: comparison)], limit: 1)
        // Where "ß" equals "ss", it is the first of the two.
        try expectEqual(fixture.names(down), ["ß"], "the last")
      }
    },
    ConformanceCheck("ties are in key order in both directions") { factory in
      let fixture = try fiveQuakes(factory)
      try expectEqual(fixture.names(fixture.plan("Quake", sort: [SortKey(["depth"])])), ["c", "e", "a", "d", "b"])
      try expectEqual(
        fixture.names(fixture.plan("Quake", sort: [SortKey(["depth"], ascending: false)])), ["b", "a", "d", "c", "e"])
    },
    ConformanceCheck("ties of a descending order are reversed only where an index is read backwards") { factory in
      let fixture = try StoreFixture(factory)
      try fixture.save { draft in
        for (name, weight) in [("a", 1), ("b", 2), ("c", 1), ("d", 2)] as [(String, Int64)] {
          try draft.insert("Owl", ["name": .string(name), "weight": .integer(weight)])
        }
      }
      let (up, down) = (SortKey(["weight"]), SortKey(["weight"], ascending: false))
      for entity in ["Animal", "Bird"] {
        try expectEqual(fixture.names(fixture.plan(entity, sort: [up])), ["a", "c", "b", "d"], "ascending")
        try expectEqual(fixture.names(fixture.plan(entity, sort: [down])), ["d", "b", "c", "a"], "descending")
        try expectEqual(
          fixture.names(fixture.plan(entity, sort: [down, SortKey(["name"], ascending: false)])), ["d", "b", "c", "a"],
          "by two keys")
      }
      let kind = SortKey(["isNocturnal"], ascending: false)
      try expectEqual(fixture.names(fixture.plan("Owl", sort: [kind])), ["a", "b", "c", "d"], "without an index")
      try expectEqual(
        fixture.names(fixture.plan("Owl", sort: [down, kind])), ["b", "d", "a", "c"], "by a key without one")
    },
    ConformanceCheck("several sort keys apply in order") { factory in
      let fixture = try fiveQuakes(factory)
      let plan = try fixture.plan("Quake", sort: [SortKey(["depth"]), SortKey(["magnitude"], ascending: false)])
      try expectEqual(fixture.names(plan), ["e", "c", "d", "a", "b"])
    },
    ConformanceCheck("sort keys can follow relationships") { factory in
      let fixture = try TaggedQuakes(factory).fixture
      let plan = try fixture.plan(
        "Quake",
        sort: [
          SortKey(["region", "country", "name"], ascending: false), SortKey(["region", "name"], ascending: false),
        ])
      try expectEqual(fixture.names(plan), ["a", "b", "c", "d", "e"])
      let up = try fixture.plan("Quake", sort: [SortKey(["region", "name"]), SortKey(["name"], ascending: false)])
      try expectEqual(fixture.names(up), ["e", "d", "b", "a", "c"])
    },
    ConformanceCheck("rows without sort keys are in key order") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.save { draft in for name in ["Owl", "Animal", "Bird", "Animal"] { try draft.insert(name) } }
      try expectEqual(fixture.store.ids(for: fixture.plan("Animal")), ids, "the ids")
    },
  ]

  static let planChecks = [
    ConformanceCheck("limit and offset select a window") { factory in
      let fixture = try fiveQuakes(factory)
      let sort = [SortKey(["name"], ascending: false)]
      try expectEqual(fixture.names(fixture.plan("Quake", sort: sort, limit: 2)), ["e", "d"])
      try expectEqual(fixture.names(fixture.plan("Quake", sort: sort, limit: 2, offset: 1)), ["d", "c"])
      try expectEqual(fixture.names(fixture.plan("Quake", sort: sort, limit: 9, offset: 3)), ["b", "a"])
      try expectEqual(fixture.names(fixture.plan("Quake", sort: sort, offset: 4)), ["a"])
      try expectEqual(fixture.names(fixture.plan("Quake", sort: sort, offset: 5)), [])
      try expectEqual(fixture.names(fixture.plan("Quake", limit: 2, offset: 2)), ["c", "d"])
    },
    ConformanceCheck("the window applies after the filter") { factory in
      let fixture = try fiveQuakes(factory)
      let filter = try PredicateParser.tree("magnitude > 5")
      try expectEqual(fixture.names(fixture.plan("Quake", filter, limit: 2, offset: 1)), ["d", "e"])
    },
    ConformanceCheck("a count honors limit and offset") { factory in
      let fixture = try fiveQuakes(factory)
      let filter = try PredicateParser.tree("depth != nil")
      try expectEqual(fixture.store.count(for: fixture.plan("Quake")), 5)
      try expectEqual(fixture.store.count(for: fixture.plan("Quake", filter)), 3)
      try expectEqual(fixture.store.count(for: fixture.plan("Quake", filter, limit: 2)), 2)
      try expectEqual(fixture.store.count(for: fixture.plan("Quake", filter, offset: 2)), 1)
      try expectEqual(fixture.store.count(for: fixture.plan("Quake", filter, limit: 5, offset: 9)), 0)
      try expectEqual(fixture.store.count(for: fixture.plan("Tag")), 0)
    },
    ConformanceCheck("fetched IDs are those of the rows") { factory in
      let fixture = try TaggedQuakes(factory).fixture
      for sort in [[], [SortKey(["region", "name"])], [SortKey(["magnitude"], ascending: false)]] {
        let plan = try fixture.plan("Quake", try PredicateParser.tree("name != 'b'"), sort: sort, limit: 3, offset: 1)
        try expectEqual(fixture.store.ids(for: plan), try fixture.store.rows(for: plan).rows.map(\.id), "the ids")
      }
    },
    ConformanceCheck("subentities can be included or excluded") { factory in
      let fixture = try StoreFixture(factory)
      try fixture.save { draft in
        for (entity, name) in [("Owl", "o"), ("Animal", "a"), ("Bird", "b"), ("Owl", "p")] {
          try draft.insert(entity, ["name": .string(name)])
        }
      }
      try expectEqual(fixture.names(fixture.plan("Animal")), ["o", "a", "b", "p"])
      try expectEqual(fixture.names(fixture.plan("Animal", subentities: false)), ["a"])
      try expectEqual(fixture.names(fixture.plan("Bird")), ["o", "b", "p"])
      try expectEqual(fixture.names(fixture.plan("Bird", subentities: false)), ["b"])
      try expectEqual(fixture.names(fixture.plan("Owl")), ["o", "p"])
      try expectEqual(fixture.store.count(for: fixture.plan("Bird")), 3)
      let filter = try PredicateParser.tree("name != 'o'")
      try expectEqual(
        fixture.names(fixture.plan("Animal", filter, sort: [SortKey(["name"], ascending: false)])), ["p", "b", "a"])
    },
    ConformanceCheck("rows of a hierarchy have their own entity") { factory in
      let fixture = try StoreFixture(factory)
      try fixture.save { draft in
        try draft.insert("Owl", ["name": .string("o"), "wingspan": .double(1), "isNocturnal": .boolean(true)])
        try draft.insert("Animal", ["name": .string("a"), "weight": .integer(3)])
      }
      let rows = try fixture.store.rows(for: fixture.plan("Animal")).rows
      try expectEqual(rows.map(\.layout.name), ["Owl", "Animal"], "the entities")
      let slot = try expectSome(rows[0].layout.slot(named: "isNocturnal"), "the slot isNocturnal")
      try expectEqual(rows[0][slot], .boolean(true), "the owl's own value")
    },
  ]

  /// A smaller and a larger value of each kind.
  static let sortable: [String: (SlotValue, SlotValue)] = [
    "small": (.integer(-3), .integer(2)), "medium": (.integer(9), .integer(10)),
    "large": (.integer(-1), .integer(1 << 40)),
    "flag": (.boolean(false), .boolean(true)), "real": (.double(-0.5), .double(0.25)),
    "single": (.double(1), .double(2)),
    "moment": (.date(-5), .date(3.5)), "text": (.string("a"), .string("b")),
    "amount": (.decimal(Decimal(string: "9.5") ?? 0), .decimal(Decimal(string: "10.25") ?? 0)),
    "link": (.uri("https://a.example"), .uri("https://b.example")),
  ]
}
