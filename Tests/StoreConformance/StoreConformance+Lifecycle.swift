import Foundation
import StrataManagedModel
import StrataRowStore
import Synchronization

/// Opening, closing, metadata and threads.
extension StoreConformance {
  static let lifecycleChecks = [
    ConformanceCheck("metadata is read back") { factory in
      let fixture = try StoreFixture(factory)
      let own = try fixture.store.metadata
      try expectEqual(own["NSStoreUUID"] as? String, fixture.store.identifier, "the UUID in the metadata")
      try expect(UUID(uuidString: fixture.store.identifier) != nil, "\(fixture.store.identifier) is not a UUID")
      try expect(own["NSStoreType"] is String, "the metadata has no type")
      let note: [String: any Sendable] = ["note": "seen", "count": 7, "at": Date(timeIntervalSinceReferenceDate: 5)]
      try fixture.store.setMetadata(note)
      try fixture.store.setMetadata(["count": 8])
      try expectMetadata(fixture.store)
      guard factory.isDurable else { return }
      fixture.store.close()
      let again = try StoreFixture(factory).store
      try expectMetadata(again)
      try expectEqual(again.identifier, fixture.store.identifier, "the UUID after the store was reopened")
    },
    ConformanceCheck("a store uses its number in IDs") { factory in
      let fixture = try StoreFixture(factory, number: 255)
      try expectEqual(fixture.store.number, 255, "the number")
      try expectEqual(fixture.saveNamed("Quake", ["a"]).map(\.store), [255], "the stores of the ids")
      try expectEqual(fixture.store.ids(for: fixture.plan("Quake")).map(\.store), [255], "the stores of the ids")
    },
    ConformanceCheck("a closed store throws notOpen") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.saveNamed("Quake", ["a"])[0]
      let plan = try fixture.plan("Quake")
      fixture.store.close()
      fixture.store.close()
      var draft = BatchDraft()
      try draft.insert("Quake")
      let batch = draft.batch
      let store = fixture.store
      let operations: [(String, () throws -> Void)] = [
        ("rows", { _ = try store.rows(for: plan) }), ("ids", { _ = try store.ids(for: plan) }),
        ("count", { _ = try store.count(for: plan) }), ("rows by id", { _ = try store.rows(with: [id]) }),
        ("related", { _ = try store.related(to: id, relationship: 0) }), ("commit", { _ = try store.commit(batch) }),
        ("history", { _ = try store.history(after: 0, limit: 0) }), ("metadata", { _ = try store.metadata }),
        ("newest", { _ = try store.newestTransaction() }), ("set metadata", { try store.setMetadata(["a": 1]) }),
      ]
      for (name, operation) in operations {
        try expectEqual(fixture.refusal(operation).code, .notOpen, "the error of \(name)")
      }
    },
    ConformanceCheck("a store that is closed during a read burst throws notOpen") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.saveNamed("Quake", ["a"])[0]
      let plan = try fixture.plan("Quake")
      try ReadBurst.run {
        // From its second query on, a burst may keep its resources open.
        for _ in 0..<3 { try expectEqual(fixture.store.count(for: plan), 1, "the count") }
        fixture.store.close()
        let store = fixture.store
        let operations: [(String, () throws -> Void)] = [
          ("count", { _ = try store.count(for: plan) }), ("rows", { _ = try store.rows(for: plan) }),
          ("rows by id", { _ = try store.rows(with: [id]) }),
        ]
        for (name, operation) in operations {
          try expectEqual(fixture.refusal(operation).code, .notOpen, "the error of \(name)")
        }
      }
    },
    ConformanceCheck("a reopened store has all its contents") { factory in
      guard factory.isDurable else { return }
      let tagged = try TaggedQuakes(factory)
      let last = try tagged.fixture.store.newestTransaction()
      tagged.fixture.store.close()
      let fixture = try StoreFixture(factory)
      try expectEqual(fixture.names(fixture.plan("Quake")), ["a", "b", "c", "d", "e"], "the names")
      try expectEqual(fixture.related(tagged.quakes[0], "tags"), tagged.tags, "the tags")
      try expectEqual(fixture.related(tagged.regions[0], "quakes"), Array(tagged.quakes[..<2]), "the quakes")
      try expectEqual(fixture.store.newestTransaction(), last, "the newest transaction")
    },
    ConformanceCheck("another store on the same file sees commits") { factory in
      guard factory.isDurable else { return }
      let writer = try StoreFixture(factory)
      let reader = try StoreFixture(factory, number: 2)
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
    ConformanceCheck("readers see whole batches only") { try readersSeeWholeBatchesOnly($0) },
    ConformanceCheck("writers to one store are queued") { factory in
      let fixture = try StoreFixture(factory)
      let failure = Mutex<(any Error)?>(nil)
      DispatchQueue.concurrentPerform(iterations: 4) { writer in
        do {
          for step in 0..<20 { try fixture.saveNamed("Quake", ["\(writer) \(step)", "and"]) }
        } catch { failure.withLock { $0 = error } }
      }
      if let error = failure.withLock({ $0 }) { throw error }
      let ids = try fixture.store.ids(for: fixture.plan("Quake"))
      try expectEqual(Set(ids).count, 160, "the number of rows")
      if factory.keepsHistory {
        try expectEqual(fixture.store.history(after: 0, limit: 0).count, 80, "the number of transactions")
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

  /// One writer repeatedly sets the same number in two rows. Readers must never see two different numbers, or the rows
  /// of a partial batch.
  private static func readersSeeWholeBatchesOnly(_ factory: any StoreFactory) throws {
    let fixture = try StoreFixture(factory)
    let ids = try fixture.save { draft in for name in ["a", "b"] { try draft.insert("Quake", quake(name, nil, 0)) } }
    let failure = Mutex<(any Error)?>(nil)
    let isDone = Atomic(false)
    let readings = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      do {
        if thread == 0 {
          defer { isDone.store(true, ordering: .releasing) }
          for step in 1...60 { try write(Int64(step), ids, fixture) }
        } else {
          while !isDone.load(ordering: .acquiring) {
            try expectWholeBatches(fixture)
            readings.add(1, ordering: .relaxed)
          }
        }
      } catch { failure.withLock { $0 = error } }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    try expectWholeBatches(fixture)
    try expectEqual(fixture.store.count(for: fixture.plan("Quake")), 122, "the number of rows")
  }

  private static func write(_ step: Int64, _ ids: [RowID], _ fixture: StoreFixture) throws {
    try fixture.save { draft in
      for id in ids { try draft.update(fixture.row(id), ["depth": .integer(step)]) }
      for name in ["x", "y"] { try draft.insert("Quake", quake(name, nil, step)) }
    }
  }

  private static func expectWholeBatches(_ fixture: StoreFixture) throws {
    let rows = try fixture.store.rows(for: fixture.plan("Quake")).rows
    let slot = try expectSome(rows[0].layout.slot(named: "depth"), "the slot depth")
    let depths = rows.map { $0[slot] }
    try expectEqual(depths[0], depths[1], "the second row's depth")
    try expectEqual(depths.last, depths[0], "the newest row's depth")
    try expect(rows.count % 2 == 0, "a batch is incomplete: \(rows.count) rows")
  }
}
