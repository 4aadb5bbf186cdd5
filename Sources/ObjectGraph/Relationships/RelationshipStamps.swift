import Foundation
import StrataManagedModel
import StrataRowStore

/// Version counters of the lists of members, one for each to-many relationship of the model.
///
/// A list of members is valid only while it carries the current stamp of its relationship. Whatever changes lists in the
/// source, as the context sees it, advances the stamp: a save, a merge, and a reset. Changes that are not saved yet are
/// applied on top of a list, so they leave its stamp alone. What a refresh discards is discarded object by object.
struct RelationshipStamps {
  private var stamps: [UInt32] = []

  subscript(index: Int) -> UInt32 {
    @inline(__always) get { index < stamps.count ? stamps[index] : 0 }
  }

  mutating func advance(_ relationships: Set<Int>) {
    guard let last = relationships.max() else { return }
    if last >= stamps.count { stamps += Array(repeating: 0, count: last + 1 - stamps.count) }
    for index in relationships { stamps[index] &+= 1 }
  }
}

/// A to-many relationship of the model, and the stamp that lists of its members must carry.
struct StampedRelationship {
  /// The position of the relationship in the model.
  let index: Int
  let stamp: UInt32
}

extension ObjectRegistry {
  /// Returns a to-many relationship with its current stamp.
  @inline(__always)
  func stamped(_ relationship: ToManyProperty) -> StampedRelationship {
    StampedRelationship(index: relationship.index, stamp: stamps[relationship.index])
  }
}

extension NSManagedObject {
  /// Returns a to-many relationship with its current stamp.
  @inline(__always)
  func stamped(_ number: Int) -> StampedRelationship { registry.stamped(layout.toMany[number]) }

  /// Whether a commit can change the members of a relationship. False for a transient relationship, an unsaved object, and
  /// a deleted object while observers are notified.
  func canExpire(_ number: Int) -> Bool {
    life != .detached && flags.isDisjoint(with: [.gone, .neverSaved]) && !layout.transientToMany.contains(number)
  }

  /// Whether the members of a to-many relationship are known, and still the source's apart from changes made here.
  @inline(__always)
  func hasCurrentLinks(_ number: Int) -> Bool {
    guard let state = edits?.links[number], state.members != nil else { return false }
    return state.stamp == stamped(number).stamp || renewLinks(number)
  }

  /// Makes the known members of a relationship count as current if no commit can change them; returns whether they do.
  @inline(never)
  private func renewLinks(_ number: Int) -> Bool {
    guard !canExpire(number) else { return false }
    edits?.links[number]?.renew(stamped(number).stamp)
    return true
  }

  /// Discards members that are no longer the source's; changes are kept.
  func expireOutdatedLinks() {
    guard let edits, !edits.links.areUntouched else { return }
    for number in edits.links.indices where edits.links[number]?.members != nil && canExpire(number) {
      edits.links[number]?.expire(unless: stamped(number).stamp)
    }
  }

  /// Returns the members of a to-many relationship that were prefetched, if they are still the source's.
  @inline(__always)
  func prefetchedLinks(_ number: Int) -> ArraySlice<RowID>? {
    guard let heldPrefetchCache else { return nil }
    let relationship = stamped(number)
    if let known = heldPrefetchCache._withUnsafeGuaranteedRef({ $0.members(of: rowID, relationship) }) { return known }
    return canExpire(number) ? nil : prefetchCache?.outdatedMembers(of: rowID, relationship.index)
  }
}

extension NSManagedObjectContext {
  /// Expires the lists of members that a save changed.
  func expireLists(changedBy batch: ChangeBatch) {
    guard model.hasToMany else { return }
    var changed = ChangedRelationships()
    var last: EntityLayout?
    for row in batch.inserted where row.layout !== last {
      last = row.layout
      changed.add(relationshipsLeading(to: row.layout.number))
    }
    for deletion in batch.deleted where deletion.id.entity != last?.number {
      last = model.layout(number: deletion.id.entity)
      changed.add(relationshipsLeading(to: deletion.id.entity))
    }
    for update in batch.updated { changed.add(update) }
    registry.stamps.advance(changed.indexes)
  }

  /// Expires the lists of members that a commit may have changed. Only the IDs of its rows are known.
  ///
  /// - Returns: the positions of their relationships.
  @discardableResult
  func expireLists(changedBy changes: ObjectIDChanges) -> Set<Int> {
    guard model.hasToMany, !changes.isEmpty else { return [] }
    var changed = ChangedRelationships()
    let updated = Set(changes.updated.map(\.entity))
    for number in updated { changed.add(model.layout(number: number).toMany.map(\.index)) }
    for number in updated.union(changes.inserted.map(\.entity)).union(changes.deleted.map(\.entity)) {
      changed.add(relationshipsLeading(to: number))
    }
    registry.stamps.advance(changed.indexes)
    return changed.indexes
  }

  /// Expires all lists of members.
  func expireAllLists() {
    guard let layouts = registry.model?.layouts else { return }
    registry.stamps.advance(Set(layouts.flatMap { $0.toMany.map(\.index) }))
  }

  /// Returns the positions of the to-many relationships that can lead to rows of an entity.
  private func relationshipsLeading(to number: Int) -> [Int] {
    if let known = sourceState.leadingRelationships[number] { return known }
    let positions = SharedModelCaches.of(model).relationshipsLeading(to: number, in: model)
    sourceState.leadingRelationships[number] = positions
    return positions
  }
}

/// The positions of the to-many relationships whose lists a save changed.
private struct ChangedRelationships {
  private(set) var indexes: Set<Int> = []
  /// The last update: most updates of a save write the same properties.
  private var last: RowUpdate?

  mutating func add(_ relationships: [Int]) { indexes.formUnion(relationships) }

  mutating func add(_ update: RowUpdate) {
    let layout = update.row.layout
    if let last, last.row.layout === layout, last.slots == update.slots, last.toMany == update.toMany { return }
    last = update
    for number in update.toMany {
      let property = layout.toMany[number]
      indexes.insert(property.index)
      addInverse(property.inverse, of: property.relationship)
    }
    for slot in layout.toOneSlots where update.writes(slot) {
      addInverse(layout.slots[slot].inverse, of: layout.slots[slot].relationship)
    }
  }

  private mutating func addInverse(_ inverse: InverseLocation, of relationship: RelationshipLayout?) {
    guard case .toMany(let number) = inverse, let destination = relationship?.destination else { return }
    indexes.insert(destination.toMany[number].index)
  }
}

extension NSManagedObjectModel {
  fileprivate var hasToMany: Bool { layouts.contains { !$0.toMany.isEmpty } }
}
