import Foundation
import Synchronization

extension NSManagedObjectModel {
  private static let freezing = Mutex(())

  /// Numbers the entities, lays out their rows and refuses every later change. A coordinator calls it; doing it twice
  /// does nothing. Contradictions in the model stop the program, as they do on Apple's systems.
  package func freeze() {
    Self.freezing.withLock { _ in
      guard !isFrozen else { return }
      _ = BridgedTypes.way(.max - entities.count)
      check()
      var layouts: [EntityLayout] = []
      for root in sorted(entities.filter { $0.superentity == nil }) { layOut(root, parent: nil, into: &layouts) }
      precondition(layouts.count <= 4_095, "A model may have 4,095 entities; this one has \(layouts.count).")
      linkInverses(of: layouts)
      let meetsComposites = layouts.contains { !$0.composites.isEmpty }
      for layout in layouts {
        layout.entity.layout = layout
        layout.isAmongComposites = meetsComposites
      }
      if !layouts.isEmpty { frozenNames = entitiesByName }
      self.layouts = layouts
    }
  }

  /// Siblings go by name without regard to case, as `Z_ENT` does in stores that Apple's framework wrote.
  private func sorted(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
    entities.sorted { ($0.name ?? "").lowercased() < ($1.name ?? "").lowercased() }
  }

  private func layOut(_ entity: NSEntityDescription, parent: EntityLayout?, into layouts: inout [EntityLayout]) {
    let layout = EntityLayout(entity: entity, number: layouts.count + 1, parent: parent)
    layouts.append(layout)
    for child in sorted(entity.subentities) { layOut(child, parent: layout, into: &layouts) }
  }

  private func linkInverses(of layouts: [EntityLayout]) {
    let byEntity = Dictionary(uniqueKeysWithValues: layouts.map { (ObjectIdentifier($0.entity), $0) })
    for layout in layouts {
      for slot in layout.slots.indices {
        layout.slotList[slot].inverse = InversePlace(of: layout.slots[slot].relationship, in: byEntity)
      }
      for number in layout.toMany.indices {
        layout.toManyList[number].inverse = InversePlace(of: layout.toMany[number].relationship, in: byEntity)
      }
    }
  }

  private func check() {
    precondition(
      Set(entities.map(\.name)).count == entities.count, "The model has two entities of the same name.")
    for entity in entities {
      precondition(entity.name?.isEmpty == false, "The model has an entity without a name.")
      precondition(
        entity.subentities.allSatisfy { $0.model === self },
        "The model lacks a sub-entity of '\(entity.name ?? "")'.")
      checkProperties(of: entity)
    }
  }

  private func checkProperties(of entity: NSEntityDescription) {
    let names = entity.properties.map(\.name)
    precondition(
      Set(names).count == names.count, "Entity '\(entity.name ?? "")' has two properties of the same name: \(names).")
    for case let relationship as NSRelationshipDescription in entity.ownProperties {
      guard let destination = relationship.destinationEntity, destination.model === self else {
        fatalError("Relationship '\(entity.name ?? "").\(relationship.name)' leads to no entity of the model.")
      }
      precondition(
        relationship.inverseRelationship.map { $0.inverseRelationship === relationship } ?? true,
        "Relationship '\(entity.name ?? "").\(relationship.name)' and its inverse do not name each other.")
    }
    for case let attribute as NSAttributeDescription in entity.ownProperties {
      precondition(
        attribute.isTransient || attribute.attributeType != .undefinedAttributeType,
        "Attribute '\(entity.name ?? "").\(attribute.name)' has no type; only a transient one may.")
      if let composite = attribute as? NSCompositeAttributeDescription {
        freezeElements(of: composite, "\(entity.name ?? "").\(composite.name)", within: [])
      }
    }
  }

  private func freezeElements(
    of composite: NSCompositeAttributeDescription, _ place: String, within outer: [NSCompositeAttributeDescription]
  ) {
    let names = composite.elements.map(\.name)
    precondition(
      Set(names).count == names.count && !names.contains { $0.isEmpty || $0.contains(".") },
      "Composite attribute '\(place)' has two elements of the same name, or one without a name of its own: \(names).")
    precondition(
      !outer.contains { $0 === composite }, "Composite attribute '\(place)' is an element of itself.")
    for element in composite.elements {
      element.isFrozenElement = true
      if let inner = element as? NSCompositeAttributeDescription {
        freezeElements(of: inner, "\(place).\(inner.name)", within: outer + [composite])
      } else {
        precondition(
          element.mayBeElement,
          "The element '\(place).\(element.name)' is undefined, an object ID, derived or external data, which a composite attribute cannot hold."
        )
      }
    }
  }
}

extension NSAttributeDescription {
  fileprivate var mayBeElement: Bool {
    switch attributeType {
    case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: false
    default: !(self is NSDerivedAttributeDescription) && !allowsExternalBinaryDataStorage
    }
  }
}
