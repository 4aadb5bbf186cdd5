import Foundation
import StrataManagedModel
import StrataRowStore

/// Values round-trip, and an update writes only the named slots.
extension StoreConformance {
  static let valueChecks = [
    ConformanceCheck("every kind of value is read back") { try roundTrip($0, kindsOfValue) },
    ConformanceCheck("extreme values are read back") { factory in
      for values in extremes { try roundTrip(factory, values) }
    },
    ConformanceCheck("a text with NUL is read back, or the error names its attribute") { factory in
      let text = SlotValue.string(String(repeating: "é\u{0}x", count: 20_000))
      if factory.keepsNUL { return try roundTrip(factory, ["text": text]) }
      let fixture = try StoreFixture(factory)
      var draft = BatchDraft()
      try draft.insert("Kinds", ["text": text])
      let refusal = try fixture.refusal(of: draft.batch)
      try expectEqual(refusal.code, .unsupported, "the error")
      try expect(refusal.message.contains("Kinds.text"), "the error does not name the attribute: \(refusal)")
      try expectEqual(fixture.store.count(for: fixture.plan("Kinds")), 0, "the number of rows")
    },
    ConformanceCheck("nil stays nil") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.save { try $0.insert("Kinds") }[0]
      let row = try fixture.row(id)
      for slot in row.layout.slots.indices { try expectEqual(row[slot], .null, row.layout.slots[slot].name) }
    },
    ConformanceCheck("every kind of value can become nil and back") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.save { try $0.insert("Kinds", kindsOfValue) }[0]
      try fixture.save { try $0.update(fixture.row(id), kindsOfValue.mapValues { _ in .null }) }
      for name in kindsOfValue.keys { try expectEqual(fixture.value(id, name), .null, name) }
      try fixture.save { try $0.update(fixture.row(id), kindsOfValue) }
      for (name, value) in kindsOfValue { try expectEqual(fixture.value(id, name), value, name) }
    },
    ConformanceCheck("a transient value is not stored") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.save { try $0.insert("Kinds", ["draft": .string("a"), "text": .string("b")]) }[0]
      try fixture.save { try $0.update(fixture.row(id), ["draft": .string("c"), "text": .string("d")]) }
      try expectEqual(fixture.value(id, "draft"), .null, "draft")
      try expectEqual(fixture.value(id, "text"), .string("d"), "text")
    },
    ConformanceCheck("an update writes only its slots") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.save { try $0.insert("Quake", quake("a", 5, 10)) }[0]
      try fixture.save { draft in
        try draft.update(fixture.row(id), ["magnitude": .double(6)])
        // The store must ignore the row's other slots.
        let row = draft.batch.updated[0].row
        row.set(slot: try expectSome(row.layout.slot(named: "name"), "the slot name"), to: .string("z"))
      }
      try expectEqual(fixture.value(id, "magnitude"), .double(6), "magnitude")
      try expectEqual(fixture.value(id, "name"), .string("a"), "name")
      try expectEqual(fixture.value(id, "depth"), .integer(10), "depth")
    },
    ConformanceCheck("an update does not change rows that were read before") { factory in
      let fixture = try StoreFixture(factory)
      let id = try fixture.save { try $0.insert("Quake", quake("a", 5, 10)) }[0]
      let before = try fixture.row(id)
      try fixture.save { try $0.update(before, ["name": .string("a longer name")]) }
      try fixture.save { try $0.delete(fixture.row(id)) }
      let slot = try expectSome(before.layout.slot(named: "name"), "the slot name")
      try expectEqual(before[slot], .string("a"), "the name that was read")
      try expectEqual(before.version, 1, "the version that was read")
    },
    ConformanceCheck("a thousand rows are read back") { factory in
      let fixture = try StoreFixture(factory)
      let names = (0..<1_000).map { "quake \($0) of \(String(repeating: "x", count: $0 % 90))" }
      try fixture.saveNamed("Quake", names)
      try expectEqual(fixture.names(fixture.plan("Quake")), names, "the names")
    },
  ]

  private static func roundTrip(_ factory: any StoreFactory, _ values: [String: SlotValue]) throws {
    let fixture = try StoreFixture(factory)
    let id = try fixture.save { try $0.insert("Kinds", values) }[0]
    for (name, value) in values { try expectEqual(fixture.value(id, name), value, name) }
  }

  static func quake(_ name: String, _ magnitude: Double?, _ depth: Int64?) -> [String: SlotValue] {
    [
      "name": .string(name), "magnitude": magnitude.map(SlotValue.double) ?? .null,
      "depth": depth.map(SlotValue.integer) ?? .null,
    ]
  }

  static let kindsOfValue: [String: SlotValue] = [
    "small": .integer(-7), "medium": .integer(70_000), "large": .integer(7_000_000_000), "flag": .boolean(true),
    "real": .double(0.1), "single": .double(1.5), "moment": .date(700_000_000.25),
    "amount": .decimal(Decimal(string: "12.75") ?? 0), "text": .string("Zürich, 東京, 🌋"),
    "link": .uri("https://example.org/a?b=c"),
    "token": .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))),
    "bytes": .data([0, 1, 255, 0]), "shape": .data([9, 8, 0, 7]),
  ]

  private static let extremes: [[String: SlotValue]] = [
    [
      "small": .integer(.init(Int16.min)), "medium": .integer(.init(Int32.min)), "large": .integer(.min),
      "flag": .boolean(false), "real": .double(-.greatestFiniteMagnitude), "single": .double(0),
      "moment": .date(-63_114_076_800), "text": .string(""), "bytes": .data([]),
      "amount": .decimal(Decimal(string: "-0.001") ?? 0),
    ],
    [
      "small": .integer(.init(Int16.max)), "medium": .integer(.init(Int32.max)), "large": .integer(.max),
      "real": .double(.leastNonzeroMagnitude), "single": .double(Double(Float.greatestFiniteMagnitude)),
      "moment": .date(0), "text": .string(String(repeating: "é\u{1}x", count: 20_000)),
      "bytes": .data([UInt8](repeating: 170, count: 300_000)), "amount": .decimal(0),
    ],
  ]
}
