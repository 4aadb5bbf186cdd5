import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Sorting, windows and hierarchies.
extension StoreConformance {
  static let sortChecks = [
    ConformanceCheck("everyKindSortsWithNilFirst") { factory in
      let scene = try Scene(factory)
      let ids = try scene.save { draft in
        try draft.insert("Kinds", sortable.mapValues { $0.1 })
        try draft.insert("Kinds")
        try draft.insert("Kinds", sortable.mapValues { $0.0 })
      }
      for name in sortable.keys {
        let up = try scene.store.ids(for: scene.plan("Kinds", sort: [SortKey([name])]))
        try expectEqual(up, [ids[1], ids[2], ids[0]], "the rows by \(name)")
        let down = try scene.store.ids(for: scene.plan("Kinds", sort: [SortKey([name], ascending: false)]))
        try expectEqual(down, [ids[0], ids[2], ids[1]], "the rows by \(name), descending")
      }
    },
    ConformanceCheck("textSortsByItsBytes") { factory in
      let scene = try Scene(factory)
      try scene.saveNamed("Tag", ["b", "é", "B", "a", "ab", "", "Z", "東", "🌋", "e\u{301}"])
      try expectEqual(
        scene.names(scene.plan("Tag", sort: [SortKey(["name"])])),
        ["", "B", "Z", "a", "ab", "b", "e\u{301}", "é", "東", "🌋"], "the names")
    },
    ConformanceCheck("textSortsAsItsKeyCompares") { factory in
      let scene = try Scene(factory)
      try scene.saveNamed("Tag", ["b10", "B2", "é", "a", "A", "e", "E\u{301}", "b9", "", "ß", "ss"])
      try scene.save { draft in try draft.insert("Tag") }
      let orders: [(SortComparison, [String])] = [
        (.caseInsensitive, ["nil", "", "a", "A", "b10", "B2", "b9", "e", "é", "E\u{301}", "ß", "ss"]),
        (.localized, ["nil", "", "a", "A", "b10", "B2", "b9", "e", "é", "E\u{301}", "ss", "ß"]),
        (.localizedCaseInsensitive, ["nil", "", "a", "A", "b10", "B2", "b9", "e", "é", "E\u{301}", "ß", "ss"]),
        (.localizedStandard, ["nil", "", "a", "A", "B2", "b9", "b10", "e", "é", "E\u{301}", "ss", "ß"]),
      ]
      for (comparison, expected) in orders {
        let plan = try scene.plan("Tag", sort: [SortKey(["name"], comparison: comparison)])
        try expectEqual(scene.names(plan), expected, "the names, \(comparison)")
        let down = try scene.plan(
          "Tag", sort: [SortKey(["name"], ascending: false, comparison: comparison)], limit: 1)
        // Where it counts as equal to "ss", the first of the two.
        try expectEqual(scene.names(down), ["ß"], "the last")
      }
    },
    ConformanceCheck("tiesComeInTheOrderOfKeysInBothDirections") { factory in
      let scene = try fiveQuakes(factory)
      try expectEqual(scene.names(scene.plan("Quake", sort: [SortKey(["depth"])])), ["c", "e", "a", "d", "b"])
      try expectEqual(
        scene.names(scene.plan("Quake", sort: [SortKey(["depth"], ascending: false)])), ["b", "a", "d", "c", "e"])
    },
    ConformanceCheck("ties of a descending order are reversed only where an index is read backwards") { factory in
      let scene = try Scene(factory)
      try scene.save { draft in
        for (name, weight) in [("a", 1), ("b", 2), ("c", 1), ("d", 2)] as [(String, Int64)] {
          try draft.insert("Owl", ["name": .string(name), "weight": .integer(weight)])
        }
      }
      let (up, down) = (SortKey(["weight"]), SortKey(["weight"], ascending: false))
      for entity in ["Animal", "Bird"] {
        try expectEqual(scene.names(scene.plan(entity, sort: [up])), ["a", "c", "b", "d"], "ascending")
        try expectEqual(scene.names(scene.plan(entity, sort: [down])), ["d", "b", "c", "a"], "descending")
        try expectEqual(
          scene.names(scene.plan(entity, sort: [down, SortKey(["name"], ascending: false)])), ["d", "b", "c", "a"],
          "by two keys")
      }
      let kind = SortKey(["isNocturnal"], ascending: false)
      try expectEqual(scene.names(scene.plan("Owl", sort: [kind])), ["a", "b", "c", "d"], "without an index")
      try expectEqual(
        scene.names(scene.plan("Owl", sort: [down, kind])), ["b", "d", "a", "c"], "by a key without one")
    },
    ConformanceCheck("severalSortKeys") { factory in
      let scene = try fiveQuakes(factory)
      let plan = try scene.plan("Quake", sort: [SortKey(["depth"]), SortKey(["magnitude"], ascending: false)])
      try expectEqual(scene.names(plan), ["e", "c", "d", "a", "b"])
    },
    ConformanceCheck("sortKeysLeadOverHops") { factory in
      let scene = try TaggedQuakes(factory).scene
      let plan = try scene.plan(
        "Quake",
        sort: [
          SortKey(["region", "country", "name"], ascending: false), SortKey(["region", "name"], ascending: false),
        ])
      try expectEqual(scene.names(plan), ["a", "b", "c", "d", "e"])
      let up = try scene.plan("Quake", sort: [SortKey(["region", "name"]), SortKey(["name"], ascending: false)])
      try expectEqual(scene.names(up), ["e", "d", "b", "a", "c"])
    },
    ConformanceCheck("withoutSortKeysRowsComeByKey") { factory in
      let scene = try Scene(factory)
      let ids = try scene.save { draft in for name in ["Owl", "Animal", "Bird", "Animal"] { try draft.insert(name) } }
      try expectEqual(scene.store.ids(for: scene.plan("Animal")), ids, "the ids")
    },
  ]

  static let planChecks = [
    ConformanceCheck("limitAndOffsetCutAWindow") { factory in
      let scene = try fiveQuakes(factory)
      let sort = [SortKey(["name"], ascending: false)]
      try expectEqual(scene.names(scene.plan("Quake", sort: sort, limit: 2)), ["e", "d"])
      try expectEqual(scene.names(scene.plan("Quake", sort: sort, limit: 2, offset: 1)), ["d", "c"])
      try expectEqual(scene.names(scene.plan("Quake", sort: sort, limit: 9, offset: 3)), ["b", "a"])
      try expectEqual(scene.names(scene.plan("Quake", sort: sort, offset: 4)), ["a"])
      try expectEqual(scene.names(scene.plan("Quake", sort: sort, offset: 5)), [])
      try expectEqual(scene.names(scene.plan("Quake", limit: 2, offset: 2)), ["c", "d"])
    },
    ConformanceCheck("windowIsCutAfterTheFilter") { factory in
      let scene = try fiveQuakes(factory)
      let filter = try PredicateParser.tree("magnitude > 5")
      try expectEqual(scene.names(scene.plan("Quake", filter, limit: 2, offset: 1)), ["d", "e"])
    },
    ConformanceCheck("countHonoursLimitAndOffset") { factory in
      let scene = try fiveQuakes(factory)
      let filter = try PredicateParser.tree("depth != nil")
      try expectEqual(scene.store.count(for: scene.plan("Quake")), 5)
      try expectEqual(scene.store.count(for: scene.plan("Quake", filter)), 3)
      try expectEqual(scene.store.count(for: scene.plan("Quake", filter, limit: 2)), 2)
      try expectEqual(scene.store.count(for: scene.plan("Quake", filter, offset: 2)), 1)
      try expectEqual(scene.store.count(for: scene.plan("Quake", filter, limit: 5, offset: 9)), 0)
      try expectEqual(scene.store.count(for: scene.plan("Tag")), 0)
    },
    ConformanceCheck("idsAreThoseOfTheRows") { factory in
      let scene = try TaggedQuakes(factory).scene
      for sort in [[], [SortKey(["region", "name"])], [SortKey(["magnitude"], ascending: false)]] {
        let plan = try scene.plan("Quake", try PredicateParser.tree("name != 'b'"), sort: sort, limit: 3, offset: 1)
        try expectEqual(scene.store.ids(for: plan), try scene.store.rows(for: plan).rows.map(\.id), "the ids")
      }
    },
    ConformanceCheck("subentitiesComeInOrStayOut") { factory in
      let scene = try Scene(factory)
      try scene.save { draft in
        for (entity, name) in [("Owl", "o"), ("Animal", "a"), ("Bird", "b"), ("Owl", "p")] {
          try draft.insert(entity, ["name": .string(name)])
        }
      }
      try expectEqual(scene.names(scene.plan("Animal")), ["o", "a", "b", "p"])
      try expectEqual(scene.names(scene.plan("Animal", subentities: false)), ["a"])
      try expectEqual(scene.names(scene.plan("Bird")), ["o", "b", "p"])
      try expectEqual(scene.names(scene.plan("Bird", subentities: false)), ["b"])
      try expectEqual(scene.names(scene.plan("Owl")), ["o", "p"])
      try expectEqual(scene.store.count(for: scene.plan("Bird")), 3)
      let filter = try PredicateParser.tree("name != 'o'")
      try expectEqual(
        scene.names(scene.plan("Animal", filter, sort: [SortKey(["name"], ascending: false)])), ["p", "b", "a"])
    },
    ConformanceCheck("rowsOfAHierarchyHaveTheirOwnEntity") { factory in
      let scene = try Scene(factory)
      try scene.save { draft in
        try draft.insert("Owl", ["name": .string("o"), "wingspan": .double(1), "isNocturnal": .boolean(true)])
        try draft.insert("Animal", ["name": .string("a"), "weight": .integer(3)])
      }
      let rows = try scene.store.rows(for: scene.plan("Animal")).rows
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
