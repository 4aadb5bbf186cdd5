import StrataRowStore

/// To-many relationships read one by one from unchanged objects. Only reading members needs no state per object, which
/// costs five times as much.
///
/// The objects refer to it as to other prefetched rows. One instance serves so many objects that the few which outlive
/// the others retain little.
final class RelationshipReads: PrefetchCache {
  private static let mostLists = 4_096
  private static let mostIDs = 65_536

  /// Where owners' lists begin (high 32 bits) and their lengths, by the position of the relationship in the model.
  @exclusivity(unchecked) private var places: [(stamp: UInt32, ranges: RowNumbers)] = []
  @exclusivity(unchecked) private var count = 0
  /// All lists in one array: allocating and freeing a list of its own takes longer than filling it.
  @exclusivity(unchecked) private var ids: [RowID] = []

  /// Serves owners whose lists were read together.
  init(_ lists: MemberLists, of relationship: StampedRelationship) {
    super.init()
    add(lists, of: relationship)
  }

  override init() { super.init() }

  var isFull: Bool { count >= Self.mostLists || ids.count >= Self.mostIDs }

  /// Stores a list, and returns it.
  func keep(_ members: [RowID], of owner: RowID, _ relationship: StampedRelationship) -> ArraySlice<RowID> {
    while places.count <= relationship.index { places.append((0, RowNumbers())) }
    if places[relationship.index].stamp != relationship.stamp {
      places[relationship.index] = (relationship.stamp, RowNumbers())
    }
    places[relationship.index].ranges[owner] = ids.count << 32 | members.count
    count += 1
    ids += members
    return ids[(ids.count - members.count)...]
  }

  /// Removes the lists that another object with the same ID read before.
  func forgetLists(of owner: RowID) {
    for index in places.indices where places[index].ranges[owner] != nil { places[index].ranges[owner] = nil }
  }

  override func members(of owner: RowID, _ relationship: StampedRelationship) -> ArraySlice<RowID>? {
    guard relationship.index < places.count, places[relationship.index].stamp == relationship.stamp,
      let range = places[relationship.index].ranges[owner]
    else { return super.members(of: owner, relationship) }
    return ids[range >> 32..<range >> 32 + range & 0xFFFF_FFFF]
  }

  override func outdatedMembers(of owner: RowID, _ index: Int) -> ArraySlice<RowID>? {
    guard index < places.count, let range = places[index].ranges[owner] else {
      return super.outdatedMembers(of: owner, index)
    }
    return ids[range >> 32..<range >> 32 + range & 0xFFFF_FFFF]
  }
}

extension NSManagedObjectContext {
  /// Where an object's unchanged relationships are stored; nil if the object stores them itself. The ids in a child
  /// context can change.
  @inline(__always)
  func linksRead(of object: NSManagedObject) -> RelationshipReads? {
    guard family.parentReplacements == nil, object.heldPage != nil, object.life == .clean || object.life == .fault
    else { return nil }
    if let readAhead = object.readAhead { return readAhead as? RelationshipReads }
    if let current = relationships.reads, !current.isFull { return current }
    let made = RelationshipReads()
    relationships.reads = made
    return made
  }
}
