import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Elements of composite attributes are stored, fetched and sorted like attributes.
extension StoreConformance {
  static let compositeChecks = [
    ConformanceCheck("elements of composite attributes are read back") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.save { try $0.insert("Station", station("a", 1.5, "x", 7)) }[0]
      for (name, value) in station("a", 1.5, "x", 7) { try expectEqual(fixture.value(id, name), value, name) }
      try expectEqual(fixture.value(id, "site.longitude"), .null, "site.longitude")
      try fixture.save { try $0.update(fixture.row(id), ["site.latitude": .null, "site.rock.age": .integer(8)]) }
      try expectEqual(fixture.value(id, "site.latitude"), .null, "site.latitude")
      try expectEqual(fixture.value(id, "site.rock.age"), .integer(8), "site.rock.age")
      try expectEqual(fixture.value(id, "site.label"), .string("x"), "site.label")
    },
    ConformanceCheck("rows can be filtered and sorted by elements") { factory in
      let fixture = try StoreFixture(factory)
      try fixture.save { draft in
        let region = try draft.insert("Region", ["name": .string("r")])
        var near = station("b", 3, "y", 30)
        near["region"] = .reference(region)
        try draft.insert("Station", station("a", 1, "x", 40))
        try draft.insert("Station", near)
        try draft.insert("Station", ["name": .string("c")])
      }
      try fixture.expectNames(
        "Station",
        [
          ("site.latitude > 0.5", ["a", "b"]), ("site.rock.age < 35", ["b"]), ("site.label == nil", ["c"]),
          ("site == nil", ["c"]), ("site != nil", ["a", "b"]), ("site.rock != nil AND site.label == 'x'", ["a"]),
          ("SUBQUERY(region.stations, $s, $s.site.latitude > 2).@count == 1", ["b"]),
        ])
      try fixture.expectNames(
        "Region",
        [
          ("ANY stations.site.rock.age == 30", ["r"]), ("stations.@max.site.latitude == 3", ["r"]),
          ("ALL stations.site.label == 'x'", []),
        ])
      let sorted = try fixture.plan("Station", sort: [SortKey(["site", "rock", "age"])])
      try expectEqual(fixture.names(sorted), ["c", "b", "a"], "by site.rock.age")
    },
    ConformanceCheck("comparing a composite attribute with a value is refused") { factory in
      let fixture = try StoreFixture(factory)
      let error = try fixture.refusal {
        _ = try fixture.store.rows(for: fixture.plan("Station", try PredicateParser.tree("site == 'a'")))
      }
      try expectEqual(error.code, .unsupported, "the code")
    },
  ]

  static let uniqueElementChecks = [
    ConformanceCheck("an element can be unique") { factory in
      let fixture = try StoreFixture(factory)
      try fixture.save { try $0.insert("Station", station("a", 1, "x", 1)) }
      var draft = BatchDraft()
      try draft.insert("Station", station("b", 1, "x", 1))
      let error = try fixture.refusal(of: draft.batch)
      try expectEqual(error.code, .constraint, "the code")
      try expectEqual(error.conflicts.map(\.constraint), [["site.label"]], "the constraint")
      try fixture.save { try $0.insert("Station", station("b", 1, "y", 1)) }
    }
  ]

  static let elementHistoryChecks = [
    ConformanceCheck("the history lists the composite attribute of a changed element") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.save { try $0.insert("Station", station("a", 1, "x", 1)) }[0]
      try fixture.save { draft in
        try draft.update(fixture.row(id), ["site.latitude": .double(2), "site.rock.age": .integer(2)])
      }
      try fixture.save { try $0.delete(fixture.row(id)) }
      let changes = try fixture.store.history(after: 0, limit: 0).flatMap(\.changes)
      try expectEqual(changes.map(\.updatedProperties), [[], ["site"], []], "the properties")
      let slot = try expectSome(fixture.model.layout(number: id.entity).slot(named: "site.label"), "the slot")
      try expectEqual(changes[2].tombstone, [slot: .string("x")], "the tombstone")
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
