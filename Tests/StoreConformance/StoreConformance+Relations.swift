import StrataManagedModel
import StrataRowStore

/// To-one relationships, their to-many inverses, and the effects of deletions.
extension StoreConformance {
  static let relationChecks = [
    ConformanceCheck("toManyIsWhatTheToOneSlotsSay") { factory in
      let scene = try Scene(factory)
      let regions = try scene.saveNamed("Region", ["r", "s"])
      let quakes = try scene.save { draft in
        for (name, region) in [("a", 0), ("b", 1), ("c", 0)] {
          try draft.insert("Quake", ["name": .string(name), "region": .reference(regions[region])])
        }
        try draft.insert("Quake", ["name": .string("d")])
      }
      try expectEqual(scene.related(regions[0], "quakes"), [quakes[0], quakes[2]], "the quakes of r")
      try scene.save { draft in
        try draft.update(scene.row(quakes[0]), ["region": .reference(regions[1])])
        try draft.update(scene.row(quakes[2]), ["region": .null])
        try draft.update(scene.row(quakes[3]), ["region": .reference(regions[1])])
      }
      try expectEqual(scene.related(regions[0], "quakes"), [], "the quakes of r")
      try expectEqual(
        scene.related(regions[1], "quakes"), [quakes[0], quakes[1], quakes[3]], "the quakes of s, by key")
    },
    ConformanceCheck("relatedOfAGoneOwnerIsEmpty") { factory in
      let scene = try Scene(factory)
      let region = try scene.saveNamed("Region", ["r"])[0]
      try scene.save { try $0.delete(scene.row(region)) }
      try expectEqual(scene.related(region, "quakes"), [], "the quakes")
    },
    ConformanceCheck("relatedRowsOfAHierarchyHaveTheirOwnEntity") { factory in
      let scene = try Scene(factory)
      let ids = try scene.save { draft in
        try draft.insert("Owl", ["name": .string("o")])
        try draft.insert("Animal", ["name": .string("a")])
      }
      let sponsors = try scene.save { draft in
        let sponsor = try draft.insert("Sponsor", ["name": .string("s"), "animal": .reference(ids[0])])
        try draft.link(sponsor, "favourites", add: ids.reversed())
      }
      try expectEqual(scene.value(sponsors[0], "animal"), .reference(ids[0]), "the animal")
      try expectEqual(scene.related(sponsors[0], "favourites"), ids, "the favourites")
      try expectEqual(scene.related(ids[0], "sponsors"), sponsors, "the owl's sponsors")
      try expectEqual(scene.related(ids[0], "admirers"), sponsors, "the owl's admirers")
      try expectEqual(scene.related(ids[1], "sponsors"), [], "the animal's sponsors")
    },
    ConformanceCheck("rowsMayReferToTheirOwnEntity") { factory in
      let scene = try Scene(factory)
      let people = try scene.save { draft in
        let parent = try draft.insert("Person", ["name": .string("p")])
        let child = try draft.insert("Person", ["name": .string("c"), "parent": .reference(parent)])
        try draft.insert("Person", ["name": .string("g"), "parent": .reference(child)])
      }
      try expectEqual(scene.related(people[0], "children"), [people[1]], "the children")
      try expectEqual(scene.value(people[2], "parent"), .reference(people[1]), "the parent")
      try scene.expectNames("Person", [("parent.parent.name = 'p'", ["g"]), ("ANY children.name = 'g'", ["c"])])
    },
    ConformanceCheck("toOneWithoutInverse") { factory in
      let scene = try Scene(factory)
      let person = try scene.saveNamed("Person", ["p"])[0]
      let box = try scene.save { try $0.insert("Box", ["name": .string("b"), "owner": .reference(person)]) }[0]
      try expectEqual(scene.value(box, "owner"), .reference(person), "the owner")
      try scene.expectNames("Box", [("owner.name = 'p'", ["b"])])
    },
    ConformanceCheck("deletedRowIsGoneAndItsLinksToo") { factory in
      let tagged = try TaggedQuakes(factory)
      let scene = tagged.scene
      try scene.save { try $0.delete(scene.row(tagged.quakes[0])) }
      try expectEqual(try scene.store.rows(with: [tagged.quakes[0]]).count, 0, "the number of rows")
      try expectEqual(scene.related(tagged.quakes[0], "tags"), [], "its tags")
      try expectEqual(scene.related(tagged.tags[0], "quakes"), [tagged.quakes[1]], "the quakes of its tag")
      try expectEqual(scene.related(tagged.tags[1], "quakes"), [], "the quakes of its other tag")
      try expectEqual(scene.related(tagged.regions[0], "quakes"), [tagged.quakes[1]], "the quakes of its region")
      try expectEqual(scene.names(scene.plan("Quake")), ["b", "c", "d", "e"], "the names")
    },
    ConformanceCheck("ownerAndMembersGoInOneBatch") { factory in
      let tagged = try TaggedQuakes(factory)
      let scene = tagged.scene
      try scene.save { draft in
        draft.delete(try scene.row(tagged.regions[0]))
        draft.delete(try scene.row(tagged.quakes[0]))
        try draft.update(scene.row(tagged.quakes[1]), ["region": .null])
      }
      try expectEqual(scene.value(tagged.quakes[1], "region"), .null, "the region of the row that stays")
      try expectEqual(scene.names(scene.plan("Region")), ["r2", "nil", "r4"], "the regions")
    },
  ]
}
