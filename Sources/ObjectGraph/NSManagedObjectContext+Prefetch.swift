import ManagedModel
import Predicates
import RowStore

/// Reading what relationships lead to along with the objects that a fetch found.
extension NSManagedObjectContext {
  /// Reads the other ends of relationships ahead, one question a step: two where the members are told by other tables
  /// than their own.
  /// - Parameter paths: key paths of relationships, from an entity's objects.
  func prefetch(_ paths: [String], from objects: [NSManagedObject], of layout: EntityLayout) throws {
    let steps = paths.map { prefetchSteps($0, layout) }
    guard !objects.isEmpty else { return }
    let ahead = RowsReadAhead()
    let ids = objects.map(\.rowID)
    for path in steps {
      var owners = ids
      for name in path { owners = try storeErrors { try readAhead(name, of: owners, into: ahead) } }
    }
    for object in objects { object.readAhead = ahead }
    readAheads.removeAll { $0.rows == nil }
    readAheads.append(WeakRowsReadAhead(rows: ahead))
  }

  /// What somebody saved is not as it was read ahead.
  func forgetReadAhead(_ changes: SavedChanges) {
    guard !readAheads.isEmpty else { return }
    readAheads.removeAll { $0.rows == nil }
    for rows in readAheads.compactMap(\.rows) {
      for id in changes.updated { rows.forget(id) }
      for id in changes.deleted { rows.forget(id) }
    }
  }

  private func prefetchSteps(_ path: String, _ layout: EntityLayout) -> [String] {
    var entity: NSEntityDescription? = layout.entity
    return path.split(separator: ".").map { name in
      guard let relationship = entity?.propertiesByName[String(name)] as? NSRelationshipDescription else {
        fatalError("Invalid relationship (\"\(name)\") passed to setRelationshipKeyPathsForPrefetching: \"\(path)\"")
      }
      entity = relationship.destinationEntity
      return String(name)
    }
  }

  /// One step from rows to what they lead to, each once.
  private func readAhead(_ name: String, of owners: [RowID], into ahead: RowsReadAhead) throws -> [RowID] {
    guard let first = owners.first else { return [] }
    let layout = model.layout(number: first.entity)
    if let slot = layout.slot(named: name) { return try readAhead(slot: slot, of: owners, into: ahead) }
    guard let number = layout.toMany(named: name) else { return [] }
    let unread = owners.filter { !knowsLinks(of: $0, number) && ahead.members(of: $0, number) == nil }
    // Objects that are there already find here what they lead to.
    for owner in unread { registry.object(owner)?.readAhead = ahead }
    let property = layout.toMany[number]
    if case .slot(let inverse) = property.inverse, !property.relationship.isOrdered {
      try readMembers(of: unread, number, by: inverse, property, into: ahead)
    } else if !unread.isEmpty {
      ahead.add(try requireSource().related(to: unread, relationship: number), to: unread, number)
    }
    let members = owners.flatMap { owner in
      registry.object(owner)?.edits?.links[number]?.members?.ids ?? ahead.members(of: owner, number) ?? []
    }
    return try readRows(of: members, into: ahead)
  }

  private func knowsLinks(of owner: RowID, _ number: Int) -> Bool {
    guard let object = registry.object(owner) else { return false }
    return object.marks.contains(.neverSaved) || object.edits?.links[number]?.members != nil
  }

  private func readAhead(slot: Int, of owners: [RowID], into ahead: RowsReadAhead) throws -> [RowID] {
    let targets = owners.compactMap { owner -> RowID? in
      if let object = registry.object(owner), let page = object.page {
        return page.reference(Int(object.rowIndex), slot)
      }
      return ahead.row(owner).map { $0.page.reference($0.index, slot) }
    }
    return try readRows(of: targets, into: ahead)
  }

  /// The members of one-to-many relationships name their owners themselves: one question for members and links.
  private func readMembers(
    of owners: [RowID], _ number: Int, by inverse: Int, _ property: ToManyProperty, into ahead: RowsReadAhead
  ) throws {
    guard let destination = property.relationship.destinationEntity?.layout,
      let name = property.relationship.inverseRelationship?.name
    else { return }
    var rest = owners[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(Self.mostOwners))
      rest = rest.dropFirst(Self.mostOwners)
      let values = part.map { PredicateValue.row($0.bits) }
      let isOfOne = ComparisonNode(.keyPath([name]), .in, .value(.list(values)))
      let plan = FetchPlan(layout: destination, filter: .comparison(isOfOne))
      var members: [RowID: [RowID]] = [:]
      try requireSource().rows(for: plan).forEach { page, index in
        members[page.reference(index, inverse), default: []].append(page.id(index))
        take(Row(page: page, index: index), into: ahead)
      }
      ahead.add(members, to: part, number)
    }
  }

  /// What one statement asks for: a larger one is not prepared again for other numbers of owners.
  private static let mostOwners = 512

  /// Reads the rows that neither an object nor an earlier step has, and answers the ids, each once.
  private func readRows(of targets: [RowID], into ahead: RowsReadAhead) throws -> [RowID] {
    var seen = RowNumbers()
    var ids: [RowID] = []
    for id in targets where id != .none && seen[id] == nil {
      seen[id] = 0
      ids.append(id)
    }
    let unread = ids.filter { id in
      guard ahead.row(id) == nil else { return false }
      guard let object = registry.object(id) else { return true }
      return object.life == .fault && object.page == nil
    }
    guard !unread.isEmpty else { return ids }
    try requireSource().rows(with: unread).forEach { take(Row(page: $0, index: $1), into: ahead) }
    return ids
  }

  /// Gives a row to the fault that waits for it, and keeps it for an object that is not there yet.
  private func take(_ row: Row, into ahead: RowsReadAhead) {
    ahead.add(row)
    guard let object = registry.object(row.id) else { return }
    if object.life == .fault, object.page == nil { object.adopt(row.page, row.index) }
    object.readAhead = ahead
  }
}
