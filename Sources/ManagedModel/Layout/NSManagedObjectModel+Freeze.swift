import Foundation
import Synchronization

extension NSManagedObjectModel {
  private static let freezing = Mutex(())

  /// Numbers the entities, lays out their rows and makes the model immutable. A coordinator calls it; a second call
  /// does nothing. Contradictions in the model stop the program, as on Apple's systems.
  package func freeze() {
    Self.freezing.withLock { _ in
      guard !isFrozen else { return }
      completeFamilies()
      _ = BridgedTypes.way(.max - entities.count)
      if let contradiction { fatalError(contradiction) }
      resolveRelationships()
      var layouts: [EntityLayout] = []
      for root in sorted(entities.filter { $0.superentity == nil }) { layOut(root, parent: nil, into: &layouts) }
      linkInverses(of: layouts)
      let meetsComposites = layouts.contains { !$0.composites.isEmpty }
      for layout in layouts {
        layout.entity.layout = layout
        for case let composite as NSCompositeAttributeDescription in layout.entity.ownProperties { composite.freeze() }
        layout.isAmongComposites = meetsComposites
      }
      linkDerivations(of: layouts)
      if !layouts.isEmpty { frozenNames = entitiesByName }
      self.layouts = layouts
    }
  }

  /// Adds the ancestors and descendants of entities to the model, even if they were not named.
  private func completeFamilies() {
    var family = entities
    var known = Set(family.map(ObjectIdentifier.init))
    var next = 0
    while next < family.count {
      let entity = family[next]
      for relative in entity.subentities + (entity.superentity.map { [$0] } ?? []) where relative.model == nil {
        if known.insert(ObjectIdentifier(relative)).inserted { family.append(relative) }
      }
      next += 1
    }
    if family.count > entities.count { entities = family }
  }

  /// Sorts siblings by name without regard to case, as for `Z_ENT` in stores of Apple's framework.
  private func sorted(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
    entities.sorted { ($0.name ?? "").lowercased() < ($1.name ?? "").lowercased() }
  }

  private func layOut(_ entity: NSEntityDescription, parent: EntityLayout?, into layouts: inout [EntityLayout]) {
    let layout = EntityLayout(
      entity: entity, number: layouts.count + 1, parent: parent,
      toManyCount: layouts.reduce(0) { $0 + $1.ownToManyCount })
    layouts.append(layout)
    for child in sorted(entity.subentities) { layOut(child, parent: layout, into: &layouts) }
  }

  private func linkInverses(of layouts: [EntityLayout]) {
    let byEntity = Dictionary(uniqueKeysWithValues: layouts.map { (ObjectIdentifier($0.entity), $0) })
    for layout in layouts {
      for slot in layout.slots.indices {
        layout.slotList[slot].inverse = InverseLocation(of: layout.slots[slot].relationship, in: byEntity)
      }
      for number in layout.toMany.indices {
        layout.toManyList[number].inverse = InverseLocation(of: layout.toMany[number].relationship, in: byEntity)
      }
    }
  }
}
