import StrataManagedModel
import StrataRowStore

/// Replaces temporary IDs with the permanent ones that a save assigns.
extension NSManagedObjectContext {
  /// Gives objects new IDs, and replaces the old ones in every unsaved row.
  /// - Parameters:
  ///   - ids: the new IDs, in the order of the objects.
  ///   - known: ID changes beyond those of the objects.
  func renumber(_ objects: [NSManagedObject], as ids: [RowID], known: IDChanges = IDChanges()) {
    var map = known
    if !family.children.isEmpty || model.hasRelationships {
      if known.isEmpty { map = IDChanges(capacity: objects.count) }
      for (object, id) in zip(objects, ids) where object.rowID != id { map.set(object.rowID, to: id) }
    }
    registry.rename(objects, as: ids)
    objects.forEachHeld { object in
      if object.ownsRow { object.page?.setID(object.rowID, row: object.rowIndex) }
    }
    guard !map.isEmpty else { return }
    relationships.takeSets()
    tracker.tracked.forEachHeld { if $0.layout.hasRelationships { $0.replaceIDs(map) } }
    family.noteReplaced(map, alreadyAdded: !known.isEmpty)
  }
}

extension NSManagedObject {
  /// Replaces temporary IDs with permanent ones in the object's own row and its relationships.
  func replaceIDs(_ map: IDChanges) {
    if ownsRow, let page {
      for slot in layout.toOneSlots {
        let id = page.reference(row: rowIndex, slot: slot)
        guard id.isTemporary, let new = map[id] else { continue }
        page.setReference(new, row: rowIndex, slot: slot)
      }
    }
    guard let heldEdits, !heldEdits._withUnsafeGuaranteedRef({ $0.links.areUntouched }), let edits else { return }
    for number in edits.links.indices { edits.links[number]?.replaceIDs(map) }
  }
}

extension EntityLayout {
  /// Whether rows of the entity refer to other rows.
  var hasRelationships: Bool { !toMany.isEmpty || !toOneSlots.isEmpty }
}

extension NSManagedObjectModel {
  fileprivate var hasRelationships: Bool { layouts.contains(where: \.hasRelationships) }
}
