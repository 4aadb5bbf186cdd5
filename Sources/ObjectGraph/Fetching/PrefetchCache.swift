import StrataRowStore

/// Rows and relationships that a fetch prefetched, for objects created later.
///
/// The fetched objects, and those created from the cache, retain it: it lives as long as one of them. It holds rows but
/// no objects, so there is no reference cycle. A row that is saved or refreshed is removed, and lists of members carry
/// the stamp that makes them valid.
class PrefetchCache {
  // Used only on its context's queue, so exclusive access need not be checked.

  @exclusivity(unchecked) private var pages: [RowPage] = []
  /// The rows' positions: page index (high 32 bits) and row index.
  @exclusivity(unchecked) private var positions = RowNumbers()
  @exclusivity(unchecked) private var links: [(relationship: StampedRelationship, lists: MemberLists)] = []
  /// The owners whose lists were discarded by a refresh.
  @exclusivity(unchecked) private var forgotten: Set<RowID> = []
  @exclusivity(unchecked) private var hasForgotten = false

  final func row(_ id: RowID) -> Row? {
    positions[id].map { Row(page: pages[$0 >> 32], index: $0 & 0xFFFF_FFFF) }
  }

  /// Returns the members of a to-many relationship; nil if they were not read, or have another stamp.
  func members(of owner: RowID, _ relationship: StampedRelationship) -> ArraySlice<RowID>? {
    if hasForgotten, forgotten.contains(owner) { return nil }
    for bucket in links.indices
    where links[bucket].relationship.index == relationship.index
      && links[bucket].relationship.stamp == relationship.stamp
    {
      if let members = links[bucket].lists.members(of: owner) { return members }
    }
    return nil
  }

  /// Returns the members of a to-many relationship as they were read, whatever their stamp.
  func outdatedMembers(of owner: RowID, _ index: Int) -> ArraySlice<RowID>? {
    if hasForgotten, forgotten.contains(owner) { return nil }
    for bucket in links.indices.reversed() where links[bucket].relationship.index == index {
      if let members = links[bucket].lists.members(of: owner) { return members }
    }
    return nil
  }

  /// Whether a relationship was read for any owner, and the lists are still valid.
  final func hasMembers(_ relationship: StampedRelationship) -> Bool {
    links.contains { $0.relationship.index == relationship.index && $0.relationship.stamp == relationship.stamp }
  }

  final func add(_ rows: RowList) {
    let first = pages.count
    pages += rows.pages
    positions.reserve(positions.count + rows.count)
    rows.forEachPosition { page, index in
      let id = rows.pages[page].id(index)
      if positions[id] == nil { positions[id] = (first + page) << 32 | index }
    }
  }

  final func add(_ lists: MemberLists, of relationship: StampedRelationship) { links.append((relationship, lists)) }

  /// Adds lists that one of several owners may have added already.
  final func keep(_ lists: MemberLists, of relationship: StampedRelationship) {
    if links.last?.lists !== lists { add(lists, of: relationship) }
  }

  /// Removes the rows of some entities, by their numbers.
  final func forgetRows(of entities: Set<Int>) { positions.removeAll { entities.contains($0.entity) } }

  /// Removes a row that is no longer current.
  final func forgetRow(_ id: RowID) { positions[id] = nil }

  /// Removes everything about an object that the program refreshes.
  final func forget(_ id: RowID) {
    forgetRow(id)
    guard !links.isEmpty else { return }
    forgotten.insert(id)
    hasForgotten = true
  }
}

extension PrefetchCache {
  /// Whether any of some rows is, or was, a member of an object's to-many relationships.
  final func leads(from owner: NSManagedObject, to ids: Set<RowID>) -> Bool {
    owner.layout.toMany.contains { property in
      outdatedMembers(of: owner.rowID, property.index)?.contains(where: ids.contains) == true
    }
  }
}

struct WeakPrefetchCache { weak var rows: PrefetchCache? }

/// A map from row IDs to numbers: an open-addressing table, at a tenth of the cost of a Dictionary.
struct RowNumbers {
  private var entries: [(key: UInt64, number: Int)] = []
  private(set) var count = 0

  /// Reserves room for more rows.
  mutating func reserve(_ count: Int) {
    // Grows at least twofold, so that adding rows one by one does not rehash each time.
    if count * 4 > entries.count * 3 { grow(to: (max(count, self.count * 2) * 3 / 2 + 8) / 8 * 8) }
  }

  subscript(id: RowID) -> Int? {
    get {
      guard count > 0 else { return nil }
      let entry = entries[bucket(of: id.bits)]
      return entry.key == 0 || entry.number < 0 ? nil : entry.number
    }
    set {
      if newValue != nil { reserve(count + 1) }
      guard !entries.isEmpty else { return }
      let bucket = bucket(of: id.bits)
      if entries[bucket].key == 0 {
        guard newValue != nil else { return }
        count += 1
      }
      entries[bucket] = (id.bits, newValue ?? -1)
    }
  }

  /// Removes rows; their entries stay, for searches to pass.
  mutating func removeAll(where isRemoved: (RowID) -> Bool) {
    for bucket in entries.indices where entries[bucket].key != 0 && isRemoved(RowID(bits: entries[bucket].key)) {
      entries[bucket].number = -1
    }
  }

  private func bucket(of key: UInt64) -> Int {
    var bucket = RowID(bits: key).firstBucket(in: entries.count)
    while entries[bucket].key != key && entries[bucket].key != 0 {
      bucket = bucket + 1 == entries.count ? 0 : bucket + 1
    }
    return bucket
  }

  private mutating func grow(to size: Int) {
    let old = entries
    entries = Array(repeating: (0, 0), count: size)
    for entry in old where entry.key != 0 { entries[bucket(of: entry.key)] = entry }
  }
}

extension NSManagedObject {
  /// Returns the object at the other end of a relationship, with its prefetched row.
  func relatedObject(_ id: RowID) -> NSManagedObject? {
    guard let object = context?.member(id) else { return nil }
    guard let prefetchCache, object.life == .fault, object.page == nil else { return object }
    if let row = prefetchCache.row(object.rowID) {
      object.use(row.page, row: row.index)
      if object.prefetchCache == nil { object.prefetchCache = prefetchCache }
    }
    return object
  }
}
