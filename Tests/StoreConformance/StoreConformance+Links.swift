import StrataManagedModel
import StrataRowStore

/// Links that no to-one slot expresses.
extension StoreConformance {
  static let linkChecks = [
    ConformanceCheck("manyToManyIsSymmetrical") { factory in
      let scene = try Scene(factory)
      let quakes = try scene.saveNamed("Quake", ["a", "b"])
      let tags = try scene.saveNamed("Tag", ["t", "u", "v"])
      try scene.save { draft in
        try draft.link(quakes[0], "tags", add: [tags[2], tags[0]])
        try draft.link(tags[1], "quakes", add: [quakes[1], quakes[0]])
      }
      try expectEqual(scene.related(quakes[0], "tags"), tags, "the tags of a, by key")
      try expectEqual(scene.related(quakes[1], "tags"), [tags[1]], "the tags of b")
      try expectEqual(scene.related(tags[1], "quakes"), quakes, "the quakes of u, by key")
      try scene.save { draft in
        try draft.link(tags[0], "quakes", remove: [quakes[0]])
        try draft.link(quakes[0], "tags", add: [], remove: [tags[1]])
      }
      try expectEqual(scene.related(quakes[0], "tags"), [tags[2]], "the tags of a")
      try expectEqual(scene.related(tags[1], "quakes"), [quakes[1]], "the quakes of u")
      try expectEqual(scene.related(tags[0], "quakes"), [], "the quakes of t")
    },
    ConformanceCheck("linkThatIsThereMayBeAddedAgain") { factory in
      let scene = try Scene(factory)
      let quake = try scene.saveNamed("Quake", ["a"])[0]
      let tag = try scene.saveNamed("Tag", ["t"])[0]
      for _ in 0..<2 { try scene.save { try $0.link(quake, "tags", add: [tag]) } }
      try scene.save { try $0.link(tag, "quakes", add: [quake]) }
      try expectEqual(scene.related(quake, "tags"), [tag], "the tags")
      for _ in 0..<2 { try scene.save { try $0.link(quake, "tags", remove: [tag]) } }
      try expectEqual(scene.related(tag, "quakes"), [], "the quakes")
    },
    ConformanceCheck("selfInverseHoldsBothWays") { factory in
      let scene = try Scene(factory)
      let people = try scene.saveNamed("Person", ["a", "b", "c"])
      try scene.save { draft in
        try draft.link(people[1], "friends", add: [people[0]])
        try draft.link(people[0], "friends", add: [people[2]])
      }
      try expectEqual(scene.related(people[0], "friends"), [people[1], people[2]], "the friends of a")
      try expectEqual(scene.related(people[1], "friends"), [people[0]], "the friends of b")
      try expectEqual(scene.related(people[2], "friends"), [people[0]], "the friends of c")
      try scene.expectNames("Person", [("ANY friends.name = 'a'", ["b", "c"]), ("friends.@count = 2", ["a"])])
      try scene.save { try $0.link(people[0], "friends", remove: [people[1]]) }
      try expectEqual(scene.related(people[1], "friends"), [], "the friends of b")
      try scene.save { try $0.delete(scene.row(people[2])) }
      try expectEqual(scene.related(people[0], "friends"), [], "the friends of a")
    },
    ConformanceCheck("toManyWithoutInverse") { factory in
      let scene = try Scene(factory)
      let shelves = try scene.saveNamed("Shelf", ["s", "t"])
      let boxes = try scene.saveNamed("Box", ["a", "b", "c"])
      try scene.save { try $0.link(shelves[0], "boxes", add: [boxes[2], boxes[0]]) }
      try expectEqual(scene.related(shelves[0], "boxes"), [boxes[0], boxes[2]], "the boxes of s, by key")
      try scene.expectNames("Shelf", [("ANY boxes.name = 'c'", ["s"]), ("boxes.@count = 0", ["t"])])
      try scene.save { try $0.link(shelves[0], "boxes", add: [boxes[1]], remove: [boxes[0]]) }
      try expectEqual(scene.related(shelves[0], "boxes"), [boxes[1], boxes[2]], "the boxes of s")
      try scene.save { try $0.delete(scene.row(boxes[1])) }
      try expectEqual(scene.related(shelves[0], "boxes"), [boxes[2]], "the boxes of s")
      try scene.save { try $0.delete(scene.row(shelves[0])) }
      try expectEqual(try scene.row(boxes[2]).version, 1, "the version of a box whose shelf is gone")
    },
    ConformanceCheck("rowHasOneOwnerWithoutInverse") { factory in
      let scene = try Scene(factory)
      let shelves = try scene.saveNamed("Shelf", ["s", "t"])
      let box = try scene.saveNamed("Box", ["a"])[0]
      try scene.save { try $0.link(shelves[0], "boxes", add: [box]) }
      try scene.save { try $0.link(shelves[1], "boxes", add: [box]) }
      try expectEqual(scene.related(shelves[0], "boxes"), [], "the boxes of the former owner")
      try expectEqual(scene.related(shelves[1], "boxes"), [box], "the boxes of the new owner")
    },
  ]

  /// In an ordered relationship, a `LinkChange` takes out the removed members and appends the added ones in their
  /// order; one that is in both moves to the end. In an ordered one-to-many relationship the to-one slots define the
  /// members, and the link change only orders the added ones.
  static let orderChecks = [
    ConformanceCheck("orderedOneToManyKeepsItsOrder") { factory in
      let scene = try Scene(factory)
      let album = try scene.saveNamed("Album", ["x"])[0]
      let tracks = try scene.save { draft in
        let tracks = try ["a", "b", "c"].map {
          try draft.insert("Track", ["name": .string($0), "album": .reference(album)])
        }
        try draft.link(album, "tracks", add: [tracks[2], tracks[0], tracks[1]])
      }
      let (a, b, c) = (tracks[0], tracks[1], tracks[2])
      try expectEqual(scene.related(album, "tracks"), [c, a, b], "the tracks")
      try scene.save { try $0.link(album, "tracks", add: [a, c], remove: [a, c]) }
      try expectEqual(scene.related(album, "tracks"), [b, a, c], "the tracks after a move")
      try scene.save { draft in
        try draft.update(scene.row(a), ["album": .null])
        try draft.link(album, "tracks", remove: [a])
      }
      try expectEqual(scene.related(album, "tracks"), [b, c], "the tracks after a removal")
      try scene.save { try $0.update(scene.row(c), ["name": .string("c2")]) }
      try expectEqual(scene.related(album, "tracks"), [b, c], "the tracks after a change of another property")
    },
    ConformanceCheck("memberThatNobodyPlacedComesLast") { factory in
      let scene = try Scene(factory)
      let albums = try scene.saveNamed("Album", ["x", "y"])
      let tracks = try scene.save { draft in
        let tracks = try ["a", "b", "c"].map { name in
          try draft.insert("Track", ["name": .string(name), "album": .reference(albums[name == "a" ? 1 : 0])])
        }
        try draft.link(albums[0], "tracks", add: [tracks[2], tracks[1]])
      }
      try expectEqual(scene.related(albums[0], "tracks"), [tracks[2], tracks[1]], "the tracks of x")
      try scene.save { try $0.update(scene.row(tracks[0]), ["album": .reference(albums[0])]) }
      try expectEqual(scene.related(albums[0], "tracks"), [tracks[2], tracks[1], tracks[0]], "the tracks of x")
      try expectEqual(scene.related(albums[1], "tracks"), [], "the tracks of y")
    },
    ConformanceCheck("bothEndsOfAManyToManyKeepTheirOrder") { factory in
      let scene = try Scene(factory)
      let cities = try scene.saveNamed("City", ["x", "y", "z"])
      let tours = try scene.saveNamed("Tour", ["a", "b"])
      try scene.save { draft in
        try draft.link(tours[0], "cities", add: [cities[2], cities[0]])
        try draft.link(tours[1], "cities", add: [cities[0], cities[1]])
        try draft.link(cities[0], "tours", add: [tours[1], tours[0]])
      }
      try expectEqual(scene.related(tours[0], "cities"), [cities[2], cities[0]], "the cities of a")
      try expectEqual(scene.related(cities[0], "tours"), [tours[1], tours[0]], "the tours of x")
      try scene.save { try $0.link(tours[1], "cities", add: [cities[0]], remove: [cities[0]]) }
      try expectEqual(scene.related(tours[1], "cities"), [cities[1], cities[0]], "the cities of b after a move")
      try expectEqual(scene.related(cities[0], "tours"), [tours[1], tours[0]], "the tours of x after that")
    },
    ConformanceCheck("relationshipsOfManyAreReadTogether") { factory in
      let scene = try Scene(factory)
      let lists = try scene.saveNamed("Playlist", ["x", "y", "z"])
      let tracks = try scene.saveNamed("Track", ["a", "b"])
      try scene.save { draft in
        try draft.link(lists[0], "tracks", add: [tracks[1], tracks[0]])
        try draft.link(lists[1], "tracks", add: [tracks[0]])
      }
      let number = try expectSome(
        scene.model.layout(number: lists[0].entity).toMany(named: "tracks"), "the relationship")
      let members = try scene.store.related(to: lists, relationship: number)
      try expectEqual(members.members(of: lists[0]), [tracks[1], tracks[0]], "the tracks of x")
      try expectEqual(members.members(of: lists[1]), [tracks[0]], "the tracks of y")
      try expectEqual(members.members(of: lists[2]), [], "the tracks of z")
    },
    ConformanceCheck("orderedManyToManyKeepsItsOrder") { factory in
      let scene = try Scene(factory)
      let lists = try scene.saveNamed("Playlist", ["x", "y"])
      let tracks = try scene.saveNamed("Track", ["a", "b", "c"])
      let (a, b, c) = (tracks[0], tracks[1], tracks[2])
      try scene.save { draft in
        try draft.link(lists[0], "tracks", add: [c, a])
        try draft.link(lists[1], "tracks", add: [b, a])
      }
      try scene.save { try $0.link(lists[0], "tracks", add: [b]) }
      try expectEqual(scene.related(lists[0], "tracks"), [c, a, b], "the tracks of x")
      try scene.save { try $0.link(lists[0], "tracks", add: [c], remove: [c]) }
      try expectEqual(scene.related(lists[0], "tracks"), [a, b, c], "the tracks of x after a move")
      try expectEqual(scene.related(lists[1], "tracks"), [b, a], "the tracks of y")
      try expectEqual(scene.related(a, "playlists"), lists, "the playlists of a, by key")
      try scene.save { try $0.delete(scene.row(b)) }
      try expectEqual(scene.related(lists[0], "tracks"), [a, c], "the tracks of x after a deletion")
    },
  ]
}
