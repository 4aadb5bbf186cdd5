import StrataRowStore

/// To-many relationships read one by one from unchanged objects. Only reading members needs no state per object, which
/// costs five times as much.
///
/// The objects refer to it as to other prefetched rows. One instance serves so many objects that the few which outlive
/// the others retain little. Used on the context's queue, so access is exclusive without checks; it holds no objects, whose
/// release could run other code.
final class RelationshipReads: PrefetchCache {
  private static let maximumLists = 4_096
  private static let maximumIDs = 65_536

  /// Where owners' lists begin (high 32 bits) and their lengths, by the position of the relationship in the model.
  @exclusivity(unchecked) private var tables: [(stamp: UInt32, ranges: RowNumbers)] = []
  @exclusivity(unchecked) private var count = 0
  /// All lists in one array: allocating and freeing a list of its own takes longer than filling it.
  @exclusivity(unchecked) private var ids: [RowID] = []

  /// Serves owners whose lists were read together.
  init(_ lists: MemberLists, of relationship: StampedRelationship) {
    super.init()
    add(lists, of: relationship)
  }

  override init() { super.init() }

  var isFull: Bool { count >= Self.maximumLists || ids.count >= Self.maximumIDs }

  /// Stores a list, and returns it.
  func keep(_ members: [RowID], of owner: RowID, _ relationship: StampedRelationship) -> ArraySlice<RowID> {
    while tables.count <= relationship.index { tables.append((0, RowNumbers())) }
    if tables[relationship.index].stamp != relationship.stamp {
      tables[relationship.index] = (relationship.stamp, RowNumbers())
    }
    tables[relationship.index].ranges[owner] = ids.count << 32 | members.count
    count += 1
    ids += members
    return ids[(ids.count - members.count)...]
  }

  /// Removes the lists that another object with the same ID read before.
  func forgetLists(of owner: RowID) {
    for index in tables.indices where tables[index].ranges[owner] != nil { tables[index].ranges[owner] = nil }
  }

  override func members(of owner: RowID, _ relationship: StampedRelationship) -> ArraySlice<RowID>? {
    guard relationship.index < tables.count, tables[relationship.index].stamp == relationship.stamp,
      let range = tables[relationship.index].ranges[owner]
    else { return super.members(of: owner, relationship) }
    return ids[range >> 32..<range >> 32 + range & 0xFFFF_FFFF]
  }

  override func outdatedMembers(of owner: RowID, _ index: Int) -> ArraySlice<RowID>? {
    guard index < tables.count, let range = tables[index].ranges[owner] else {
      return super.outdatedMembers(of: owner, index)
    }
    return ids[range >> 32..<range >> 32 + range & 0xFFFF_FFFF]
  }
}

extension NSManagedObjectContext {
  /// Where an object's unchanged relationships are stored; nil if the object stores them itself. The IDs in a child
  /// context can change.
  @inline(__always)
  func linksRead(of object: NSManagedObject) -> RelationshipReads? {
    guard family.parentReplacements == nil, object.heldPage != nil, object.life == .clean || object.life == .fault
    else { return nil }
    if let prefetchCache = object.prefetchCache { return prefetchCache as? RelationshipReads }
    if let current = relationships.reads, !current.isFull { return current }
    let made = RelationshipReads()
    relationships.reads = made
    return made
  }
}
