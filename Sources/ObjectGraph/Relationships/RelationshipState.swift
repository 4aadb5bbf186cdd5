import StrataRowStore

/// The state of one to-many relationship of one object: the members that were read, and its changes.
struct RelationshipState {
  /// The members as last read from the source, in its order; nil if not read.
  private(set) var base: [RowID]?
  /// The current members; nil if not read.
  private(set) var members: RelationshipMembers?
  /// Changes made before the members were read, applied once they are. Appending costs 6 ns, updating a set of objects
  /// 200.
  private var events = LinkEvents()
  /// The relationship's stamp when `base` was the source's; see `RelationshipStamps`.
  private(set) var stamp: UInt32 = 0
  let isOrdered: Bool
  /// Whether the relationship was touched since it was last read or saved, even without effect.
  private(set) var isChanged = false

  init(isOrdered: Bool) { self.isOrdered = isOrdered }

  /// Sets the source's members, with earlier changes applied on top.
  /// - Parameter stamp: the relationship's stamp before the members were read.
  mutating func resolve(base: [RowID], stamp: UInt32) {
    forgetMembers()
    self.base = base
    self.stamp = stamp
    members = RelationshipMembers(base)
    for event in events { apply(event) }
    events = LinkEvents()
  }

  /// Whether an ID is a member. The members must be known.
  mutating func contains(_ id: RowID) -> Bool { members?.contains(id) == true }

  /// Makes the members count as current again.
  mutating func renew(_ stamp: UInt32) { self.stamp = stamp }

  /// Makes the current members the source's.
  mutating func dropChanges() {
    base = members?.ids
    events = LinkEvents()
    isChanged = false
  }

  /// Discards members that are no longer the source's, and keeps changes to apply them to the new ones.
  mutating func expire(unless stamp: UInt32) { if members != nil, self.stamp != stamp { forgetMembers() } }

  /// Discards the members, which are read again when needed; changes are applied on top then.
  mutating func forgetMembers() {
    guard let members, base != nil else { return }
    if isChanged { events = LinkEvents(netEvents(members)) }
    (base, self.members) = (nil, nil)
  }

  /// Removes rows deleted from the source; returns whether any of them was a member.
  mutating func forget(_ ids: Set<RowID>) -> Bool {
    events.forget(ids)
    guard let members, members.ids.contains(where: ids.contains) else { return false }
    base?.removeAll(where: ids.contains)
    self.members = RelationshipMembers(members.ids.filter { !ids.contains($0) })
    return true
  }

  mutating func replaceIDs(_ map: IDChanges) {
    members?.replaceIDs(map)
    if base?.contains(where: \.isTemporary) == true { base = base?.map { map[$0] ?? $0 } }
    events.replaceIDs(map)
  }
}

extension RelationshipState {
  /// Stops the program if the state contradicts itself; for tests.
  func checkInvariants() {
    precondition(members == nil || events.isEmpty, "What happened is not folded into members that are known.")
    precondition(base == nil || members != nil, "The source was asked, and the members are not known.")
    if !isChanged {
      precondition(events.isEmpty, "The relationship is unchanged, and something happened.")
      precondition(base == members?.ids, "The relationship is unchanged, and its members are not the source's.")
    }
    members?.checkInvariants()
  }
}

/// Changes.
extension RelationshipState {
  /// Adds a member at the end; an existing one stays where it is.
  mutating func add(_ id: RowID) { record(.added(id)) }

  mutating func remove(_ id: RowID) { record(.removed(id)) }

  /// Inserts a member that is not there yet. The members must be known.
  mutating func insert(_ id: RowID, at index: Int) {
    isChanged = true
    members?.insert(id, at: index)
  }

  /// Replaces the members, which must be known.
  mutating func replace(with ids: [RowID]) {
    isChanged = true
    members = RelationshipMembers(ids)
  }

  private mutating func record(_ event: LinkEvent) {
    isChanged = true
    if members == nil { events.append(event) } else { apply(event) }
  }

  private mutating func apply(_ event: LinkEvent) {
    switch event {
    case .added(let id):
      if members?.contains(id) == false { members?.append(id) }
    case .removed(let id):
      members?.remove(id, keepingOrder: isOrdered)
    case .arranged(let order):
      let present = Set(members?.ids ?? [])
      let placed = Set(order)
      members = RelationshipMembers(
        order.filter(present.contains) + (members?.ids.filter { !placed.contains($0) } ?? []))
    }
  }
}

/// The effect of the changes.
extension RelationshipState {
  /// The members removed and added, in the form of a `LinkChange`: in an ordered relationship, both lists contain the
  /// members after the first that moved.
  var difference: (removed: [RowID], added: [RowID]) {
    guard let base, let members else { return netOfEvents }
    let old = Set(base)
    let new = Set(members.ids)
    let lost = base.filter { !new.contains($0) }
    guard isOrdered else { return (lost, members.ids.filter { !old.contains($0) }) }
    let kept = base.filter(new.contains)
    let still = zip(kept, members.ids).prefix { $0 == $1 }.count
    return (lost + kept[still...], Array(members.ids[still...]))
  }

  /// The net effect of the first and the last event for each ID. The first tells whether the source has the ID: only
  /// IDs that it does not have are added, and only those it has are removed.
  private var netOfEvents: (removed: [RowID], added: [RowID]) {
    var ends: [RowID: (first: Bool, last: Bool)] = [:]
    var order: [RowID] = []
    for event in events {
      guard let (id, isAdded) = event.single else { continue }
      if let end = ends[id] {
        ends[id] = (end.first, isAdded)
      } else {
        order.append(id)
        ends[id] = (isAdded, isAdded)
      }
    }
    let removed = order.filter { ends[$0].map { !$0.first && !$0.last } ?? false }
    let added = order.filter { ends[$0].map { $0.first && $0.last } ?? false }
    guard isOrdered else { return (removed, added) }
    let moved = order.filter { ends[$0].map { !$0.first && $0.last } ?? false }
    return (removed + moved, added + moved)
  }

  /// Whether the members were reordered before the source's were read.
  var isArranged: Bool {
    members == nil
      && events.contains { event in
        if case .arranged = event { true } else { false }
      }
  }

  /// Whether the changes have no effect.
  var comesToNothing: Bool {
    guard isChanged else { return true }
    // Without known members, an order cannot be compared.
    guard base != nil || !isOrdered else { return false }
    let difference = difference
    return difference.removed.isEmpty && difference.added.isEmpty
  }

  /// Returns the members at an earlier time. The members must be known.
  func earlierIDs(_ earlier: RelationshipState?) -> [RowID] {
    if let members = earlier?.members { return members.ids }
    var state = earlier ?? RelationshipState(isOrdered: isOrdered)
    state.resolve(base: base ?? [], stamp: stamp)
    return state.members?.ids ?? []
  }

  /// Returns the members removed and added since an earlier time; nil without a difference.
  func difference(since earlier: RelationshipState?) -> (removed: [RowID], added: [RowID])? {
    guard isChanged else { return nil }
    guard let members else {
      var since = RelationshipState(isOrdered: false)
      since.events = LinkEvents(events.dropFirst(earlier?.events.count ?? 0))
      let net = since.netOfEvents
      return net.removed.isEmpty && net.added.isEmpty ? nil : net
    }
    let before = earlierIDs(earlier)
    if before == members.ids { return nil }
    let (old, new) = (Set(before), Set(members.ids))
    let change = (removed: before.filter { !new.contains($0) }, added: members.ids.filter { !old.contains($0) })
    return change.removed.isEmpty && change.added.isEmpty && !isOrdered ? nil : change
  }

  private func netEvents(_ members: RelationshipMembers) -> [LinkEvent] {
    let old = Set(base ?? [])
    let new = Set(members.ids)
    var events = old.subtracting(new).map(LinkEvent.removed)
    let added = members.ids.filter { !old.contains($0) }
    events += added.map(LinkEvent.added)
    // Members at the end keep the order that others gave the rest.
    if isOrdered, members.ids != (base ?? []).filter(new.contains) + added { events.append(.arranged(members.ids)) }
    return events
  }
}
