import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Filters on related rows.
extension StoreConformance {
  static let pathFilterChecks = [
    ConformanceCheck("key paths can follow one relationship") { factory in
      try TaggedQuakes(factory).fixture.expectNames(
        "Quake",
        [
          ("region.name = 'r1'", ["a", "b"]), ("region.name != 'r1'", ["c", "d", "e"]),
          ("region.name = nil", ["d", "e"]),
          ("region.name != nil", ["a", "b", "c"]), ("region.name BEGINSWITH 'r'", ["a", "b", "c"]),
          ("NOT region.name BEGINSWITH 'r'", ["d", "e"]), ("region = nil", ["e"]),
          ("region != nil", ["a", "b", "c", "d"]),
          ("name = 'a' OR region.name = 'r2'", ["a", "c"]), ("region.name IN {'r2', 'r9'}", ["c"]),
        ])
    },
    ConformanceCheck("key paths can follow two relationships") { factory in
      try TaggedQuakes(factory).fixture.expectNames(
        "Quake",
        [
          ("region.country.name = 'X'", ["a", "b"]), ("region.country.name != 'X'", ["c", "d", "e"]),
          ("region.country = nil", ["c", "d", "e"]), ("region.country.name = nil", ["c", "d", "e"]),
          ("region.country.name = 'X' AND region.name = 'r1' AND magnitude > 1", ["b"]),
        ])
    },
    ConformanceCheck("a to-one relationship can be compared with rows") { factory in
      let tagged = try TaggedQuakes(factory)
      let fixture = tagged.fixture
      let r1 = PredicateValue.row(tagged.regions[0].bits)
      try expectEqual(fixture.names(fixture.plan("Quake", .compare(["region"], .equal, r1))), ["a", "b"])
      try expectEqual(fixture.names(fixture.plan("Quake", .compare(["region"], .notEqual, r1))), ["c", "d", "e"])
      let both = PredicateValue.list([r1, .row(tagged.regions[1].bits)])
      try expectEqual(fixture.names(fixture.plan("Quake", .compare(["region"], .in, both))), ["a", "b", "c"])
      let country = PredicateValue.row(tagged.country.bits)
      try expectEqual(
        fixture.names(fixture.plan("Quake", .compare(["region", "country"], .equal, country))), ["a", "b"])
    },
    ConformanceCheck("a to-one relationship to a hierarchy can be compared with rows") { factory in
      let fixture = try StoreFixture(factory)
      let owl = try fixture.save { try $0.insert("Owl", ["name": .string("o")]) }[0]
      try fixture.save { draft in
        try draft.insert("Sponsor", ["name": .string("s"), "animal": .reference(owl)])
        try draft.insert("Sponsor", ["name": .string("t")])
      }
      try expectEqual(
        fixture.names(fixture.plan("Sponsor", .compare(["animal"], .equal, .row(owl.bits)))), ["s"], "the sponsors")
      try fixture.expectNames("Sponsor", [("animal.name = 'o'", ["s"]), ("animal = nil", ["t"])])
    },
    ConformanceCheck("ANY, ALL and NONE apply to one-to-many relationships") { factory in
      try TaggedQuakes(factory).fixture.expectNames(
        "Region",
        [
          ("ANY quakes.magnitude > 1", ["r1", "r2"]), ("ANY quakes.magnitude > 9", []),
          ("ALL quakes.magnitude > 1", ["r2", "r4"]), ("NONE quakes.magnitude > 1", ["nil", "r4"]),
          ("ANY quakes.name IN {'a', 'c'}", ["r1", "r2"]), ("ANY quakes.name = nil", []),
          ("ANY quakes.magnitude = nil", ["nil"]), ("ALL quakes.magnitude != 1", ["r2", "nil", "r4"]),
          ("ANY quakes.magnitude > 1 AND name = 'r2'", ["r2"]), ("NOT ANY quakes.magnitude > 1", ["nil", "r4"]),
          ("NOT ALL quakes.magnitude > 1", ["r1", "nil"]),
        ])
    },
    ConformanceCheck("ANY, ALL and NONE apply to many-to-many relationships") { factory in
      try TaggedQuakes(factory).fixture.expectNames(
        "Quake",
        [
          ("ANY tags.name = 't1'", ["a", "b"]), ("ALL tags.name = 't1'", ["b", "c", "d", "e"]),
          ("NONE tags.name = 't1'", ["c", "d", "e"]), ("ANY tags.name BEGINSWITH 't'", ["a", "b"]),
          ("ANY region.quakes.name = 'b'", ["a", "b"]),
        ])
    },
    ConformanceCheck("ANY can be compared with rows") { factory in
      let tagged = try TaggedQuakes(factory)
      let fixture = tagged.fixture
      let tag = PredicateValue.row(tagged.tags[1].bits)
      try expectEqual(
        fixture.names(fixture.plan("Quake", .compare(["tags"], .equal, tag, quantifier: .any))), ["a"], "the quakes")
      try expectEqual(
        fixture.names(fixture.plan("Quake", .compare(["tags"], .in, .list([tag]), quantifier: .any))), ["a"],
        "the quakes")
    },
    ConformanceCheck("the count of a to-many relationship can be compared") { factory in
      let tagged = try TaggedQuakes(factory)
      try tagged.fixture.expectNames(
        "Region",
        [
          ("quakes.@count = 2", ["r1"]), ("quakes.@count = 0", ["r4"]), ("quakes.@count >= 1", ["r1", "r2", "nil"]),
          ("quakes.@count IN {1, 2}", ["r1", "r2", "nil"]),
        ])
      try tagged.fixture.expectNames("Quake", [("tags.@count = 2", ["a"]), ("tags.@count = 0", ["c", "d", "e"])])
      try tagged.fixture.expectNames("Quake", [("region.quakes.@count = 2", ["a", "b"])])
    },
    ConformanceCheck("filters of subentities can use inherited properties") { factory in
      let fixture = try StoreFixture(factory)
      let owl = try fixture.save { try $0.insert("Owl", ["name": .string("o"), "wingspan": .double(1.2)]) }[0]
      try fixture.save { draft in
        try draft.insert("Bird", ["name": .string("b"), "wingspan": .double(0.4)])
        try draft.insert("Sponsor", ["name": .string("s"), "animal": .reference(owl)])
      }
      try fixture.expectNames(
        "Bird", [("wingspan > 1", ["o"]), ("ANY sponsors.name = 's'", ["o"]), ("name = 'b'", ["b"])])
      try fixture.expectNames("Owl", [("name BEGINSWITH 'o' AND wingspan > 1", ["o"])])
    },
  ]

  /// Country X has region r1 with the quakes a (1) and b (3); r2 has c (5); a region without a name has d (nil);
  /// r4 has no quakes; e (7) has no region. a is tagged t1 and t2, b is tagged t1.
  struct TaggedQuakes {
    let fixture: StoreFixture
    let country: RowID
    let regions: [RowID]
    let quakes: [RowID]
    let tags: [RowID]

    init(_ factory: any StoreFactory) throws {
      let fixture = try StoreFixture(factory)
      let ids = try fixture.save { draft in
        let country = try draft.insert("Country", ["name": .string("X")])
        let regions = try ["r1", "r2", nil, "r4"].map { name in
          try draft.insert(
            "Region",
            ["name": name.map(SlotValue.string) ?? .null, "country": name == "r1" ? .reference(country) : .null])
        }
        for (name, magnitude, region) in [("a", 1, 0), ("b", 3, 0), ("c", 5, 1), ("d", nil, 2), ("e", 7, nil)]
          as [(String, Double?, Int?)]
        {
          var values = quake(name, magnitude, nil)
          values["region"] = region.map { .reference(regions[$0]) }
          try draft.insert("Quake", values)
        }
        for name in ["t1", "t2"] { try draft.insert("Tag", ["name": .string(name)]) }
      }
      self.fixture = fixture
      (country, regions, quakes, tags) = (ids[0], Array(ids[1...4]), Array(ids[5...9]), Array(ids[10...]))
      let (a, b, t1, t2) = (ids[5], ids[6], ids[10], ids[11])
      try fixture.save { draft in
        try draft.link(a, "tags", add: [t1, t2])
        try draft.link(b, "tags", add: [t1])
      }
    }
  }
}
