import StrataManagedModel
import StrataRowStore

/// What the permanent ids that a save brings are put in the place of.
extension NSManagedObjectContext {
  /// Gives objects other ids, and puts them in the place of the old ones in every unsaved row.
  /// - Parameters:
  ///   - ids: the new ids, in the order of the objects.
  ///   - known: changes of ids beyond those of the objects.
  func renumber(_ objects: [NSManagedObject], as ids: [RowID], _ known: IDChanges = IDChanges()) {
    var map = known
    if !children.isEmpty || model.hasRelationships {
      if known.isEmpty { map = IDChanges(capacity: objects.count) }
      for (object, id) in zip(objects, ids) where object.rowID != id { map.set(object.rowID, to: id) }
    }
    registry.rename(objects, as: ids)
    objects.forEachHeld { object in
      if object.edits?.ownsRow == true { object.page?.setID(object.rowID, Int(object.rowIndex)) }
    }
    guard !map.isEmpty else { return }
    recent.sets.removeAll()
    listed.forEachHeld { if $0.layout.hasRelationships { $0.replaceIDs(map) } }
    guard !children.isEmpty else { return }
    children.removeAll { $0.context == nil }
    if children.isEmpty { retiredIDs.forget() } else if known.isEmpty { retiredIDs.add(map) }
  }
}

extension NSManagedObject {
  /// Puts permanent ids in the place of temporary ones, in the object's own row and in its relationships.
  func replaceIDs(_ map: IDChanges) {
    guard let edits else { return }
    if edits.ownsRow, let page {
      for slot in layout.toOneSlots {
        let id = page.reference(Int(rowIndex), slot)
        guard id.isTemporary, let new = map[id] else { continue }
        page.setReference(new, Int(rowIndex), slot)
      }
    }
    if edits.links.areUntouched { return }
    for number in edits.links.indices { edits.links[number]?.replaceIDs(map) }
  }
}

extension EntityLayout {
  /// Whether rows of the entity name other rows.
  var hasRelationships: Bool { !toMany.isEmpty || !toOneSlots.isEmpty }
}

extension NSManagedObjectModel {
  fileprivate var hasRelationships: Bool { layouts.contains(where: \.hasRelationships) }
}
