import Foundation
import StrataRowStore

/// A mutable ordered set that represents an ordered to-many relationship: changing one changes the other.
///
/// Foundation's ordered set reads its own storage in methods that cannot be overridden, so the storage mirrors the
/// relationship: each change of the relationship is applied to it.
final class LiveOrderedSet: NSMutableOrderedSet {
  private let owner: NSManagedObject
  private let number: Int
  /// The stamp of the members that the storage mirrors; see `RelationshipStamps`.
  private var stamp: UInt32

  init(of owner: NSManagedObject, toMany number: Int) {
    self.owner = owner
    self.number = number
    stamp = owner.stamped(number).stamp
    super.init(capacity: 0)
    for object in owner.linkedObjects(number) { super.add(object) }
  }

  required convenience init?(coder aDecoder: NSCoder) { nil }
  required convenience init(arrayLiteral elements: Any...) {
    fatalError("mutableOrderedSetValue(forKey:) makes the live ordered set of a relationship.")
  }

  // MARK: What the relationship tells

  // The relationship has changed already: members that are outdated here are read with the change.

  func append(_ object: NSManagedObject) { if isCurrent { super.add(object) } else { reload() } }
  func drop(_ object: NSManagedObject) { if isCurrent { super.remove(object) } else { reload() } }
  func put(_ object: NSManagedObject, at index: Int) {
    if isCurrent { super.insert(object, at: index) } else { reload() }
  }

  private var isCurrent: Bool { stamp == owner.stamped(number).stamp }

  func reload() { _ = reloadMembers() }

  /// Returns false, keeping the last members, if they cannot be read.
  private func reloadMembers() -> Bool {
    let current = owner.stamped(number).stamp
    guard let members = owner.readableLinks(number) else { return false }
    stamp = current
    super.removeAllObjects()
    for object in members { super.add(object) }
    return true
  }

  // MARK: What the program asks

  /// Resynchronizes: an object that was turned into a fault or rolled back no longer refers to its live sets, and a commit
  /// may have changed the members.
  private func resynchronize() {
    if owner.edits?.liveOrders?[number]?.order === self {
      if !isCurrent { reload() }
      return
    }
    guard reloadMembers() else { return }
    owner.ownEdits().liveOrders = (owner.edits?.liveOrders ?? [:]).merging([number: WeakLinkOrder(order: self)]) { $1 }
  }

  override var count: Int {
    resynchronize()
    return super.count
  }

  override func object(at idx: Int) -> Any {
    resynchronize()
    return super.object(at: idx)
  }

  override func index(of object: Any) -> Int {
    resynchronize()
    return super.index(of: object)
  }

  // MARK: What the program changes

  private func member(_ object: Any) -> NSManagedObject { owner.checkedMember(object, toMany: number) }

  override func insert(_ object: Any, at idx: Int) { owner.insertLink(member(object), at: idx, toMany: number) }
  override func add(_ object: Any) { owner.link(member(object), toMany: number) }
  override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
    for object in UnsafeBufferPointer(start: objects, count: count) { add(object) }
  }
  override func addObjects(from array: [Any]) { for object in array { add(object) } }
  override func removeObject(at idx: Int) { owner.removeLink(at: idx, number) }
  override func remove(_ val: Any) {
    resynchronize()
    guard let object = val as? NSManagedObject, super.contains(object) else { return }
    owner.unlink(object, toMany: number)
  }
  override func removeAllObjects() { owner.arrangeLinks(number, as: []) }
  override func replaceObject(at idx: Int, with obj: Any) {
    owner.replaceLinks(at: IndexSet(integer: idx), with: [member(obj)], number)
  }
  override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
    guard var objects = owner.readableLinks(number) else { return }
    objects.swapAt(idx1, idx2)
    owner.arrangeLinks(number, as: objects)
  }
  override func moveObjects(at indexes: IndexSet, to idx: Int) { owner.moveLinks(at: indexes, to: idx, number) }
  override func removeObjects(at indexes: IndexSet) { owner.removeLinks(at: indexes, number) }
  override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
    owner.replaceLinks(at: indexes, with: objects.map(member), number)
  }
  override func intersect(_ other: NSOrderedSet) {
    guard let objects = owner.readableLinks(number) else { return }
    owner.arrangeLinks(number, as: objects.filter { other.contains($0) })
  }
  override func sortRange(
    _ range: NSRange, options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult
  ) {
    guard let objects = owner.readableLinks(number) else { return }
    let sorted = NSMutableArray(array: Array(objects[range.location..<range.upperBound]))
    sorted.sort(options: opts, usingComparator: cmptr)
    arrange(objects[..<range.location] + members(of: sorted) + objects[range.upperBound...])
  }
  override func sort(using sortDescriptors: [NSSortDescriptor]) {
    guard let objects = owner.readableLinks(number) else { return }
    let sorted = NSMutableArray(array: objects)
    sorted.sort(using: sortDescriptors)
    arrange(members(of: sorted)[...])
  }

  private func members(of array: NSArray) -> [NSManagedObject] { array.compactMap { $0 as? NSManagedObject } }
  private func arrange(_ objects: ArraySlice<NSManagedObject>) { owner.arrangeLinks(number, as: Array(objects)) }
}

/// The program's live ordered set of a relationship.
struct WeakLinkOrder { weak var order: LiveOrderedSet? }

extension NSManagedObject {
  /// Returns a mutable set that stands for a to-many relationship: changes of the set change the relationship and its
  /// inverse.
  ///
  /// The set always shows the current relationship. Casting it to a Swift `Set` gives an empty one, since Foundation
  /// only bridges its own classes: use `allObjects`, or `value(forKey:)`.
  ///
  /// ```swift
  /// let tags = quake.mutableSetValue(forKey: "tags")
  /// tags.add(Tag(context: context))
  /// print(quake.tags.count == tags.count)  // true: both are the relationship.
  /// ```
  public func mutableSetValue(forKey key: String) -> NSMutableSet {
    guard let number = layout.toMany(named: key) else { unknown(key) }
    guard !layout.toMany[number].relationship.isOrdered else {
      fatalError(
        "NSManagedObjects of entity '\(layout.name)' do not support -mutableSetValueForKey: for the property '\(key)'")
    }
    return LiveSet(of: self, toMany: number)
  }

  /// Returns a mutable ordered set that stands for an ordered to-many relationship: changes of the set change the
  /// relationship and its inverse.
  ///
  /// ```swift
  /// let chapters = book.mutableOrderedSetValue(forKey: "chapters")
  /// // The third chapter becomes the first. A new set is not needed.
  /// chapters.moveObjects(at: IndexSet(integer: 2), to: 0)
  /// ```
  public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    guard let number = layout.toMany(named: key) else { unknown(key) }
    guard layout.toMany[number].relationship.isOrdered else {
      fatalError(
        "NSManagedObjects of entity '\(layout.name)' do not support -mutableOrderedSetValueForKey: for the property "
          + "'\(key)'")
    }
    if let order = edits?.liveOrders?[number]?.order { return order }
    let order = LiveOrderedSet(of: self, toMany: number)
    ownEdits().liveOrders = (edits?.liveOrders ?? [:]).merging([number: WeakLinkOrder(order: order)]) { $1 }
    return order
  }
}
