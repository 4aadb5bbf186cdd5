import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Elements of composite attributes are stored, fetched and sorted by like attributes.
extension StoreConformance {
  static let compositeChecks = [
    ConformanceCheck("elementsComeBack") { factory in
      let scene = try Scene(factory)
      let id = try scene.save { try $0.insert("Station", station("a", 1.5, "x", 7)) }[0]
      for (name, value) in station("a", 1.5, "x", 7) { try expectEqual(scene.value(id, name), value, name) }
      try expectEqual(scene.value(id, "site.longitude"), .null, "site.longitude")
      try scene.save { try $0.update(scene.row(id), ["site.latitude": .null, "site.rock.age": .integer(8)]) }
      try expectEqual(scene.value(id, "site.latitude"), .null, "site.latitude")
      try expectEqual(scene.value(id, "site.rock.age"), .integer(8), "site.rock.age")
      try expectEqual(scene.value(id, "site.label"), .string("x"), "site.label")
    },
    ConformanceCheck("elementsAreFilteredAndSortedBy") { factory in
      let scene = try Scene(factory)
      try scene.save { draft in
        let region = try draft.insert("Region", ["name": .string("r")])
        var near = station("b", 3, "y", 30)
        near["region"] = .reference(region)
        try draft.insert("Station", station("a", 1, "x", 40))
        try draft.insert("Station", near)
        try draft.insert("Station", ["name": .string("c")])
      }
      try scene.expectNames(
        "Station",
        [
          ("site.latitude > 0.5", ["a", "b"]), ("site.rock.age < 35", ["b"]), ("site.label == nil", ["c"]),
          ("site == nil", ["c"]), ("site != nil", ["a", "b"]), ("site.rock != nil AND site.label == 'x'", ["a"]),
          ("SUBQUERY(region.stations, $s, $s.site.latitude > 2).@count == 1", ["b"]),
        ])
      try scene.expectNames(
        "Region",
        [
          ("ANY stations.site.rock.age == 30", ["r"]), ("stations.@max.site.latitude == 3", ["r"]),
          ("ALL stations.site.label == 'x'", []),
        ])
      let sorted = try scene.plan("Station", sort: [SortKey(["site", "rock", "age"])])
      try expectEqual(scene.names(sorted), ["c", "b", "a"], "by site.rock.age")
    },
    ConformanceCheck("aCompositeAttributeIsNoValue") { factory in
      let scene = try Scene(factory)
      let error = try scene.refusal {
        _ = try scene.store.rows(for: scene.plan("Station", try PredicateParser.tree("site == 'a'")))
      }
      try expectEqual(error.code, .unsupported, "the code")
    },
  ]

  static let uniqueElementChecks = [
    ConformanceCheck("anElementCanBeUnique") { factory in
      let scene = try Scene(factory)
      try scene.save { try $0.insert("Station", station("a", 1, "x", 1)) }
      var draft = BatchDraft()
      try draft.insert("Station", station("b", 1, "x", 1))
      let error = try scene.refusal(of: draft.batch)
      try expectEqual(error.code, .constraint, "the code")
      try expectEqual(error.conflicts.map(\.constraint), [["site.label"]], "the constraint")
      try scene.save { try $0.insert("Station", station("b", 1, "y", 1)) }
    }
  ]

  static let elementHistoryChecks = [
    ConformanceCheck("historySpeaksOfTheCompositeAttribute") { factory in
      let scene = try Scene(factory)
      let id = try scene.save { try $0.insert("Station", station("a", 1, "x", 1)) }[0]
      try scene.save { draft in
        try draft.update(scene.row(id), ["site.latitude": .double(2), "site.rock.age": .integer(2)])
      }
      try scene.save { try $0.delete(scene.row(id)) }
      let changes = try scene.store.history(after: 0, limit: 0).flatMap(\.changes)
      try expectEqual(changes.map(\.updatedProperties), [[], ["site"], []], "the properties")
      let slot = try expectSome(scene.model.layout(number: id.entity).slot(named: "site.label"), "the slot")
      try expectEqual(changes[2].tombstone, [slot: .string("x")], "what is kept")
    }
  ]

  private static func station(_ name: String, _ latitude: Double, _ label: String, _ age: Int64) -> [String: SlotValue]
  {
    [
      "name": .string(name), "site.latitude": .double(latitude), "site.label": .string(label),
      "site.rock.age": .integer(age),
    ]
  }
}
