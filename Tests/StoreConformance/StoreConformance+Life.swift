import Foundation
import StrataManagedModel
import StrataRowStore
import Synchronization

/// Opening, closing, metadata and threads.
extension StoreConformance {
  static let lifeChecks = [
    ConformanceCheck("metadataComeBack") { factory in
      let scene = try Scene(factory)
      let own = try scene.store.metadata
      try expectEqual(own["NSStoreUUID"] as? String, scene.store.identifier, "the UUID in the metadata")
      try expect(UUID(uuidString: scene.store.identifier) != nil, "\(scene.store.identifier) is no UUID")
      try expect(own["NSStoreType"] is String, "the metadata name no type")
      let note: [String: any Sendable] = ["note": "seen", "count": 7, "at": Date(timeIntervalSinceReferenceDate: 5)]
      try scene.store.setMetadata(note)
      try scene.store.setMetadata(["count": 8])
      try expectMetadata(scene.store)
      guard factory.isDurable else { return }
      scene.store.close()
      let again = try Scene(factory).store
      try expectMetadata(again)
      try expectEqual(again.identifier, scene.store.identifier, "the UUID after the store was opened again")
    },
    ConformanceCheck("storeKnowsItsNumber") { factory in
      let scene = try Scene(factory, number: 255)
      try expectEqual(scene.store.number, 255, "the number")
      try expectEqual(scene.saveNamed("Quake", ["a"]).map(\.store), [255], "the stores of the ids")
      try expectEqual(scene.store.ids(for: scene.plan("Quake")).map(\.store), [255], "the stores of the ids")
    },
    ConformanceCheck("closedStoreThrowsNotOpen") { factory in
      let scene = try Scene(factory)
      let id = try scene.saveNamed("Quake", ["a"])[0]
      let plan = try scene.plan("Quake")
      scene.store.close()
      scene.store.close()
      var draft = BatchDraft()
      try draft.insert("Quake")
      let batch = draft.batch
      let store = scene.store
      let questions: [(String, () throws -> Void)] = [
        ("rows", { _ = try store.rows(for: plan) }), ("ids", { _ = try store.ids(for: plan) }),
        ("count", { _ = try store.count(for: plan) }), ("rows by id", { _ = try store.rows(with: [id]) }),
        ("related", { _ = try store.related(to: id, relationship: 0) }), ("commit", { _ = try store.commit(batch) }),
        ("history", { _ = try store.history(after: 0, limit: 0) }), ("metadata", { _ = try store.metadata }),
        ("newest", { _ = try store.newestTransaction() }), ("set metadata", { try store.setMetadata(["a": 1]) }),
      ]
      for (name, ask) in questions { try expectEqual(scene.refusal(ask).code, .notOpen, "the error of \(name)") }
    },
    ConformanceCheck("storeClosedDuringABurstThrowsNotOpen") { factory in
      let scene = try Scene(factory)
      let id = try scene.saveNamed("Quake", ["a"])[0]
      let plan = try scene.plan("Quake")
      try ReadBurst.run {
        // From its second query on, a burst may keep its resources open.
        for _ in 0..<3 { try expectEqual(scene.store.count(for: plan), 1, "the count") }
        scene.store.close()
        let store = scene.store
        let questions: [(String, () throws -> Void)] = [
          ("count", { _ = try store.count(for: plan) }), ("rows", { _ = try store.rows(for: plan) }),
          ("rows by id", { _ = try store.rows(with: [id]) }),
        ]
        for (name, ask) in questions { try expectEqual(scene.refusal(ask).code, .notOpen, "the error of \(name)") }
      }
    },
    ConformanceCheck("closedStoreComesBackWithAllItHeld") { factory in
      guard factory.isDurable else { return }
      let tagged = try TaggedQuakes(factory)
      let last = try tagged.scene.store.newestTransaction()
      tagged.scene.store.close()
      let scene = try Scene(factory)
      try expectEqual(scene.names(scene.plan("Quake")), ["a", "b", "c", "d", "e"], "the names")
      try expectEqual(scene.related(tagged.quakes[0], "tags"), tagged.tags, "the tags")
      try expectEqual(scene.related(tagged.regions[0], "quakes"), Array(tagged.quakes[..<2]), "the quakes")
      try expectEqual(scene.store.newestTransaction(), last, "the newest transaction")
    },
    ConformanceCheck("whoElseHasItOpenSeesCommits") { factory in
      guard factory.isDurable else { return }
      let writer = try Scene(factory)
      let reader = try Scene(factory, number: 2)
      let id = try writer.saveNamed("Quake", ["a"])[0]
      try expectEqual(reader.names(reader.plan("Quake")), ["a"], "the names")
      let stale = try writer.row(id)
      let other = RowID(store: 2, entity: id.entity, key: id.key)
      try reader.save { try $0.update(reader.row(other), ["name": .string("b")]) }
      try expectEqual(writer.value(id, "name"), .string("b"), "the name")
      var draft = BatchDraft()
      try draft.update(stale, ["name": .string("c")])
      try expectEqual(writer.refusal(of: draft.batch).code, .conflict, "the error")
      if factory.keepsHistory {
        try expectEqual(writer.store.history(after: 0, limit: 0).count, 2, "the number of transactions")
      }
    },
    ConformanceCheck("readersSeeWholeBatchesOnly") { try readersSeeWholeBatchesOnly($0) },
    ConformanceCheck("writersOfOneStoreQueue") { factory in
      let scene = try Scene(factory)
      let failure = Mutex<(any Error)?>(nil)
      DispatchQueue.concurrentPerform(iterations: 4) { writer in
        do {
          for step in 0..<20 { try scene.saveNamed("Quake", ["\(writer) \(step)", "and"]) }
        } catch { failure.withLock { $0 = error } }
      }
      if let error = failure.withLock({ $0 }) { throw error }
      let ids = try scene.store.ids(for: scene.plan("Quake"))
      try expectEqual(Set(ids).count, 160, "the number of rows")
      if factory.keepsHistory {
        try expectEqual(scene.store.history(after: 0, limit: 0).count, 80, "the number of transactions")
      }
    },
  ]

  private static func expectMetadata(_ store: any BackEnd) throws {
    let metadata = try store.metadata
    try expectEqual(metadata["note"] as? String, "seen", "the note")
    try expectEqual(metadata["count"] as? Int, 8, "the count")
    try expectEqual(metadata["at"] as? Date, Date(timeIntervalSinceReferenceDate: 5), "the date")
    try expectEqual(metadata["NSStoreUUID"] as? String, store.identifier, "the UUID")
  }

  /// One writer keeps giving two rows the same number; readers must never find two different numbers, nor one row more
  /// than the batches created.
  private static func readersSeeWholeBatchesOnly(_ factory: any StoreFactory) throws {
    let scene = try Scene(factory)
    let ids = try scene.save { draft in for name in ["a", "b"] { try draft.insert("Quake", quake(name, nil, 0)) } }
    let failure = Mutex<(any Error)?>(nil)
    let isDone = Atomic(false)
    let readings = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      do {
        if thread == 0 {
          defer { isDone.store(true, ordering: .releasing) }
          for step in 1...60 { try write(Int64(step), ids, scene) }
        } else {
          while !isDone.load(ordering: .acquiring) {
            try expectOneMoment(scene)
            readings.add(1, ordering: .relaxed)
          }
        }
      } catch { failure.withLock { $0 = error } }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    try expectOneMoment(scene)
    try expectEqual(scene.store.count(for: scene.plan("Quake")), 122, "the number of rows")
  }

  private static func write(_ step: Int64, _ ids: [RowID], _ scene: Scene) throws {
    try scene.save { draft in
      for id in ids { try draft.update(scene.row(id), ["depth": .integer(step)]) }
      for name in ["x", "y"] { try draft.insert("Quake", quake(name, nil, step)) }
    }
  }

  private static func expectOneMoment(_ scene: Scene) throws {
    let rows = try scene.store.rows(for: scene.plan("Quake")).rows
    let slot = try expectSome(rows[0].layout.slot(named: "depth"), "the slot depth")
    let depths = rows.map { $0[slot] }
    try expectEqual(depths[0], depths[1], "the second row's depth")
    try expectEqual(depths.last, depths[0], "the newest row's depth")
    try expect(rows.count % 2 == 0, "there is half a batch: \(rows.count) rows")
  }
}
