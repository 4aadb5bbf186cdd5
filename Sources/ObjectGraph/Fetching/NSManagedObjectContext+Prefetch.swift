import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataRuntime

/// Prefetching of the relationships of fetched objects.
extension NSManagedObjectContext {
  /// Reads the other ends of relationships ahead: one query per to-one step, two per to-many step.
  /// - Parameter paths: key paths of relationships, starting at the objects' entity.
  func prefetch(_ paths: [String], from objects: [NSManagedObject], of layout: EntityLayout) throws {
    let steps = try paths.map { try prefetchSteps($0, of: layout) }
    guard !objects.isEmpty else { return }
    let ahead = PrefetchCache()
    let ids = objects.map(\.rowID)
    objects.forEachHeld { $0.keepLinksRead() }
    for path in steps {
      var owners = (ids: ids, objects: objects as [NSManagedObject]?)
      for name in path {
        owners = (
          try storeErrors { try prefetchLinks(name, of: owners.ids, objects: owners.objects, into: ahead) }, nil
        )
      }
    }
    // Retains the cache once for all objects.
    strata_retain(Unmanaged.passUnretained(ahead).toOpaque(), UInt32(objects.count))
    objects.forEachHeld { $0.use(Unmanaged.passUnretained(ahead)) }
    relationships.add(prefetchCache: ahead)
  }

  /// Removes saved rows from the prefetched ones.
  func forgetPrefetchedRows(_ changes: ObjectIDChanges) {
    for rows in relationships.livingPrefetchCaches() {
      // A new row may have been read between its commit and a later one, when both arrive together.
      for id in changes.inserted { rows.forgetRow(id) }
      for id in changes.updated { rows.forgetRow(id) }
      for id in changes.deleted { rows.forgetRow(id) }
    }
  }

  /// Removes what was prefetched for objects that the program refreshes.
  func forgetPrefetched(of objects: [NSManagedObject]) {
    for rows in relationships.livingPrefetchCaches() { objects.forEachHeld { rows.forget($0.rowID) } }
  }

  private func prefetchSteps(_ path: String, of layout: EntityLayout) throws -> [String] {
    var entity: NSEntityDescription? = model.entity(of: layout)
    return try path.split(separator: ".").map { name in
      guard let relationship = entity?.propertiesByName[String(name)] as? NSRelationshipDescription else {
        throw CocoaError.coreData(
          .unsupported,
          "Invalid relationship (\"\(name)\") passed to setRelationshipKeyPathsForPrefetching: \"\(path)\".")
      }
      entity = relationship.destinationEntity
      return String(name)
    }
  }

  /// Follows a relationship from rows to their targets, each once.
  /// - Parameter objects: the owners' objects, if available.
  private func prefetchLinks(
    _ name: String, of owners: [RowID], objects: [NSManagedObject]?, into ahead: PrefetchCache
  ) throws -> [RowID] {
    guard let first = owners.first else { return [] }
    let layout = model.layout(number: first.entity)
    if let slot = layout.slot(named: name) { return try prefetchLinks(slot: slot, of: owners, objects, into: ahead) }
    guard let number = layout.toMany(named: name) else { return [] }
    var known: [RowID] = []
    var unread: [RowID] = []
    unread.reserveCapacity(owners.count)
    let relationship = registry.stamped(layout.toMany[number])
    let isFirstTime = !ahead.hasMembers(relationship)
    /// Whether an owner's members must be read.
    func isUnread(_ owner: RowID, object: NSManagedObject?) -> Bool {
      if let members = object?.knownLinks(number) {
        known += members
      } else if !isFirstTime, let members = ahead.members(of: owner, relationship) {
        known += members
      } else {
        return true
      }
      return false
    }
    if let objects {
      objects.forEachHeld { if isUnread($0.rowID, object: $0) { unread.append($0.rowID) } }
    } else {
      for owner in owners {
        let object = registry.object(owner)
        object?.keepLinksRead()
        guard isUnread(owner, object: object) else { continue }
        // Objects that exist already find their targets here.
        object?.prefetchCache = ahead
        unread.append(owner)
      }
    }
    if !unread.isEmpty {
      let lists = try requireSource().related(to: unread, relationship: number)
      ahead.add(lists, of: relationship)
      known += lists.members
    }
    return try readRows(of: known, into: ahead)
  }

  private func prefetchLinks(
    slot: Int, of owners: [RowID], _ objects: [NSManagedObject]?, into ahead: PrefetchCache
  ) throws -> [RowID] {
    var targets: [RowID] = []
    targets.reserveCapacity(owners.count)
    for (index, owner) in owners.enumerated() {
      if let object = objects?[index] ?? registry.object(owner), let page = object.page {
        targets.append(page.reference(row: object.rowIndex, slot: slot))
      } else if let row = ahead.row(owner) {
        targets.append(row.page.reference(row: row.index, slot: slot))
      }
    }
    return try readRows(of: targets, into: ahead)
  }

  /// Reads the rows that neither an object nor an earlier step has, and returns the IDs, each once.
  private func readRows(of targets: [RowID], into ahead: PrefetchCache) throws -> [RowID] {
    var seen = RowNumbers()
    var ids: [RowID] = []
    for id in targets where id != .none && seen[id] == nil {
      seen[id] = 0
      ids.append(id)
    }
    var faults: [NSManagedObject] = []
    let unread = ids.filter { id in
      guard ahead.row(id) == nil else { return false }
      guard let object = registry.object(id) else { return true }
      guard object.life == .fault, object.page == nil else { return false }
      faults.append(object)
      return true
    }
    guard !unread.isEmpty else { return ids }
    ahead.add(try requireSource().rows(with: unread))
    for object in faults {
      object.prefetchCache = ahead
      if let row = ahead.row(object.rowID) { object.use(row.page, row: row.index) }
    }
    return ids
  }
}

extension NSManagedObject {
  /// Keeps relationships that were read before when others are prefetched.
  fileprivate func keepLinksRead() {
    if heldPrefetchCache?._withUnsafeGuaranteedRef({ $0 is RelationshipReads }) == true { keepPrefetchedLinks() }
  }

  /// Returns the members of a to-many relationship that the object has itself.
  fileprivate func knownLinks(_ number: Int) -> [RowID]? {
    if hasCurrentLinks(number) { return edits?.links[number]?.members?.ids }
    return flags.contains(.neverSaved) ? [] : nil
  }
}
