import Foundation
import StrataManagedModel
import StrataRowStore

/// To-many relationships: IDs until objects are needed, and changes that do not fire a fault.
extension NSManagedObject {
  /// Returns the IDs of a to-many relationship's members.
  func linkedIDs(_ number: Int) -> [RowID] {
    resolveLinks(number)
    return edits?.links[number]?.members?.ids ?? []
  }

  /// Returns the members of a to-many relationship.
  func linkedObjects(_ number: Int) -> [NSManagedObject] {
    var objects: [NSManagedObject] = []
    forEachLinked(number) { object, count in
      if objects.isEmpty { objects.reserveCapacity(count) }
      objects.append(object)
    }
    return objects
  }

  /// Visits the members of a to-many relationship, passing their maximum number.
  /// - Parameter inBatches: whether objects created here read their rows together when one of them fires.
  func forEachLinked(_ number: Int, inBatches: Bool = true, body: (NSManagedObject, Int) -> Void) {
    forEachLinked(number, ids: linkedSlice(number), inBatches: inBatches, body: body)
  }

  func forEachLinked(
    _ number: Int, ids: ArraySlice<RowID>, inBatches: Bool = true, body: (NSManagedObject, Int) -> Void
  ) {
    guard let context, edits?.detachedTargets == nil else {
      for object in ids.compactMap(related) { body(object, ids.count) }
      return
    }
    context.forEachMember(ids, of: self, toMany: number, inBatches: inBatches) { body($0, ids.count) }
  }

  /// Returns the IDs of a to-many relationship's members. Until it changes, the object allocates no state for it.
  func linkedSlice(_ number: Int) -> ArraySlice<RowID> {
    checkQueueOnFastPath(toMany: number)
    guard ConcurrencyDebug.allowsFastPaths, edits == nil else { return linkedIDs(number)[...] }
    if let known = prefetchedLinks(number) { return known }
    guard let links = context?.linksRead(of: self) else { return linkedIDs(number)[...] }
    let relationship = stamped(number)
    guard let stored = storedLinks(number) else { return [] }
    if heldPrefetchCache == nil {
      links.forgetLists(of: rowID)
      prefetchCache = links
    }
    return links.keep(stored, of: rowID, relationship)
  }

  /// Copies relationships that were prefetched into the object's own state, before others are prefetched.
  func keepPrefetchedLinks() {
    for number in layout.toMany.indices where edits?.links[number] == nil {
      if let known = prefetchedLinks(number) {
        resolveLinks(toMany: number, base: Array(known), stamp: stamped(number).stamp)
      }
    }
  }

  /// The objects at the other end as a collection of the caller's. A set is of the mutable class, as Apple's is, because
  /// programs cast it to that; an ordered set is not, because Foundation takes twice as long to make a mutable one.
  func linkedCollection(_ number: Int) -> Any {
    layout.toMany[number].relationship.isOrdered
      ? NSOrderedSet(array: linkedObjects(number)) : NSMutableSet(array: linkedObjects(number))
  }

  func linkCount(_ number: Int) -> Int {
    resolveLinks(number)
    return edits?.links[number]?.members?.ids.count ?? 0
  }

  /// Reads the members from the source, unless they are known.
  func resolveLinks(_ number: Int) {
    if ConcurrencyDebug.isOn { checkQueue(toMany: number) }
    if hasCurrentLinks(number) { return }
    // Read before the members: what changes them in the meantime makes them outdated.
    let stamp = stamped(number).stamp
    if let base = prefetchedLinks(number).map(Array.init) ?? storedLinks(number) {
      resolveLinks(toMany: number, base: base, stamp: stamp)
    } else if edits?.links[number]?.members != nil {
      withState(toMany: number) { $0.expire(unless: stamp) }
    }
  }

  /// Returns the members according to the source; nil if they cannot be read, which must not be remembered.
  private func storedLinks(_ number: Int) -> [RowID]? {
    guard !flags.contains(.neverSaved), let context else { return [] }
    if !layout.transientToMany.isEmpty, context.parent == nil, layout.transientToMany.contains(number) { return [] }
    do {
      return try context.requireSource().related(to: rowID, relationship: number)
    } catch {
      didFailToRead(toMany: number, error, in: context)
      return nil
    }
  }

  /// Sets the source's members.
  /// - Parameter stamp: the relationship's stamp before they were read.
  func resolveLinks(toMany number: Int, base: [RowID], stamp: UInt32) {
    withState(toMany: number) { $0.resolve(base: base, stamp: stamp) }
  }

  /// Whether an object is a member. If the inverse is a to-one relationship, that is checked instead, without reading
  /// the members.
  func isLinked(to other: NSManagedObject, toMany number: Int) -> Bool {
    if !hasCurrentLinks(number), case .slot(let slot) = layout.toMany[number].inverse {
      other.materialize()
      guard let page = other.page, rowID != .none else { return false }
      return page.reference(row: other.rowIndex, slot: slot) == rowID
    }
    resolveLinks(number)
    return edits?.links[number]?.contains(other.rowID) == true
  }

  // MARK: Changes

  /// Adds an object to a to-many relationship; at the end if it is ordered.
  func link(_ other: NSManagedObject, toMany number: Int) {
    let failures = registry.failedReads
    guard !isLinked(to: other, toMany: number) else { return willTouch() }
    guard canChangeLink(to: other, toMany: number, since: failures) else { return }
    gain(other, toMany: number)
    if maintainsInverses { other.inverseGained(self, at: layout.toMany[number].inverse) }
  }

  /// Removes an object from a to-many relationship.
  func unlink(_ other: NSManagedObject, toMany number: Int) {
    let failures = registry.failedReads
    guard isLinked(to: other, toMany: number) else { return willTouch() }
    guard canChangeLink(to: other, toMany: number, since: failures) else { return }
    lose(other, toMany: number)
    if maintainsInverses { other.inverseLost(self, at: layout.toMany[number].inverse) }
  }

  /// Makes `objects` the members of a to-many relationship.
  func replaceLinks(_ number: Int, with objects: [NSManagedObject]) {
    if layout.toMany[number].relationship.isOrdered { return arrangeLinks(number, as: objects) }
    let notice = beginNotice(toMany: number)
    defer { notice?.end() }
    let failures = registry.failedReads
    let old = linkedObjects(number)
    let new = Set(objects.map { ObjectIdentifier($0) })
    context?.readRows(ofFaultsAmong: old + objects, ifNeededBy: layout.toMany[number].inverse)
    guard canReplaceLinks(number, changing: old + objects, since: failures) else { return }
    for object in old where !new.contains(ObjectIdentifier(object)) { unlink(object, toMany: number) }
    for object in objects { link(object, toMany: number) }
    willTouch()
  }

  /// Updates this end of a new link.
  func gain(_ other: NSManagedObject, toMany number: Int) {
    let notice = beginNotice(toMany: number, kind: .insertion, member: other)
    willTouch()
    meet(other)
    changeLinks(toMany: number) { $0.add(other.rowID) }
    follow(toMany: number) { $0.append(other) }
    notice?.end()
  }

  /// Updates this end of a removed link.
  func lose(_ other: NSManagedObject, toMany number: Int) {
    let notice = beginNotice(toMany: number, kind: .removal, member: other)
    willTouch()
    changeLinks(toMany: number) { $0.remove(other.rowID) }
    follow(toMany: number) { $0.drop(other) }
    notice?.end()
  }

  /// Changes the relationship's state; a validation that does so is repeated.
  @inline(__always)
  func changeLinks(toMany number: Int, change: (inout RelationshipState) -> Void) {
    registry.valueChanges &+= 1
    let stamp = stamped(number).stamp
    withState(toMany: number) { state in
      // A change of outdated members would be lost when they are read again.
      if state.members != nil, state.stamp != stamp, canExpire(number) { state.expire(unless: stamp) }
      change(&state)
    }
  }

  @inline(__always)
  private func withState(toMany number: Int, change: (inout RelationshipState) -> Void) {
    let edits = ownEdits()
    if edits.links[number] == nil {
      edits.links[number] = RelationshipState(isOrdered: layout.toMany[number].relationship.isOrdered)
    }
    // `edits` creates a missing state.
    change(&edits.links[number]!)
  }

  /// Updates the program's live ordered set of a relationship, if there is one.
  @inline(__always)
  func follow(toMany number: Int, step: (LiveOrderedSet) -> Void) {
    guard let orders = heldEdits?._withUnsafeGuaranteedRef({ $0.liveOrders }), let order = orders[number]?.order
    else { return }
    step(order)
  }

  /// Refers to the lists of many owners if the object is deleted, so that its relationships hardly ever change; others
  /// need a state of their own. The IDs in a child context can change.
  /// - Parameter reads: holds the lists, for objects that hold nothing yet.
  fileprivate func keep(
    _ lists: MemberLists, of relationship: StampedRelationship, sharing reads: RelationshipReads
  ) -> Bool {
    guard life == .deleted, edits == nil, let context, context.family.parentReplacements == nil else { return false }
    switch prefetchCache {
    case nil: prefetchCache = reads
    case let known as RelationshipReads: known.keep(lists, of: relationship)
    case let batches as RowBatches: batches.keep(lists, of: relationship)
    default: return false
    }
    return true
  }

  /// Whether the object is a fault with a changed to-many relationship.
  var isTouchedFault: Bool { life == .fault && flags.contains(.tracked) && hasLinkChanges }

  var hasLinkChanges: Bool {
    guard let heldEdits else { return false }
    return heldEdits._withUnsafeGuaranteedRef { edits in
      !edits.links.areUntouched && edits.links.contains { $0?.isChanged == true }
    }
  }
}

extension NSManagedObjectContext {
  /// Reads the rows of faults in one query, so that they do not fire one by one.
  /// - Parameter inverse: objects with a to-one inverse need their rows; others change as faults.
  func readRows(ofFaultsAmong objects: [NSManagedObject], ifNeededBy inverse: InverseLocation) {
    guard case .slot = inverse else { return }
    readRows(ofFaultsAmong: objects)
  }

  /// Reads the rows of faults in one query. What cannot be read now fires later, and fails there.
  func readRows(ofFaultsAmong objects: [NSManagedObject]) {
    let unread = objects.filter { $0.life == .fault && $0.page == nil }
    guard unread.count > 1, let rows = try? requireSource().rows(with: unread.map(\.rowID)) else { return }
    rows.forEach { page, index in
      guard let object = registry.object(page.id(index)), object.life == .fault else { return }
      object.use(page, row: index)
    }
  }

  /// Reads a to-many relationship of many objects of one entity hierarchy in one query.
  func readLinks(_ number: Int, of owners: [NSManagedObject]) {
    let unread = owners.filter { owner in
      !owner.flags.contains(.neverSaved) && !owner.hasCurrentLinks(number) && owner.prefetchedLinks(number) == nil
    }
    // No store has a transient relationship.
    guard unread.count > 1, parent != nil || !unread[0].layout.transientToMany.contains(number) else { return }
    let relationship = unread[0].stamped(number)
    guard let members = try? requireSource().related(to: unread.map(\.rowID), relationship: number)
    else { return }
    let reads = RelationshipReads(members, of: relationship)
    for owner in unread where !owner.keep(members, of: relationship, sharing: reads) {
      owner.resolveLinks(
        toMany: number, base: Array(members.members(of: owner.rowID) ?? []), stamp: relationship.stamp)
    }
  }
}
