import StrataManagedModel

/// The rows through which a commit may have changed derived attributes of rows that it did not write.
package struct DerivationInputs: Sendable {
  /// Saved rows with attributes that are derived from members of a relationship which the commit changed.
  package private(set) var owners: [RowID] = []
  /// Rows with changed values that rows derive which refer to them.
  package private(set) var targets: [RowID] = []

  package init() {}

  package static func + (left: DerivationInputs, right: DerivationInputs) -> DerivationInputs {
    var sum = left
    sum.owners += right.owners
    sum.targets += right.targets
    return sum
  }
}

extension ChangeBatch {
  /// Notes a row that the batch changes or deletes, if derived attributes of other rows read it.
  /// - Parameters:
  ///   - row: the row's new values, or the last ones of a deleted row.
  ///   - slots: a bit set of the changed slots; nil for all.
  ///   - previous: the row before the change.
  package mutating func noteDerivationInputs(of row: Row, slots: [UInt64]? = nil, previous: Row? = nil) {
    func changes(_ slot: Int?) -> Bool {
      guard let slots, let slot else { return slots == nil }
      return slots[slot >> 6] >> UInt64(slot & 63) & 1 != 0
    }
    for derivation in row.layout.remoteDerivations {
      switch derivation.way {
      case .toOne: if changes(derivation.source) { derivationInputs?.add(target: row.id) }
      case .members(let inverse):
        guard changes(derivation.source) || changes(inverse) else { continue }
        derivationInputs?.add(ownerOf: row, slot: inverse)
        if let previous { derivationInputs?.add(ownerOf: previous, slot: inverse) }
      case .unlinkedMembers:
        // The owners of a member are in no row.
        if derivation.source != nil, changes(derivation.source) { derivationInputs = nil }
      }
    }
  }
}

extension DerivationInputs {
  fileprivate mutating func add(target: RowID) { if targets.last != target { targets.append(target) } }

  /// A new owner is read after the commit in any case.
  fileprivate mutating func add(ownerOf row: Row, slot: Int) {
    let owner = row.page.reference(row: row.index, slot: slot)
    if owner != .none, !owner.isTemporary, owners.last != owner { owners.append(owner) }
  }
}
