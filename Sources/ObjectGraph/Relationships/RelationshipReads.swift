import StrataRowStore

/// To-many relationships read one by one from unchanged objects. Only reading members needs no state per object, which
/// costs five times as much.
///
/// The objects refer to it as to other prefetched rows. One instance serves so many objects that the few which outlive
/// the others retain little.
final class RelationshipReads: PrefetchCache {
  private static let mostLists = 4_096
  private static let mostIDs = 65_536

  /// By relationship number: where an owner's list begins (high 32 bits) and its length.
  @exclusivity(unchecked) private var ranges: [RowNumbers] = []
  @exclusivity(unchecked) private var count = 0
  /// All lists in one array: allocating and freeing a list of its own takes longer than filling it.
  @exclusivity(unchecked) private var ids: [RowID] = []

  /// Serves owners whose lists were read at once.
  init(_ lists: MemberLists, toMany number: Int) {
    super.init()
    add(lists, toMany: number)
  }

  override init() { super.init() }

  var isFull: Bool { count >= Self.mostLists || ids.count >= Self.mostIDs }

  /// Stores a list, and returns it.
  func keep(_ members: [RowID], of owner: RowID, toMany number: Int) -> ArraySlice<RowID> {
    while ranges.count <= number { ranges.append(RowNumbers()) }
    ranges[number][owner] = ids.count << 32 | members.count
    count += 1
    ids += members
    return ids[(ids.count - members.count)...]
  }

  /// An owner's lists go away with its reference, so nothing has to be removed.
  override func members(of owner: RowID, _ number: Int) -> ArraySlice<RowID>? {
    guard number < ranges.count, let range = ranges[number][owner] else { return super.members(of: owner, number) }
    return ids[range >> 32..<range >> 32 + range & 0xFFFF_FFFF]
  }
}

extension NSManagedObjectContext {
  /// Where an object's unchanged relationships are stored; nil if the object stores them itself. The ids in a child
  /// context can change.
  @inline(__always)
  func linksRead(of object: NSManagedObject) -> RelationshipReads? {
    guard idsAbove == nil, object.heldPage != nil, object.life == .clean || object.life == .fault else { return nil }
    if let readAhead = object.readAhead { return readAhead as? RelationshipReads }
    if let current = recent.links, !current.isFull { return current }
    let made = RelationshipReads()
    recent.links = made
    return made
  }
}
