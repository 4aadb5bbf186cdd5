import StrataManagedModel
import StrataRowStore

/// Changes of the object by others, and whether that can be merged with its own changes without losing any.
extension NSMergeConflict {
  /// A change of the object by others since it was read.
  enum ChangeByOthers: Equatable {
    case deletion
    /// Only links to other objects: those change the versions of the rows at both ends.
    case relationships
    /// The names of the attributes.
    case attributes([String])
    /// A conflict that a program made does not have the stored row.
    case unknown
  }

  var changeByOthers: ChangeByOthers {
    guard newVersionNumber != 0 else { return .deletion }
    guard let stored, let base = sourceObject.committedRow else { return .unknown }
    let names = sourceObject.layout.attributes(of: base, otherThanIn: stored)
    return names.isEmpty ? .relationships : .attributes(names)
  }

  /// Whether both sides deleted the object, so that neither loses a change.
  var isDeletionByBoth: Bool { sourceObject.life == .deleted && changeByOthers == .deletion }

  /// Whether one of the sides changed only relationships, and no to-one relationship has two new values.
  var concernsOnlyRelationships: Bool {
    guard sourceObject.life == .changed, let stored, let base = sourceObject.committedRow else { return false }
    let (layout, own) = (sourceObject.layout, sourceObject.row)
    guard
      layout.attributes(of: base, otherThanIn: stored).isEmpty || layout.attributes(of: base, otherThanIn: own).isEmpty
    else { return false }
    return layout.slots.indices.allSatisfy { slot in
      guard layout.slots[slot].kind == .toOne, !layout.slots[slot].isTransient else { return true }
      return base.hasEqual(slot, in: stored) || base.hasEqual(slot, in: own) || stored.hasEqual(slot, in: own)
    }
  }
}

extension EntityLayout {
  /// Returns the names of the stored attributes that differ in two rows, without those that are derived.
  fileprivate func attributes(of row: Row, otherThanIn other: Row) -> [String] {
    var names: [String] = []
    for (slot, property) in slots.enumerated() where property.attribute?.isDerived == false && !property.isTransient {
      if !row.hasEqual(slot, in: other), names.last != property.ownerName { names.append(property.ownerName) }
    }
    return names
  }
}

extension Row {
  fileprivate func hasEqual(_ slot: Int, in other: Row) -> Bool {
    page.isEqual(row: index, slot: slot, to: other.page, row: other.index)
  }
}
