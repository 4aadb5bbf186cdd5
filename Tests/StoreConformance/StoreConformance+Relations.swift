import StrataManagedModel
import StrataRowStore

/// To-one relationships, their to-many inverses, and the effects of deletions.
extension StoreConformance {
  static let relationChecks = [
    ConformanceCheck("to-many members follow the to-one slots") { factory in
      let fixture = try StoreFixture(factory)
      let regions = try fixture.saveNamed("Region", ["r", "s"])
      let quakes = try fixture.save { draft in
        for (name, region) in [("a", 0), ("b", 1), ("c", 0)] {
          try draft.insert("Quake", ["name": .string(name), "region": .reference(regions[region])])
        }
        try draft.insert("Quake", ["name": .string("d")])
      }
      try expectEqual(fixture.related(regions[0], "quakes"), [quakes[0], quakes[2]], "the quakes of r")
      try fixture.save { draft in
        try draft.update(fixture.row(quakes[0]), ["region": .reference(regions[1])])
        try draft.update(fixture.row(quakes[2]), ["region": .null])
        try draft.update(fixture.row(quakes[3]), ["region": .reference(regions[1])])
      }
      try expectEqual(fixture.related(regions[0], "quakes"), [], "the quakes of r")
      try expectEqual(
        fixture.related(regions[1], "quakes"), [quakes[0], quakes[1], quakes[3]], "the quakes of s, by key")
    },
    ConformanceCheck("a deleted owner has no members") { factory in
      let fixture = try StoreFixture(factory)
      let region = try fixture.saveNamed("Region", ["r"])[0]
      try fixture.save { try $0.delete(fixture.row(region)) }
      try expectEqual(fixture.related(region, "quakes"), [], "the quakes")
    },
    ConformanceCheck("members in a hierarchy have their own entity") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.save { draft in
        try draft.insert("Owl", ["name": .string("o")])
        try draft.insert("Animal", ["name": .string("a")])
      }
      let sponsors = try fixture.save { draft in
        let sponsor = try draft.insert("Sponsor", ["name": .string("s"), "animal": .reference(ids[0])])
        try draft.link(sponsor, "favourites", add: ids.reversed())
      }
      try expectEqual(fixture.value(sponsors[0], "animal"), .reference(ids[0]), "the animal")
      try expectEqual(fixture.related(sponsors[0], "favourites"), ids, "the favourites")
      try expectEqual(fixture.related(ids[0], "sponsors"), sponsors, "the owl's sponsors")
      try expectEqual(fixture.related(ids[0], "admirers"), sponsors, "the owl's admirers")
      try expectEqual(fixture.related(ids[1], "sponsors"), [], "the animal's sponsors")
    },
    ConformanceCheck("rows can refer to their own entity") { factory in
      let fixture = try StoreFixture(factory)
      let people = try fixture.save { draft in
        let parent = try draft.insert("Person", ["name": .string("p")])
        let child = try draft.insert("Person", ["name": .string("c"), "parent": .reference(parent)])
        try draft.insert("Person", ["name": .string("g"), "parent": .reference(child)])
      }
      try expectEqual(fixture.related(people[0], "children"), [people[1]], "the children")
      try expectEqual(fixture.value(people[2], "parent"), .reference(people[1]), "the parent")
      try fixture.expectNames("Person", [("parent.parent.name = 'p'", ["g"]), ("ANY children.name = 'g'", ["c"])])
    },
    ConformanceCheck("a to-one relationship without inverse keeps its destination") { factory in
      let fixture = try StoreFixture(factory)
      let person = try fixture.saveNamed("Person", ["p"])[0]
      let box = try fixture.save { try $0.insert("Box", ["name": .string("b"), "owner": .reference(person)]) }[0]
      try expectEqual(fixture.value(box, "owner"), .reference(person), "the owner")
      try fixture.expectNames("Box", [("owner.name = 'p'", ["b"])])
    },
    ConformanceCheck("a delete removes a row and its links") { factory in
      let tagged = try TaggedQuakes(factory)
      let fixture = tagged.fixture
      try fixture.save { try $0.delete(fixture.row(tagged.quakes[0])) }
      try expectEqual(try fixture.store.rows(with: [tagged.quakes[0]]).count, 0, "the number of rows")
      try expectEqual(fixture.related(tagged.quakes[0], "tags"), [], "its tags")
      try expectEqual(fixture.related(tagged.tags[0], "quakes"), [tagged.quakes[1]], "the quakes of its tag")
      try expectEqual(fixture.related(tagged.tags[1], "quakes"), [], "the quakes of its other tag")
      try expectEqual(fixture.related(tagged.regions[0], "quakes"), [tagged.quakes[1]], "the quakes of its region")
      try expectEqual(fixture.names(fixture.plan("Quake")), ["b", "c", "d", "e"], "the names")
    },
    ConformanceCheck("an owner and its members can be deleted in one batch") { factory in
      let tagged = try TaggedQuakes(factory)
      let fixture = tagged.fixture
      try fixture.save { draft in
        draft.delete(try fixture.row(tagged.regions[0]))
        draft.delete(try fixture.row(tagged.quakes[0]))
        try draft.update(fixture.row(tagged.quakes[1]), ["region": .null])
      }
      try expectEqual(fixture.value(tagged.quakes[1], "region"), .null, "the region of the row that stays")
      try expectEqual(fixture.names(fixture.plan("Region")), ["r2", "nil", "r4"], "the regions")
    },
  ]
}
