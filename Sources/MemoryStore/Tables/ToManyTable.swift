import StrataManagedModel
import StrataRowStore

/// The members of every to-many relationship of every row.
struct ToManyTable {
  struct Key: Hashable {
    var owner: RowID
    var relationship: Int
  }

  private struct Membership: Hashable {
    var member: RowID
    /// The number in the model of a relationship without inverse.
    var relation: Int
  }

  /// In relationship order if it is ordered, else by key.
  private var members: [Key: [RowID]] = [:]
  /// The owner of each row in a relationship without inverse.
  private var owners: [Membership: Key] = [:]

  func members(of key: Key) -> [RowID] { members[key] ?? [] }

  /// Adds a member that is not present yet.
  mutating func add(_ member: RowID, to key: Key, isOrdered: Bool) {
    let end = members[key]?.count ?? 0
    var index = end
    if !isOrdered, let last = members[key]?.last, last.key > member.key {
      index = members[key]?.firstIndex { $0.key > member.key } ?? end
    }
    members[key, default: []].insert(member, at: index)
  }

  mutating func remove(_ gone: Set<RowID>, from key: Key) {
    members[key]?.removeAll { gone.contains($0) }
    if members[key]?.isEmpty == true { members[key] = nil }
  }

  mutating func remove(_ member: RowID, from key: Key) {
    guard let index = members[key]?.firstIndex(of: member) else { return }
    members[key]?.remove(at: index)
    if members[key]?.isEmpty == true { members[key] = nil }
  }

  /// Moves those that are members to the end, in the given order.
  private mutating func moveToEnd(_ moved: [RowID], of key: Key) {
    let present = Set(members(of: key))
    let moving = Set(moved)
    members[key] = members(of: key).filter { !moving.contains($0) } + moved.filter(present.contains)
  }
}

/// Applies a batch's link changes.
extension ToManyTable {
  mutating func apply(_ change: LinkChange, kind: RelationshipMap.ToMany) {
    let key = Key(owner: change.owner, relationship: change.relationship)
    if case .oneToMany(let isOrdered) = kind {
      if isOrdered { moveToEnd(change.added, of: key) }
      return
    }
    let present = Set(members(of: key))
    // A member that is in both lists is moved, not unlinked.
    let removed = Set(change.removed).subtracting(change.added)
    for member in change.removed where removed.contains(member) && present.contains(member) {
      unlink(member, from: key, kind: kind)
    }
    remove(removed, from: key)
    let kept = present.subtracting(removed)
    for member in change.added where !kept.contains(member) { link(member, to: key, kind: kind) }
    if kind.isOrdered { moveToEnd(change.added, of: key) }
  }

  private mutating func link(_ member: RowID, to key: Key, kind: RelationshipMap.ToMany) {
    switch kind {
    case .oneToMany: return
    case .manyToMany(let inverse, let isOrdered, let isInverseOrdered):
      add(member, to: key, isOrdered: isOrdered)
      let back = Key(owner: member, relationship: inverse)
      if back != key { add(key.owner, to: back, isOrdered: isInverseOrdered) }
    case .ownerless(let relation, let isOrdered):
      if let owner = owners.updateValue(key, forKey: Membership(member: member, relation: relation)) {
        remove(member, from: owner)
      }
      add(member, to: key, isOrdered: isOrdered)
    }
  }

  /// Removes the owner from the member's side.
  private mutating func unlink(_ member: RowID, from key: Key, kind: RelationshipMap.ToMany) {
    switch kind {
    case .oneToMany: return
    case .manyToMany(let inverse, _, _):
      let back = Key(owner: member, relationship: inverse)
      if back != key { remove(key.owner, from: back) }
    case .ownerless(let relation, _): owners[Membership(member: member, relation: relation)] = nil
    }
  }

  /// Removes a deleted row from all to-many relationships.
  mutating func forget(_ id: RowID, of entity: RelationshipMap.Entity) {
    for (number, kind) in entity.toMany.enumerated() {
      let key = Key(owner: id, relationship: number)
      for member in members(of: key) { unlink(member, from: key, kind: kind) }
      members[key] = nil
    }
    for relation in entity.owners {
      if let owner = owners.removeValue(forKey: Membership(member: id, relation: relation)) { remove(id, from: owner) }
    }
  }
}
