import Foundation
import StrataManagedModel
import StrataRowStore

/// To-many relationships: ids until somebody wants objects, and changes that do not read a fault.
extension NSManagedObject {
  /// The ids at the other end of a to-many relationship.
  func linkedIDs(_ number: Int) -> [RowID] {
    resolveLinks(number)
    return edits?.links[number]?.members?.ids ?? []
  }

  /// The objects at the other end of a to-many relationship.
  func linkedObjects(_ number: Int) -> [NSManagedObject] {
    var objects: [NSManagedObject] = []
    forEachLinked(number) { object, count in
      if objects.isEmpty { objects.reserveCapacity(count) }
      objects.append(object)
    }
    return objects
  }

  /// Hands over the objects at the other end of a to-many relationship, and how many there are at most. Those that are
  /// made here read their rows together, when one of them is asked for a value.
  func forEachLinked(_ number: Int, _ body: (NSManagedObject, Int) -> Void) {
    forEachLinked(number, linkedSlice(number), body)
  }

  func forEachLinked(_ number: Int, _ ids: ArraySlice<RowID>, _ body: (NSManagedObject, Int) -> Void) {
    guard let context, edits?.strays == nil else {
      for object in ids.compactMap(related) { body(object, ids.count) }
      return
    }
    context.forEachMember(ids, of: self, number) { body($0, ids.count) }
  }

  /// The ids at the other end of a to-many relationship. As long as nothing changes, the object has nothing of its own for
  /// them.
  func linkedSlice(_ number: Int) -> ArraySlice<RowID> {
    guard !ConcurrencyDebug.isOn, edits == nil else { return linkedIDs(number)[...] }
    if let known = heldReadAhead?._withUnsafeGuaranteedRef({ $0.members(of: rowID, number) }) { return known }
    guard let links = context?.linksRead(of: self) else { return linkedIDs(number)[...] }
    let members = links.keep(storedLinks(number), of: rowID, number)
    readAhead = links
    return members
  }

  /// Makes relationships the object's own as they were read: those that its save did not change, and those whose members
  /// change without it.
  func keepLinksReadAhead() {
    guard let readAhead else { return }
    for number in layout.toMany.indices where edits?.links[number] == nil {
      if let known = readAhead.members(of: rowID, number) { resolveLinks(number, Array(known)) }
    }
  }

  func linkedCollection(_ number: Int) -> Any {
    layout.toMany[number].relationship.isOrdered
      ? NSOrderedSet(array: linkedObjects(number)) : NSSet(array: linkedObjects(number))
  }

  func linkCount(_ number: Int) -> Int {
    resolveLinks(number)
    return edits?.links[number]?.members?.ids.count ?? 0
  }

  /// Asks the source for the members, unless they are known.
  func resolveLinks(_ number: Int) {
    if ConcurrencyDebug.isOn { checkQueue(toMany: number) }
    guard edits?.links[number]?.members == nil else { return }
    if let known = readAhead?.members(of: rowID, number) { return resolveLinks(number, Array(known)) }
    resolveLinks(number, storedLinks(number))
  }

  /// The members as the source has them.
  private func storedLinks(_ number: Int) -> [RowID] {
    guard !flags.contains(.neverSaved), let context else { return [] }
    if !layout.transientToMany.isEmpty, context.parent == nil, layout.transientToMany.contains(number) { return [] }
    do {
      return try context.requireSource().related(to: rowID, relationship: number)
    } catch {
      fatalError("CoreData could not read '\(layout.toMany[number].name)' of '\(objectID)': \(error)")
    }
  }

  func resolveLinks(_ number: Int, _ base: [RowID]) {
    changeState(number) { $0.resolve(base: base) }
  }

  /// Whether an object is a member. Where the other end is a to-one relationship, it is asked there: no members are
  /// read.
  func isLinked(_ other: NSManagedObject, _ number: Int) -> Bool {
    if edits?.links[number]?.members == nil, case .slot(let slot) = layout.toMany[number].inverse {
      other.materialize()
      guard let page = other.page, rowID != .none else { return false }
      return page.reference(Int(other.rowIndex), slot) == rowID
    }
    resolveLinks(number)
    return edits?.links[number]?.contains(other.rowID) == true
  }

  // MARK: Changes

  /// Adds an object to a to-many relationship, in an ordered one at the end.
  func link(_ other: NSManagedObject, _ number: Int) {
    guard !isLinked(other, number) else { return willTouch() }
    gain(other, number)
    if maintainsInverses { other.inverseGained(self, layout.toMany[number].inverse) }
  }

  /// Takes an object out of a to-many relationship.
  func unlink(_ other: NSManagedObject, _ number: Int) {
    guard isLinked(other, number) else { return willTouch() }
    lose(other, number)
    if maintainsInverses { other.inverseLost(self, layout.toMany[number].inverse) }
  }

  /// Makes `objects` the members of a to-many relationship.
  func replaceLinks(_ number: Int, with objects: [NSManagedObject]) {
    if layout.toMany[number].relationship.isOrdered { return arrangeLinks(number, as: objects) }
    let notice = willTell(toMany: number)
    defer { notice?.end() }
    let old = linkedObjects(number)
    let new = Set(objects.map { ObjectIdentifier($0) })
    context?.readRows(ofFaultsAmong: old + objects, ifNeededBy: layout.toMany[number].inverse)
    for object in old where !new.contains(ObjectIdentifier(object)) { unlink(object, number) }
    for object in objects { link(object, number) }
    willTouch()
  }

  /// One end's part of a new link.
  func gain(_ other: NSManagedObject, _ number: Int) {
    let notice = willTell(toMany: number, .insertion, other)
    willTouch()
    meet(other)
    changeLinks(number) { $0.add(other.rowID) }
    follow(number) { $0.append(other) }
    notice?.end()
  }

  /// One end's part of a link that ends.
  func lose(_ other: NSManagedObject, _ number: Int) {
    let notice = willTell(toMany: number, .removal, other)
    willTouch()
    changeLinks(number) { $0.remove(other.rowID) }
    follow(number) { $0.drop(other) }
    notice?.end()
  }

  /// Changes what the relationship holds; a validation that does it is repeated.
  @inline(__always)
  func changeLinks(_ number: Int, _ change: (inout RelationshipState) -> Void) {
    registry.valueChanges &+= 1
    changeState(number, change)
  }

  @inline(__always)
  private func changeState(_ number: Int, _ change: (inout RelationshipState) -> Void) {
    let edits = ownEdits()
    if edits.links[number] == nil {
      edits.links[number] = RelationshipState(isOrdered: layout.toMany[number].relationship.isOrdered)
    }
    // The state was just made if it was not there.
    change(&edits.links[number]!)
  }

  /// Tells the live ordered set of a relationship, if the program holds one.
  @inline(__always)
  func follow(_ number: Int, _ step: (LiveOrderedSet) -> Void) {
    guard let orders = edits?.liveOrders, let order = orders[number]?.order else { return }
    step(order)
  }

  /// Whether the object is a fault one of whose to-many relationships changed.
  var isTouchedFault: Bool { life == .fault && flags.contains(.listed) && hasLinkChanges }

  var hasLinkChanges: Bool {
    guard let edits, !edits.links.areUntouched else { return false }
    return edits.links.contains { $0?.isChanged == true }
  }
}

extension NSManagedObjectContext {
  /// Reads the rows of faults in one go, so that they are not read one by one when they fire.
  /// - Parameter inverse: where objects of to-one inverses change, their rows are needed; others change as faults.
  func readRows(ofFaultsAmong objects: [NSManagedObject], ifNeededBy inverse: InversePlace) {
    guard case .slot = inverse else { return }
    readRows(ofFaultsAmong: objects)
  }

  /// Reads the rows of faults in one go. What cannot be read now fires by itself later, and fails there.
  func readRows(ofFaultsAmong objects: [NSManagedObject]) {
    let unread = objects.filter { $0.life == .fault && $0.page == nil }
    guard unread.count > 1, let rows = try? requireSource().rows(with: unread.map(\.rowID)) else { return }
    rows.forEach { page, index in
      guard let object = registry.object(page.id(index)), object.life == .fault else { return }
      object.adopt(page, index)
    }
  }

  /// Reads a to-many relationship of many objects of one hierarchy in one go.
  func readLinks(_ number: Int, of owners: [NSManagedObject]) {
    let unread = owners.filter { owner in
      owner.edits?.links[number]?.members == nil && !owner.flags.contains(.neverSaved)
        && owner.readAhead?.members(of: owner.rowID, number) == nil
    }
    // No store is asked for a transient one.
    guard unread.count > 1, parent != nil || !unread[0].layout.transientToMany.contains(number),
      let members = try? requireSource().related(to: unread.map(\.rowID), relationship: number)
    else { return }
    for owner in unread { owner.resolveLinks(number, Array(members.members(of: owner.rowID) ?? [])) }
  }
}
