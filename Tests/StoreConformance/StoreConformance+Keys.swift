import StrataManagedModel
import StrataRowStore

/// IDs, keys and versions.
extension StoreConformance {
  static let keyChecks = [
    ConformanceCheck("temporary IDs become permanent everywhere") { factory in
      let fixture = try StoreFixture(factory, number: 9)
      let ids = try fixture.save { draft in
        let quake = try draft.insert("Quake", ["name": .string("q")])
        let region = try draft.insert("Region", ["name": .string("r")])
        let tag = try draft.insert("Tag", ["name": .string("t")])
        let slot = try expectSome(draft.batch.inserted[0].layout.slot(named: "region"), "the slot region")
        draft.batch.inserted[0].set(slot: slot, to: .reference(region))
        try draft.link(quake, "tags", add: [tag])
      }
      for id in ids { try expect(!id.isTemporary && id.store == 9 && id.key > 0, "\(id) is not permanent") }
      try expectEqual(fixture.value(ids[0], "region"), .reference(ids[1]), "the region")
      try expectEqual(fixture.related(ids[0], "tags"), [ids[2]], "the tags")
      try expectEqual(fixture.related(ids[2], "quakes"), [ids[0]], "the tag's quakes")
      try expectEqual(fixture.related(ids[1], "quakes"), [ids[0]], "the region's quakes")
    },
    ConformanceCheck("temporary IDs in updates become permanent") { factory in
      let fixture = try StoreFixture(factory)
      let quake = try fixture.saveNamed("Quake", ["q"])[0]
      let region = try fixture.save { draft in
        let region = try draft.insert("Region", ["name": .string("r")])
        try draft.update(fixture.row(quake), ["region": .reference(region)])
      }[0]
      try expectEqual(fixture.value(quake, "region"), .reference(region), "the region")
      try expectEqual(fixture.related(region, "quakes"), [quake], "the region's quakes")
    },
    ConformanceCheck("the receipt lists inserted rows in order") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.save { draft in
        try draft.insert("Region", ["name": .string("a")])
        try draft.insert("Quake", ["name": .string("b")])
        try draft.insert("Region", ["name": .string("c")])
      }
      try expectEqual(ids.map { fixture.model.layout(number: $0.entity).name }, ["Region", "Quake", "Region"])
      try expectEqual(ids.map { try fixture.value($0, "name") }, [.string("a"), .string("b"), .string("c")])
    },
    ConformanceCheck("keys increase in a hierarchy") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.save { draft in for name in ["Owl", "Animal", "Bird", "Owl"] { try draft.insert(name) } }
      try expect(zip(ids, ids.dropFirst()).allSatisfy { $0.key < $1.key }, "the keys are \(ids.map(\.key))")
      try expectEqual(ids.map { fixture.model.layout(number: $0.entity).name }, ["Owl", "Animal", "Bird", "Owl"])
    },
    ConformanceCheck("keys are never reused") { factory in
      let fixture = try StoreFixture(factory)
      var seen: Set<RowID> = []
      for _ in 0..<5 {
        let ids = try fixture.saveNamed("Quake", ["a", "b"])
        try expect(seen.isDisjoint(with: ids), "\(ids) were assigned before")
        seen.formUnion(ids)
        try fixture.save { draft in for id in ids { draft.delete(try fixture.row(id)) } }
      }
      guard factory.isDurable else { return }
      fixture.store.close()
      let again = try StoreFixture(factory).saveNamed("Quake", ["a"])
      try expect(seen.isDisjoint(with: again), "\(again) was assigned before the store was closed")
    },
    ConformanceCheck("reserved IDs are kept for their rows") { factory in
      let fixture = try StoreFixture(factory)
      let layouts = try ["Quake", "Owl", "Animal"].map { try BatchDraft().layout($0) }
      guard let reserved = try fixture.store.reserveIDs(for: layouts) else { return }
      try expectEqual(Set(reserved).count, 3, "the number of ids")
      try expectEqual(reserved.map(\.entity), layouts.map(\.number), "the entities")
      let others = try fixture.save { draft in for layout in layouts { try draft.insert(layout.name) } }
      try expect(Set(reserved).isDisjoint(with: others), "a reserved ID was assigned to another row")
      let ids = try fixture.save { draft in
        for (id, layout) in zip(reserved, layouts) { try draft.insert(layout.name, id: id) }
      }
      try expectEqual(ids, reserved, "the ids of the inserted rows")
      try expectEqual(try fixture.row(reserved[0]).version, 1, "the version")
      try expectEqual(
        try fixture.store.ids(for: fixture.plan("Animal")).map(\.key).sorted(),
        try fixture.store.ids(for: fixture.plan("Animal")).map(\.key), "the order of keys")
    },
    ConformanceCheck("versions increase by one") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.save { try $0.insert("Quake", quake("a", 5, 10)) }[0]
      try expectEqual(try fixture.row(id).version, 1, "the first version")
      for version in 2...4 as ClosedRange<Int64> {
        var draft = BatchDraft()
        try draft.update(fixture.row(id), ["depth": .integer(version)])
        try expectEqual(fixture.store.commit(draft.batch).updatedVersions, [version], "the receipt's versions")
        try expectEqual(try fixture.row(id).version, version, "the stored version")
      }
    },
    ConformanceCheck("an update without slots increments the version") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.save { try $0.insert("Quake", quake("a", 5, 10)) }[0]
      try fixture.save { try $0.update(fixture.row(id), [:]) }
      try expectEqual(try fixture.row(id).version, 2, "the version")
      try expectEqual(fixture.value(id, "name"), .string("a"), "the name")
    },
    ConformanceCheck("rows by ID omit missing rows") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.save { draft in
        for name in ["Quake", "Owl", "Region", "Quake"] { try draft.insert(name, ["name": .string(name)]) }
      }
      try fixture.save { try $0.delete(fixture.row(ids[3])) }
      let absent = [ids[3], RowID(store: 1, entity: ids[0].entity, key: 4_000_000), .temporary(entity: ids[0].entity)]
      let found = try fixture.store.rows(with: ids.reversed() + absent).rows
      try expectEqual(Set(found.map(\.id)), Set(ids.dropLast()), "the rows")
      try expectEqual(try fixture.store.rows(with: []).count, 0, "the rows of no id")
    },
    ConformanceCheck("two thousand rows can be read by ID") { factory in
      let fixture = try StoreFixture(factory)
      let ids = try fixture.saveNamed("Tag", (0..<2_000).map(String.init))
      try expectEqual(Set(try fixture.store.rows(with: ids.shuffled()).rows.map(\.id)), Set(ids), "the rows")
    },
  ]
}
