import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataTestSupport

/// Compares random batches with plain dictionaries.
extension StoreConformance {
  static let randomChecks = (1...UInt64(Thoroughness.repetitions(1, all: 3))).map { seed in
    ConformanceCheck("random batches agree with dictionaries, seed \(seed)") { factory in
      var contents = ExpectedContents(fixture: try StoreFixture(factory), random: SeededRandom(seed: seed))
      for step in 0..<40 {
        try contents.saveRandomBatch()
        try contents.compare("seed \(seed), step \(step)")
      }
    }
  }
}

/// The expected quakes, regions and tags as plain dictionaries.
private struct ExpectedContents {
  let fixture: StoreFixture
  var random: SeededRandom
  /// Each quake's depth and region.
  private var quakes: [RowID: (depth: Int64, region: RowID?)] = [:]
  private var regions: [RowID] = []
  private var tags: [RowID] = []
  private var pairs: Set<[RowID]> = []

  init(fixture: StoreFixture, random: SeededRandom) {
    (self.fixture, self.random) = (fixture, random)
  }

  /// Commits one random batch of insertions, updates, deletions and links of old and new rows.
  mutating func saveRandomBatch() throws {
    var draft = BatchDraft()
    let old = quakes.keys.sorted { $0.key < $1.key }
    let deleted = old.filter { _ in Int.random(in: 0..<8, using: &random) == 0 }
    let temporaryRegion = try draft.insert("Region", ["name": .string("r")])
    let temporaryTag = try draft.insert("Tag", ["name": .string("t")])
    var added: [(depth: Int64, region: RowID?)] = []
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let row = (Int64.random(in: 0..<5, using: &random), (regions + [temporaryRegion]).randomElement(using: &random))
      try draft.insert("Quake", values(row))
      added.append(row)
    }
    for id in old where !deleted.contains(id) && Int.random(in: 0..<3, using: &random) == 0 {
      let row = (Int64.random(in: 0..<5, using: &random), (regions + [nil]).randomElement(using: &random) ?? nil)
      try draft.update(fixture.row(id), values(row))
      quakes[id] = row
    }
    let unlinked = pairs.filter { pair in !deleted.contains(pair[0]) && pair[1].key % 3 == 0 }
    for pair in unlinked { try draft.link(pair[0], "tags", remove: [pair[1]]) }
    for id in deleted { draft.delete(try fixture.row(id)) }
    let linked = old.filter { !deleted.contains($0) && $0.key % 2 == 0 }
    try draft.link(temporaryTag, "quakes", add: linked)
    let ids = try fixture.store.commit(draft.batch).inserted
    regions.append(ids[0])
    tags.append(ids[1])
    for (id, row) in zip(ids.dropFirst(2), added) {
      quakes[id] = (row.depth, row.region == temporaryRegion ? ids[0] : row.region)
    }
    for id in deleted { quakes[id] = nil }
    pairs = pairs.subtracting(unlinked).filter { !deleted.contains($0[0]) }.union(linked.map { [$0, ids[1]] })
  }

  private func values(_ row: (depth: Int64, region: RowID?)) -> [String: SlotValue] {
    ["depth": .integer(row.depth), "region": row.region.map(SlotValue.reference) ?? .null]
  }

  func compare(_ moment: String) throws {
    for region in regions {
      let members = quakes.keys.filter { quakes[$0]?.region == region }.sorted { $0.key < $1.key }
      try expectEqual(fixture.related(region, "quakes"), members, "the quakes of region \(region.key), \(moment)")
    }
    for tag in tags {
      let members = pairs.filter { $0[1] == tag }.map { $0[0] }.sorted { $0.key < $1.key }
      try expectEqual(fixture.related(tag, "quakes"), members, "the quakes of tag \(tag.key), \(moment)")
    }
    let filter = try PredicateParser.tree("depth > 1 AND (region != nil OR ANY tags != nil)")
    let plan = try fixture.plan("Quake", filter, sort: [SortKey(["depth"], ascending: false)])
    let expected = quakes.filter { id, row in
      row.depth > 1 && (row.region != nil || pairs.contains { $0[0] == id })
    }
    let order = expected.sorted { ($1.value.depth, $0.key.key) < ($0.value.depth, $1.key.key) }
    try expectEqual(fixture.store.ids(for: plan), order.map(\.key), "the deep quakes, \(moment)")
    try expectEqual(fixture.store.count(for: fixture.plan("Quake")), quakes.count, "the number of quakes, \(moment)")
  }
}
