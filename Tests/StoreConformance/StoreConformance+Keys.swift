import StrataManagedModel
import StrataRowStore

/// Ids, keys and versions.
extension StoreConformance {
  static let keyChecks = [
    ConformanceCheck("temporaryIdsBecomePermanentEverywhere") { factory in
      let scene = try Scene(factory, number: 9)
      let ids = try scene.save { draft in
        let quake = try draft.insert("Quake", ["name": .string("q")])
        let region = try draft.insert("Region", ["name": .string("r")])
        let tag = try draft.insert("Tag", ["name": .string("t")])
        let slot = try expectSome(draft.batch.inserted[0].layout.slot(named: "region"), "the slot region")
        draft.batch.inserted[0].set(slot: slot, to: .reference(region))
        try draft.link(quake, "tags", add: [tag])
      }
      for id in ids { try expect(!id.isTemporary && id.store == 9 && id.key > 0, "\(id) is not permanent") }
      try expectEqual(scene.value(ids[0], "region"), .reference(ids[1]), "the region")
      try expectEqual(scene.related(ids[0], "tags"), [ids[2]], "the tags")
      try expectEqual(scene.related(ids[2], "quakes"), [ids[0]], "the tag's quakes")
      try expectEqual(scene.related(ids[1], "quakes"), [ids[0]], "the region's quakes")
    },
    ConformanceCheck("temporaryIdsOfUpdatesBecomePermanent") { factory in
      let scene = try Scene(factory)
      let quake = try scene.saveNamed("Quake", ["q"])[0]
      let region = try scene.save { draft in
        let region = try draft.insert("Region", ["name": .string("r")])
        try draft.update(scene.row(quake), ["region": .reference(region)])
      }[0]
      try expectEqual(scene.value(quake, "region"), .reference(region), "the region")
      try expectEqual(scene.related(region, "quakes"), [quake], "the region's quakes")
    },
    ConformanceCheck("receiptNamesInsertedRowsInTheirOrder") { factory in
      let scene = try Scene(factory)
      let ids = try scene.save { draft in
        try draft.insert("Region", ["name": .string("a")])
        try draft.insert("Quake", ["name": .string("b")])
        try draft.insert("Region", ["name": .string("c")])
      }
      try expectEqual(ids.map { scene.model.layout(number: $0.entity).name }, ["Region", "Quake", "Region"])
      try expectEqual(ids.map { try scene.value($0, "name") }, [.string("a"), .string("b"), .string("c")])
    },
    ConformanceCheck("keysCountUpInAHierarchy") { factory in
      let scene = try Scene(factory)
      let ids = try scene.save { draft in for name in ["Owl", "Animal", "Bird", "Owl"] { try draft.insert(name) } }
      try expect(zip(ids, ids.dropFirst()).allSatisfy { $0.key < $1.key }, "the keys are \(ids.map(\.key))")
      try expectEqual(ids.map { scene.model.layout(number: $0.entity).name }, ["Owl", "Animal", "Bird", "Owl"])
    },
    ConformanceCheck("keysAreNeverUsedTwice") { factory in
      let scene = try Scene(factory)
      var seen: Set<RowID> = []
      for _ in 0..<5 {
        let ids = try scene.saveNamed("Quake", ["a", "b"])
        try expect(seen.isDisjoint(with: ids), "\(ids) were given before")
        seen.formUnion(ids)
        try scene.save { draft in for id in ids { draft.delete(try scene.row(id)) } }
      }
      guard factory.isDurable else { return }
      scene.store.close()
      let again = try Scene(factory).saveNamed("Quake", ["a"])
      try expect(seen.isDisjoint(with: again), "\(again) was given before the store was closed")
    },
    ConformanceCheck("reservedIdsAreKept") { factory in
      let scene = try Scene(factory)
      let layouts = try ["Quake", "Owl", "Animal"].map { try BatchDraft().layout($0) }
      guard let reserved = try scene.store.reserveIDs(for: layouts) else { return }
      try expectEqual(Set(reserved).count, 3, "the number of ids")
      try expectEqual(reserved.map(\.entity), layouts.map(\.number), "the entities")
      let others = try scene.save { draft in for layout in layouts { try draft.insert(layout.name) } }
      try expect(Set(reserved).isDisjoint(with: others), "a reserved id was given to another row")
      let ids = try scene.save { draft in
        for (id, layout) in zip(reserved, layouts) { try draft.insert(layout.name, id: id) }
      }
      try expectEqual(ids, reserved, "the ids of the inserted rows")
      try expectEqual(try scene.row(reserved[0]).version, 1, "the version")
      try expectEqual(
        try scene.store.ids(for: scene.plan("Animal")).map(\.key).sorted(),
        try scene.store.ids(for: scene.plan("Animal")).map(\.key), "the order of keys")
    },
    ConformanceCheck("versionsCountUp") { factory in
      let scene = try Scene(factory)
      let id = try scene.save { try $0.insert("Quake", quake("a", 5, 10)) }[0]
      try expectEqual(try scene.row(id).version, 1, "the first version")
      for version in 2...4 as ClosedRange<Int64> {
        var draft = BatchDraft()
        try draft.update(scene.row(id), ["depth": .integer(version)])
        try expectEqual(scene.store.commit(draft.batch).updatedVersions, [version], "the receipt's versions")
        try expectEqual(try scene.row(id).version, version, "the stored version")
      }
    },
    ConformanceCheck("updateWithoutSlotsMovesTheVersionOn") { factory in
      let scene = try Scene(factory)
      let id = try scene.save { try $0.insert("Quake", quake("a", 5, 10)) }[0]
      try scene.save { try $0.update(scene.row(id), [:]) }
      try expectEqual(try scene.row(id).version, 2, "the version")
      try expectEqual(scene.value(id, "name"), .string("a"), "the name")
    },
    ConformanceCheck("rowsWithIdsLeaveOutWhatIsNotThere") { factory in
      let scene = try Scene(factory)
      let ids = try scene.save { draft in
        for name in ["Quake", "Owl", "Region", "Quake"] { try draft.insert(name, ["name": .string(name)]) }
      }
      try scene.save { try $0.delete(scene.row(ids[3])) }
      let absent = [ids[3], RowID(store: 1, entity: ids[0].entity, key: 4_000_000), .temporary(entity: ids[0].entity)]
      let found = try scene.store.rows(with: ids.reversed() + absent).rows
      try expectEqual(Set(found.map(\.id)), Set(ids.dropLast()), "the rows")
      try expectEqual(try scene.store.rows(with: []).count, 0, "the rows of no id")
    },
    ConformanceCheck("twoThousandRowsByIdComeBack") { factory in
      let scene = try Scene(factory)
      let ids = try scene.saveNamed("Tag", (0..<2_000).map(String.init))
      try expectEqual(Set(try scene.store.rows(with: ids.shuffled()).rows.map(\.id)), Set(ids), "the rows")
    },
  ]
}
