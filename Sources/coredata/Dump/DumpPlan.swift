import CoreData
import StrataManagedModel

/// The parts of a model that a dump contains, in order.
///
/// Each relationship is written once, where it is shortest: at the end that leads to one object, or at the one
/// that has an order. An end that the model requires is always there.
struct DumpPlan {
  /// The roots of the hierarchies: those that others refer to first, so that most references lead back.
  let roots: [NSEntityDescription]
  private let entities: [NSEntityDescription]

  init(_ entities: [NSEntityDescription]) {
    self.entities = entities
    roots = Self.sorted(entities)
  }

  /// The attributes of an entity that a store keeps and does not compute, by name.
  static func attributes(of entity: NSEntityDescription) -> [NSAttributeDescription] {
    entity.attributesByName.values.filter { !$0.isTransient && !($0 is NSDerivedAttributeDescription) }
      .sorted { $0.name < $1.name }
  }

  /// The relationships of an entity that the dump contains, by name.
  static func relationships(of entity: NSEntityDescription) -> [NSRelationshipDescription] {
    entity.relationshipsByName.values.filter { !$0.isTransient && isDumped($0) }.sorted { $0.name < $1.name }
  }

  private static func isDumped(_ relationship: NSRelationshipDescription) -> Bool {
    guard let inverse = relationship.inverseRelationship, !inverse.isTransient, !relationship.isRequired else {
      return true
    }
    if relationship.isOrdered { return true }
    if relationship.isToMany != inverse.isToMany { return !relationship.isToMany && !inverse.isOrdered }
    if inverse.isOrdered || inverse.isRequired { return false }
    return path(of: relationship) <= path(of: inverse)
  }

  private static func path(of relationship: NSRelationshipDescription) -> String {
    "\(relationship.declaringEntity?.name ?? "").\(relationship.name)"
  }

  private static func root(of entity: NSEntityDescription) -> NSEntityDescription {
    sequence(first: entity) { $0.superentity }.reduce(entity) { $1 }
  }

  /// Repeatedly takes the root that depends on the fewest others; without cycles, none has to wait.
  private static func sorted(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
    var waiting: [String: Set<String>] = [:]
    var roots: [String: NSEntityDescription] = [:]
    for entity in entities {
      let root = root(of: entity)
      let name = root.name ?? ""
      roots[name] = root
      let targets = relationships(of: entity).compactMap { $0.destinationEntity.map { Self.root(of: $0).name ?? "" } }
      waiting[name, default: []].formUnion(targets.filter { $0 != name })
    }
    var sorted: [NSEntityDescription] = []
    while let next = waiting.min(by: { ($0.value.count, $0.key) < ($1.value.count, $1.key) })?.key {
      waiting[next] = nil
      for name in waiting.keys { waiting[name]?.remove(next) }
      if let root = roots[next] { sorted.append(root) }
    }
    return sorted
  }
}

extension NSRelationshipDescription {
  /// Whether an object needs members to be valid.
  var isRequired: Bool { !isOptional || (isToMany && minCount > 0) }
}
