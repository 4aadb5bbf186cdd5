import StrataManagedModel
import StrataRowStore

/// Relationships that are not stored in to-one slots.
extension StoreConformance {
  static let linkChecks = [
    ConformanceCheck("many-to-many links are symmetrical") { factory in
      let fixture = try StoreFixture(factory)
      let quakes = try fixture.saveNamed("Quake", ["a", "b"])
      let tags = try fixture.saveNamed("Tag", ["t", "u", "v"])
      try fixture.save { draft in
        try draft.link(quakes[0], "tags", add: [tags[2], tags[0]])
        try draft.link(tags[1], "quakes", add: [quakes[1], quakes[0]])
      }
      try expectEqual(fixture.related(quakes[0], "tags"), tags, "the tags of a, by key")
      try expectEqual(fixture.related(quakes[1], "tags"), [tags[1]], "the tags of b")
      try expectEqual(fixture.related(tags[1], "quakes"), quakes, "the quakes of u, by key")
      try fixture.save { draft in
        try draft.link(tags[0], "quakes", remove: [quakes[0]])
        try draft.link(quakes[0], "tags", add: [], remove: [tags[1]])
      }
      try expectEqual(fixture.related(quakes[0], "tags"), [tags[2]], "the tags of a")
      try expectEqual(fixture.related(tags[1], "quakes"), [quakes[1]], "the quakes of u")
      try expectEqual(fixture.related(tags[0], "quakes"), [], "the quakes of t")
    },
    ConformanceCheck("adding and removing a link is idempotent") { factory in
      let fixture = try StoreFixture(factory)
      let quake = try fixture.saveNamed("Quake", ["a"])[0]
      let tag = try fixture.saveNamed("Tag", ["t"])[0]
      for _ in 0..<2 { try fixture.save { try $0.link(quake, "tags", add: [tag]) } }
      try fixture.save { try $0.link(tag, "quakes", add: [quake]) }
      try expectEqual(fixture.related(quake, "tags"), [tag], "the tags")
      for _ in 0..<2 { try fixture.save { try $0.link(quake, "tags", remove: [tag]) } }
      try expectEqual(fixture.related(tag, "quakes"), [], "the quakes")
    },
    ConformanceCheck("a self-inverse relationship is symmetrical") { factory in
      let fixture = try StoreFixture(factory)
      let people = try fixture.saveNamed("Person", ["a", "b", "c"])
      try fixture.save { draft in
        try draft.link(people[1], "friends", add: [people[0]])
        try draft.link(people[0], "friends", add: [people[2]])
      }
      try expectEqual(fixture.related(people[0], "friends"), [people[1], people[2]], "the friends of a")
      try expectEqual(fixture.related(people[1], "friends"), [people[0]], "the friends of b")
      try expectEqual(fixture.related(people[2], "friends"), [people[0]], "the friends of c")
      try fixture.expectNames("Person", [("ANY friends.name = 'a'", ["b", "c"]), ("friends.@count = 2", ["a"])])
      try fixture.save { try $0.link(people[0], "friends", remove: [people[1]]) }
      try expectEqual(fixture.related(people[1], "friends"), [], "the friends of b")
      try fixture.save { try $0.delete(fixture.row(people[2])) }
      try expectEqual(fixture.related(people[0], "friends"), [], "the friends of a")
    },
    ConformanceCheck("a to-many relationship without inverse keeps its members") { factory in
      let fixture = try StoreFixture(factory)
      let shelves = try fixture.saveNamed("Shelf", ["s", "t"])
      let boxes = try fixture.saveNamed("Box", ["a", "b", "c"])
      try fixture.save { try $0.link(shelves[0], "boxes", add: [boxes[2], boxes[0]]) }
      try expectEqual(fixture.related(shelves[0], "boxes"), [boxes[0], boxes[2]], "the boxes of s, by key")
      try fixture.expectNames("Shelf", [("ANY boxes.name = 'c'", ["s"]), ("boxes.@count = 0", ["t"])])
      try fixture.save { try $0.link(shelves[0], "boxes", add: [boxes[1]], remove: [boxes[0]]) }
      try expectEqual(fixture.related(shelves[0], "boxes"), [boxes[1], boxes[2]], "the boxes of s")
      try fixture.save { try $0.delete(fixture.row(boxes[1])) }
      try expectEqual(fixture.related(shelves[0], "boxes"), [boxes[2]], "the boxes of s")
      try fixture.save { try $0.delete(fixture.row(shelves[0])) }
      try expectEqual(try fixture.row(boxes[2]).version, 1, "the version of a box whose shelf was deleted")
    },
    ConformanceCheck("a member without inverse has one owner") { factory in
      let fixture = try StoreFixture(factory)
      let shelves = try fixture.saveNamed("Shelf", ["s", "t"])
      let box = try fixture.saveNamed("Box", ["a"])[0]
      try fixture.save { try $0.link(shelves[0], "boxes", add: [box]) }
      try fixture.save { try $0.link(shelves[1], "boxes", add: [box]) }
      try expectEqual(fixture.related(shelves[0], "boxes"), [], "the boxes of the former owner")
      try expectEqual(fixture.related(shelves[1], "boxes"), [box], "the boxes of the new owner")
    },
  ]

  /// In an ordered relationship, a `LinkChange` deletes the removed members and appends the added ones in their order.
  /// A member that is in both lists moves to the end. In an ordered one-to-many relationship, the to-one slots define
  /// the members, and the link change only orders the added ones.
  static let orderChecks = [
    ConformanceCheck("an ordered one-to-many relationship keeps its order") { factory in
      let fixture = try StoreFixture(factory)
      let album = try fixture.saveNamed("Album", ["x"])[0]
      let tracks = try fixture.save { draft in
        let tracks = try ["a", "b", "c"].map {
          try draft.insert("Track", ["name": .string($0), "album": .reference(album)])
        }
        try draft.link(album, "tracks", add: [tracks[2], tracks[0], tracks[1]])
      }
      let (a, b, c) = (tracks[0], tracks[1], tracks[2])
      try expectEqual(fixture.related(album, "tracks"), [c, a, b], "the tracks")
      try fixture.save { try $0.link(album, "tracks", add: [a, c], remove: [a, c]) }
      try expectEqual(fixture.related(album, "tracks"), [b, a, c], "the tracks after a move")
      try fixture.save { draft in
        try draft.update(fixture.row(a), ["album": .null])
        try draft.link(album, "tracks", remove: [a])
      }
      try expectEqual(fixture.related(album, "tracks"), [b, c], "the tracks after a removal")
      try fixture.save { try $0.update(fixture.row(c), ["name": .string("c2")]) }
      try expectEqual(fixture.related(album, "tracks"), [b, c], "the tracks after a change of another property")
    },
    ConformanceCheck("a member without a position comes last") { factory in
      let fixture = try StoreFixture(factory)
      let albums = try fixture.saveNamed("Album", ["x", "y"])
      let tracks = try fixture.save { draft in
        let tracks = try ["a", "b", "c"].map { name in
          try draft.insert("Track", ["name": .string(name), "album": .reference(albums[name == "a" ? 1 : 0])])
        }
        try draft.link(albums[0], "tracks", add: [tracks[2], tracks[1]])
      }
      try expectEqual(fixture.related(albums[0], "tracks"), [tracks[2], tracks[1]], "the tracks of x")
      try fixture.save { try $0.update(fixture.row(tracks[0]), ["album": .reference(albums[0])]) }
      try expectEqual(fixture.related(albums[0], "tracks"), [tracks[2], tracks[1], tracks[0]], "the tracks of x")
      try expectEqual(fixture.related(albums[1], "tracks"), [], "the tracks of y")
    },
    ConformanceCheck("both ends of a many-to-many relationship keep their order") { factory in
      let fixture = try StoreFixture(factory)
      let cities = try fixture.saveNamed("City", ["x", "y", "z"])
      let tours = try fixture.saveNamed("Tour", ["a", "b"])
      try fixture.save { draft in
        try draft.link(tours[0], "cities", add: [cities[2], cities[0]])
        try draft.link(tours[1], "cities", add: [cities[0], cities[1]])
        try draft.link(cities[0], "tours", add: [tours[1], tours[0]])
      }
      try expectEqual(fixture.related(tours[0], "cities"), [cities[2], cities[0]], "the cities of a")
      try expectEqual(fixture.related(cities[0], "tours"), [tours[1], tours[0]], "the tours of x")
      try fixture.save { try $0.link(tours[1], "cities", add: [cities[0]], remove: [cities[0]]) }
      try expectEqual(fixture.related(tours[1], "cities"), [cities[1], cities[0]], "the cities of b after a move")
      try expectEqual(fixture.related(cities[0], "tours"), [tours[1], tours[0]], "the tours of x after that")
    },
    ConformanceCheck("relationships of several owners are read together") { factory in
      let fixture = try StoreFixture(factory)
      let lists = try fixture.saveNamed("Playlist", ["x", "y", "z"])
      let tracks = try fixture.saveNamed("Track", ["a", "b"])
      try fixture.save { draft in
        try draft.link(lists[0], "tracks", add: [tracks[1], tracks[0]])
        try draft.link(lists[1], "tracks", add: [tracks[0]])
      }
      let number = try expectSome(
        fixture.model.layout(number: lists[0].entity).toMany(named: "tracks"), "the relationship")
      let members = try fixture.store.related(to: lists, relationship: number)
      try expectEqual(members.members(of: lists[0]), [tracks[1], tracks[0]], "the tracks of x")
      try expectEqual(members.members(of: lists[1]), [tracks[0]], "the tracks of y")
      try expectEqual(members.members(of: lists[2]), [], "the tracks of z")
    },
    ConformanceCheck("an ordered many-to-many relationship keeps its order") { factory in
      let fixture = try StoreFixture(factory)
      let lists = try fixture.saveNamed("Playlist", ["x", "y"])
      let tracks = try fixture.saveNamed("Track", ["a", "b", "c"])
      let (a, b, c) = (tracks[0], tracks[1], tracks[2])
      try fixture.save { draft in
        try draft.link(lists[0], "tracks", add: [c, a])
        try draft.link(lists[1], "tracks", add: [b, a])
      }
      try fixture.save { try $0.link(lists[0], "tracks", add: [b]) }
      try expectEqual(fixture.related(lists[0], "tracks"), [c, a, b], "the tracks of x")
      try fixture.save { try $0.link(lists[0], "tracks", add: [c], remove: [c]) }
      try expectEqual(fixture.related(lists[0], "tracks"), [a, b, c], "the tracks of x after a move")
      try expectEqual(fixture.related(lists[1], "tracks"), [b, a], "the tracks of y")
      try expectEqual(fixture.related(a, "playlists"), lists, "the playlists of a, by key")
      try fixture.save { try $0.delete(fixture.row(b)) }
      try expectEqual(fixture.related(lists[0], "tracks"), [a, c], "the tracks of x after a deletion")
    },
  ]
}
