import Foundation
import StrataSupport

/// Contradictions in a model, and what it may leave open.
extension NSManagedObjectModel {
  /// Describes why no coordinator can use the model; nil if one can. A reader of a model file throws it, since the file
  /// is at fault.
  package var contradiction: String? {
    if entities.count > 4_095 { return "A model can have at most 4,095 entities; this one has \(entities.count)." }
    var names: Set<String> = []
    for entity in entities {
      guard let name = entity.name, !name.isEmpty else { return "The model has an entity without a name." }
      guard names.insert(name).inserted else { return "The model has two entities of the same name: '\(name)'." }
      let family = entity.subentities + (entity.superentity.map { [$0] } ?? [])
      guard family.allSatisfy({ $0.model === self || $0.model == nil }) else {
        return "Entity '\(name)' inherits from, or is inherited by, an entity of another model."
      }
      if let contradiction = contradiction(in: entity, name) { return contradiction }
    }
    return nil
  }

  private func contradiction(in entity: NSEntityDescription, _ name: String) -> String? {
    let names = entity.properties.map(\.name)
    guard Set(names).count == names.count else {
      return "Entity '\(name)' has two properties of the same name: \(names)."
    }
    for case let attribute as NSAttributeDescription in entity.ownProperties {
      guard attribute.isTransient || attribute.attributeType != .undefinedAttributeType else {
        return "Attribute '\(name).\(attribute.name)' has no type; only a transient one may."
      }
      guard attribute.isTransient || attribute.attributeType != .objectIDAttributeType else {
        return
          "Attribute '\(name).\(attribute.name)' is an object ID, which no store holds; only a transient one may be."
      }
      guard let composite = attribute as? NSCompositeAttributeDescription else { continue }
      if let contradiction = contradiction(in: composite, "\(name).\(composite.name)", within: []) {
        return contradiction
      }
    }
    return nil
  }

  private func contradiction(
    in composite: NSCompositeAttributeDescription, _ path: String, within outer: [NSCompositeAttributeDescription]
  ) -> String? {
    let names = composite.elements.map(\.name)
    guard Set(names).count == names.count, !names.contains(where: { $0.isEmpty || $0.contains(".") }) else {
      return "Composite attribute '\(path)' has two elements of the same name, or one without a name of its own: "
        + "\(names)."
    }
    guard !outer.contains(where: { $0 === composite }) else {
      return "Composite attribute '\(path)' is an element of itself."
    }
    for element in composite.elements {
      if let inner = element as? NSCompositeAttributeDescription {
        let found = contradiction(in: inner, "\(path).\(inner.name)", within: outer + [composite])
        if let found { return found }
      } else if !element.mayBeElement {
        return "The element '\(path).\(element.name)' is undefined, an object ID, derived or external data, "
          + "which a composite attribute cannot hold."
      }
    }
    return nil
  }

  /// Resolves the ends of all relationships, once. If only one side names the other as its inverse, each is the
  /// other's; a relationship without a destination is ignored, with a warning.
  func resolveRelationships() {
    let relationships = entities.flatMap(\.ownProperties).compactMap { $0 as? NSRelationshipDescription }
    let ends = relationships.map { relationship in
      (relationship, relationship.givenDestination.flatMap { $0.model === self ? $0 : nil })
    }
    let inverses = pairs(of: ends.compactMap { relationship, end in end == nil ? nil : relationship })
    for (relationship, end) in ends {
      let name = "\(relationship.entity.name ?? "").\(relationship.name)"
      let inverse = inverses[ObjectIdentifier(relationship)]
      if end == nil {
        Diagnostics.warn("The relationship '\(name)' has no destination in the model, so objects do not have it.")
      } else if inverse == nil, let given = relationship.givenInverse {
        Diagnostics.warn(
          "'\(name)' names '\(given.name)' as its inverse, which has another inverse, so '\(name)' has no inverse.")
      }
      relationship.resolve(destination: end, inverse: inverse)
    }
  }

  private func pairs(of relationships: [NSRelationshipDescription]) -> [ObjectIdentifier: NSRelationshipDescription] {
    var inverses: [ObjectIdentifier: NSRelationshipDescription] = [:]
    let known = Set(relationships.map(ObjectIdentifier.init))
    var given: [(NSRelationshipDescription, NSRelationshipDescription)] = []
    for relationship in relationships {
      guard let inverse = relationship.givenInverse, known.contains(ObjectIdentifier(inverse)) else { continue }
      given.append((relationship, inverse))
    }
    let isMutual = given.map { $1.givenInverse === $0 }
    // Relationships that agree come first.
    for wanted in [true, false] {
      for (index, (relationship, inverse)) in given.enumerated() where isMutual[index] == wanted {
        guard wanted || inverse.givenInverse == nil, inverses[ObjectIdentifier(relationship)] == nil,
          inverses[ObjectIdentifier(inverse)] == nil || wanted
        else { continue }
        inverses[ObjectIdentifier(relationship)] = inverse
        inverses[ObjectIdentifier(inverse)] = relationship
      }
    }
    return inverses
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
