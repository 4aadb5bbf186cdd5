import StrataRowStore

/// The IDs of a to-many relationship's members in order, with a hint of each one's index.
///
/// A relationship may have a hundred thousand members: membership is looked up, not searched. Short lists are searched,
/// which is cheaper.
struct RelationshipMembers {
  private(set) var ids: [RowID]
  /// The index of each member when it was added: members before it may have come and gone since. nil until first
  /// needed.
  private var hints: [RowID: Int]?

  private static let maximumSearched = 16

  init(_ ids: [RowID]) { self.ids = ids }

  mutating func contains(_ id: RowID) -> Bool {
    if ids.count <= Self.maximumSearched { return ids.contains(id) }
    if let hints { return hints[id] != nil }
    let made = Dictionary(zip(ids, ids.indices), uniquingKeysWith: { first, _ in first })
    hints = made
    return made[id] != nil
  }

  /// Appends an ID that is not a member yet.
  mutating func append(_ id: RowID) {
    hints?[id] = ids.count
    ids.append(id)
  }

  /// Inserts an ID that is not a member yet.
  mutating func insert(_ id: RowID, at index: Int) {
    hints?[id] = index
    ids.insert(id, at: index)
  }

  /// Removes an ID if it is a member. Without an order, the last member fills the gap, so that none has to move.
  mutating func remove(_ id: RowID, keepingOrder: Bool) {
    guard contains(id), let index = index(of: id) else { return }
    hints?[id] = nil
    if keepingOrder {
      ids.remove(at: index)
    } else {
      let last = ids.removeLast()
      guard index < ids.count else { return }
      ids[index] = last
      hints?[last] = index
    }
  }

  private func index(of id: RowID) -> Int? {
    if let hint = hints?[id], hint < ids.count, ids[hint] == id { return hint }
    return ids.firstIndex(of: id)
  }

  /// Stops the program if a member is duplicated, or missing in the hints; for tests.
  func checkInvariants() {
    let unique = Set(ids)
    precondition(unique.count == ids.count, "A member is there twice: \(ids).")
    if let hints { precondition(Set(hints.keys) == unique, "Who is looked up is not who is a member.") }
  }

  mutating func replaceIDs(_ map: IDChanges) {
    guard ids.contains(where: \.isTemporary) else { return }
    self = RelationshipMembers(ids.map { map[$0] ?? $0 })
  }
}
