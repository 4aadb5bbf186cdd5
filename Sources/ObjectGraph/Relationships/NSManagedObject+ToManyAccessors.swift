import Foundation
import StrataManagedModel
import StrataRowStore

/// The accessors behind `@NSManaged` declarations of to-many relationships: for the property itself, as `NSSet`,
/// `NSOrderedSet` or a Swift `Set`, and for the functions that Xcode generates with it.
extension NSManagedObject {
  // MARK: The property

  /// Returns the objects of a to-many relationship.
  public final func _objects(_ key: borrowing _ManagedKey) -> [NSManagedObject] {
    linkedObjects(key.index(in: heldLayout, holding: .toMany))
  }
  /// Passes on the objects of a to-many relationship and their maximum number, or returns a set of them that was made
  /// for another object.
  /// - Parameter sharing: makes a set that other objects with the same members can share.
  public final func _forEachObject(
    _ key: borrowing _ManagedKey, _ body: (NSManagedObject, Int) -> Void, sharing: () -> _SharedSet
  ) -> _SharedSet? {
    let number = key.index(in: heldLayout, holding: .toMany)
    let ids = linkedSlice(number)
    if ids.isEmpty { return nil }
    guard ids.count <= SharedSets.maximumMembers, let context, context.sharesSets,
      layout.sharesMembers(number)
    else {
      forEachLinked(number, ids: ids, body: body)
      return nil
    }
    if let known = context.relationships.sets[ids] { return known }
    forEachLinked(number, ids: ids, body: body)
    context.relationships.sets.keep(sharing(), of: ids)
    return nil
  }
  public final func _setObjects(_ value: [NSManagedObject], _ key: borrowing _ManagedKey) {
    let number = key.index(in: heldLayout, holding: .toMany)
    replaceLinks(number, with: value.map { checkedMember($0, toMany: number) })
  }

  public final func _set(_ key: borrowing _ManagedKey) -> NSSet { NSMutableSet(array: _objects(key)) }
  public final func _orderedSet(_ key: borrowing _ManagedKey) -> NSOrderedSet { NSOrderedSet(array: _objects(key)) }
  /// Returns a set that stands for the relationship: changes of the set change the relationship.
  public final func _mutableSet(_ key: borrowing _ManagedKey) -> NSMutableSet { mutableSetValue(forKey: key.name) }
  public final func _mutableOrderedSet(_ key: borrowing _ManagedKey) -> NSMutableOrderedSet {
    mutableOrderedSetValue(forKey: key.name)
  }

  /// - Parameter value: an `NSSet`, or an `NSOrderedSet` where the relationship is ordered; nil empties it.
  public final func _setMembers(_ value: Any?, _ key: borrowing _ManagedKey) {
    let number = key.index(in: heldLayout, holding: .toMany)
    replaceLinks(number, with: checkedTargets(value, toMany: number))
  }

  // MARK: addToTags, removeFromTags

  public final func _addObject(_ value: NSManagedObject, _ key: borrowing _ManagedKey) {
    let number = key.index(in: heldLayout, holding: .toMany)
    link(checkedMember(value, toMany: number), toMany: number)
  }
  public final func _removeObject(_ value: NSManagedObject, _ key: borrowing _ManagedKey) {
    let number = key.index(in: heldLayout, holding: .toMany)
    unlink(checkedMember(value, toMany: number), toMany: number)
  }

  /// - Parameter values: an `NSSet`, or an `NSOrderedSet` where the relationship is ordered.
  public final func _addObjects(_ values: Any, _ key: borrowing _ManagedKey) {
    let number = key.index(in: heldLayout, holding: .toMany)
    let objects = checkedTargets(values, toMany: number)
    context?.readRows(ofFaultsAmong: objects, ifNeededBy: layout.toMany[number].inverse)
    let notice = beginNotice(toMany: number, .insertion, each: objects.filter { !isLinked(to: $0, toMany: number) })
    for object in objects { link(object, toMany: number) }
    notice?.end()
  }
  public final func _removeObjects(_ values: Any, _ key: borrowing _ManagedKey) {
    let number = key.index(in: heldLayout, holding: .toMany)
    let objects = checkedTargets(values, toMany: number)
    context?.readRows(ofFaultsAmong: objects, ifNeededBy: layout.toMany[number].inverse)
    let notice = beginNotice(toMany: number, .removal, each: objects.filter { isLinked(to: $0, toMany: number) })
    for object in objects { unlink(object, toMany: number) }
    notice?.end()
  }

  // MARK: insertIntoPages(_:at:), removeFromPages(at:), replacePages(at:with:), movePages(at:to:)

  public final func _insertObject(_ value: NSManagedObject, at index: Int, _ key: borrowing _ManagedKey) {
    let number = key.index(in: heldLayout, holding: .toMany)
    insertLink(checkedMember(value, toMany: number), at: index, toMany: number)
  }
  public final func _insertObjects(_ values: [NSManagedObject], at indexes: NSIndexSet, _ key: borrowing _ManagedKey) {
    let number = key.index(in: heldLayout, holding: .toMany)
    insertLinks(values.map { checkedMember($0, toMany: number) }, at: IndexSet(indexes), toMany: number)
  }
  public final func _removeObject(at index: Int, _ key: borrowing _ManagedKey) {
    removeLink(at: index, key.index(in: heldLayout, holding: .toMany))
  }
  public final func _removeObjects(at indexes: NSIndexSet, _ key: borrowing _ManagedKey) {
    removeLinks(at: IndexSet(indexes), key.index(in: heldLayout, holding: .toMany))
  }
  public final func _replaceObject(at index: Int, with value: NSManagedObject, _ key: borrowing _ManagedKey) {
    let number = key.index(in: heldLayout, holding: .toMany)
    replaceLinks(at: IndexSet(integer: index), with: [checkedMember(value, toMany: number)], number)
  }
  public final func _replaceObjects(
    at indexes: NSIndexSet, with values: [NSManagedObject], _ key: borrowing _ManagedKey
  ) {
    let number = key.index(in: heldLayout, holding: .toMany)
    replaceLinks(at: IndexSet(indexes), with: values.map { checkedMember($0, toMany: number) }, number)
  }
  public final func _moveObjects(at indexes: NSIndexSet, to index: Int, _ key: borrowing _ManagedKey) {
    moveLinks(at: IndexSet(indexes), to: index, key.index(in: heldLayout, holding: .toMany))
  }
}
