import Foundation
import Synchronization

extension NSManagedObjectModel {
  private static let freezing = Mutex(())

  /// Numbers the entities, lays out their rows and makes the model immutable. A coordinator calls it; a second call
  /// only returns the layout. Contradictions in the model stop the program, as on Apple's systems.
  @discardableResult
  package func freeze() -> ModelLayout {
    Self.freezing.withLock { _ in
      if let heldLayout { return heldLayout }
      completeFamilies()
      // The optimizer cannot know the number, so it keeps all of them.
      _ = BridgedTypes.bridge(number: .max - entities.count)
      if let contradiction { fatalError(contradiction) }
      resolveRelationships()
      var laidOut: [NSEntityDescription] = []
      var layouts: [EntityLayout] = []
      for root in sorted(entities.filter { $0.superentity == nil }) { layOut(root, parent: nil, &laidOut, &layouts) }
      link(layouts, of: laidOut)
      let layout = ModelLayout(
        layouts, configurations: numbersByConfiguration(laidOut),
        versionIdentifiers: versionIdentifiers.compactMap { $0.base as? String }.sorted(),
        hasRemoteDerivations: ModelLayout.linkDerivations(of: layouts))
      // A model without entities stays mutable.
      guard !layouts.isEmpty else { return layout }
      for (entity, layout) in zip(laidOut, layouts) {
        entity.layout = layout
        for case let composite as NSCompositeAttributeDescription in entity.ownProperties { composite.freeze() }
      }
      (frozenNames, frozenEntities) = (entitiesByName, laidOut)
      (heldLayout, self.layouts) = (layout, layouts)
      return layout
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

  /// Lays out an entity and its descendants, in the order of their numbers.
  private func layOut(
    _ entity: NSEntityDescription, parent: EntityLayout?, _ entities: inout [NSEntityDescription],
    _ layouts: inout [EntityLayout]
  ) {
    let layout = EntityLayout(
      entity: entity, number: layouts.count + 1, parent: parent,
      toManyCount: layouts.reduce(0) { $0 + $1.ownToManyCount })
    for ancestor in layout.lineage.dropFirst() { ancestor.subtreeList.append(layout.number) }
    entities.append(entity)
    layouts.append(layout)
    for child in sorted(entity.subentities) { layOut(child, parent: layout, &entities, &layouts) }
  }

  /// Connects the ends of the relationships.
  private func link(_ layouts: [EntityLayout], of entities: [NSEntityDescription]) {
    let byEntity = Dictionary(uniqueKeysWithValues: zip(entities.map(ObjectIdentifier.init), layouts))
    for (entity, layout) in zip(entities, layouts) {
      for case let relationship as NSRelationshipDescription in entity.ownProperties {
        let destination = relationship.destinationEntity.flatMap { byEntity[ObjectIdentifier($0)] }
        guard let destination else { continue }
        let inverse = relationship.inverseRelationship.flatMap { inverse in
          byEntity[ObjectIdentifier(inverse.entity)]?.relationship(named: inverse.name)
        }
        layout.relationship(named: relationship.name)?.link(to: destination, inverse: inverse)
      }
    }
    let modelHasComposites = layouts.contains { !$0.composites.isEmpty }
    for layout in layouts {
      layout.compositesExist = modelHasComposites
      for slot in layout.slots.indices {
        layout.slotList[slot].inverse = InverseLocation(of: layout.slots[slot].relationship, in: layouts)
      }
      for number in layout.toMany.indices {
        layout.toManyList[number].inverse = InverseLocation(of: layout.toMany[number].relationship, in: layouts)
      }
    }
  }

  /// The numbers of the entities of each configuration.
  private func numbersByConfiguration(_ laidOut: [NSEntityDescription]) -> [String: [Int]] {
    let held = configurations.map { name in
      let members = Set((entities(forConfigurationName: name) ?? []).map(ObjectIdentifier.init))
      return (name, laidOut.indices.filter { members.contains(ObjectIdentifier(laidOut[$0])) }.map { $0 + 1 })
    }
    return Dictionary(uniqueKeysWithValues: held)
  }
}
