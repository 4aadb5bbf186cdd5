import StrataRowStore

/// To-many relationships that were read one by one, of objects without changes: who only asks for members needs no state of
/// his own to keep them, which costs five times as much.
///
/// The objects refer to it as to rows that were read ahead. One serves so many that the few which outlive the others keep
/// little.
final class RelationshipReads: PrefetchCache {
  private static let mostLists = 4_096
  private static let mostIDs = 65_536

  /// By the number of the relationship, where the list of an owner begins (high 32 bits) and how long it is.
  @exclusivity(unchecked) private var places: [RowNumbers] = []
  @exclusivity(unchecked) private var count = 0
  /// The lists one after another: a list in memory of its own takes longer to make and to free than to fill.
  @exclusivity(unchecked) private var ids: [RowID] = []

  var isFull: Bool { count >= Self.mostLists || ids.count >= Self.mostIDs }

  /// Keeps a list, and answers it.
  func keep(_ members: [RowID], of owner: RowID, _ number: Int) -> ArraySlice<RowID> {
    while places.count <= number { places.append(RowNumbers()) }
    places[number][owner] = ids.count << 32 | members.count
    count += 1
    ids += members
    return ids[(ids.count - members.count)...]
  }

  /// The lists of an owner go with its own reference, so nothing is to be taken out.
  override func members(of owner: RowID, _ number: Int) -> ArraySlice<RowID>? {
    guard number < places.count, let place = places[number][owner] else { return nil }
    return ids[place >> 32..<place >> 32 + place & 0xFFFF_FFFF]
  }
}

extension NSManagedObjectContext {
  /// Where the relationships of an object are kept that it only reads; nil of one that keeps them itself. A context below
  /// another has ids that change.
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
