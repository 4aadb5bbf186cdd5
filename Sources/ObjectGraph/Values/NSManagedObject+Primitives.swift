import Foundation
import StrataFoundationGaps
import StrataManagedModel
import StrataRowStore

/// Primitive values, and the notifications of custom accessors.
extension NSManagedObject {
  /// Returns a value without calling `willAccessValue(forKey:)`; fires a fault.
  public func primitiveValue(forKey key: String) -> Any? {
    if let slot = layout.slot(named: key) {
      materialize(slot)
      return slotValue(slot)
    }
    if let number = layout.toMany(named: key) { return linkedCollection(number) }
    if let property = fetchedProperty(named: key) { return fetchedObjects(property) }
    if let composite = layout.composite(named: key) {
      materialize(composite.slots.first ?? -1)
      return compositeValue(composite)
    }
    unknown(key)
  }

  /// Sets a value without marking the object as changed, updating inverses or registering an undo.
  ///
  /// It is for setters of the program's own, and for `awakeFromInsert()` and `willSave()`.
  ///
  /// ```swift
  /// final class Word: NSManagedObject {
  ///   var text: String {
  ///     get { primitiveValue(forKey: "text") as? String ?? "" }
  ///     set {
  ///       willChangeValue(forKey: "text")  // Otherwise it is not saved.
  ///       setPrimitiveValue(newValue.lowercased(), forKey: "text")
  ///       didChangeValue(forKey: "text")
  ///     }
  ///   }
  /// }
  /// ```
  public func setPrimitiveValue(_ value: Any?, forKey key: String) {
    guard let context else { return setModeledValue(value, forKey: key) }
    context.withoutChangeTracking { setModeledValue(value, forKey: key) }
  }

  /// Fires a fault before a custom accessor reads a value; nil for all properties.
  public func willAccessValue(forKey key: String?) { materialize(key.flatMap(layout.slot(named:)) ?? -1) }

  /// Ends an access that `willAccessValue(forKey:)` began.
  public func didAccessValue(forKey key: String?) {}

  /// Marks the object as changed before a custom accessor calls `setPrimitiveValue(_:forKey:)`.
  public func willChangeValue(forKey key: String) {
    announce(key, change: nil)
    willChangeModeledValue(forKey: key)
  }

  /// Notifies observers of a change that a custom accessor begins.
  private func announce(_ key: String, change: MemberChange?) {
    if flags.contains(.observed) {
      ObjectObservers.announce(ChangeNotice(self, key: key, change: change), key: key, of: self)
    }
  }

  private func willChangeModeledValue(forKey key: String) {
    let slot = layout.slot(named: key) ?? layout.composite(named: key)?.slots.first
    if slot == nil, layout.toMany(named: key) == nil, Self.contextShouldIgnoreUnmodeledPropertyChanges { return }
    willEdit(slot ?? -1)
    guard maintainsInverses, let ends = ends(ofRelationship: key) else { return }
    ownEdits().announced = (edits?.announced ?? [:]).merging([key: ends]) { first, _ in first }
  }

  /// Ends a change that `willChangeValue(forKey:)` began, and updates the inverse of a relationship.
  public func didChangeValue(forKey key: String) {
    didChangeModeledValue(forKey: key)
    if flags.contains(.observed) { ObjectObservers.removeAnnounced(key, of: self)?.end() }
  }

  private func didChangeModeledValue(forKey key: String) {
    guard let old = edits?.announced?.removeValue(forKey: key) else { return }
    if edits?.announced?.isEmpty == true { edits?.announced = nil }
    let new = ends(ofRelationship: key) ?? []
    let inverse =
      layout.slot(named: key).map { layout.slots[$0].inverse }
      ?? layout.toMany(named: key).map { layout.toMany[$0].inverse }
    guard let inverse, maintainsInverses else { return }
    let (before, after) = (Set(old), Set(new))
    for id in old where !after.contains(id) { related(id)?.inverseLost(self, at: inverse) }
    for id in new where !before.contains(id) { related(id)?.inverseGained(self, at: inverse) }
  }

  /// Marks the object as changed before a custom accessor changes the set of a to-many relationship.
  public func willChangeValue(
    forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind, using inObjects: Set<AnyHashable>
  ) {
    let change: MemberChange? =
      switch inMutationKind {
      case .union: MemberChange(kind: .insertion, members: inObjects.compactMap { $0.base as? NSManagedObject })
      case .minus: MemberChange(kind: .removal, members: inObjects.compactMap { $0.base as? NSManagedObject })
      case .intersect, .set: nil
      }
    announce(inKey, change: change)
    willChangeModeledValue(forKey: inKey)
  }

  /// Ends a change that `willChangeValue(forKey:withSetMutation:using:)` began.
  ///
  /// The set that `primitiveValue(forKey:)` returns is a copy, so this method makes the announced change, unless
  /// `setPrimitiveValue(_:forKey:)` already did.
  public func didChangeValue(
    forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind, using inObjects: Set<AnyHashable>
  ) {
    if let number = layout.toMany(named: inKey) {
      let objects = inObjects.map { checkedMember($0.base, toMany: number) }
      if let context { context.withoutChangeTracking { mutate(number, kind: inMutationKind, objects: objects) } }
    }
    didChangeValue(forKey: inKey)
  }

  private func mutate(_ number: Int, kind: NSKeyValueSetMutationKind, objects: [NSManagedObject]) {
    switch kind {
    case .union: for object in objects { gain(object, toMany: number) }
    case .minus: for object in objects { lose(object, toMany: number) }
    case .intersect: replaceLinks(number, with: linkedObjects(number).filter(objects.contains))
    case .set: replaceLinks(number, with: objects)
    }
  }

  /// Returns the IDs at the other end of a relationship; nil if the key is not one.
  private func ends(ofRelationship key: String) -> [RowID]? {
    if let number = layout.toMany(named: key) { return linkedIDs(number) }
    guard let slot = layout.slot(named: key), layout.slots[slot].kind == .toOne else { return nil }
    let id = page?.reference(row: rowIndex, slot: slot) ?? .none
    return id == .none ? [] : [id]
  }
}
