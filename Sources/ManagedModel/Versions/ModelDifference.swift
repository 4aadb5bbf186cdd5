import Foundation
import StrataSupport

/// The differences of the entities and properties of two models.
///
/// Entities and properties match by renaming identifier, or if one has the name that the other's renaming identifier
/// gives. See https://developer.apple.com/documentation/coredata/migrating-your-data-model-automatically
package struct ModelDifference: Sendable {
  /// An entity before and after.
  package struct EntityChange: Sendable {
    /// nil for a new entity.
    package let source: NSEntityDescription?
    /// nil for a deleted entity.
    package let destination: NSEntityDescription?
    /// The stored properties of the destination, including inherited ones, by name.
    package let properties: [PropertyChange]
    /// The layouts of both; nil if their models are not frozen.
    package let before, after: EntityLayout?

    init(source: NSEntityDescription?, destination: NSEntityDescription?, properties: [PropertyChange]) {
      (self.source, self.destination, self.properties) = (source, destination, properties)
      (before, after) = (source?.layout, destination?.layout)
    }
  }

  /// A property before and after.
  package struct PropertyChange: Sendable {
    /// nil for a new property.
    package let source: NSPropertyDescription?
    package let destination: NSPropertyDescription
  }

  /// The entities of the destination by name, then the deleted ones.
  package let entities: [EntityChange]

  /// The differences that cannot be migrated without instructions.
  package private(set) var refusals: [MappingRefusal] = []

  /// - Parameter checkingRows: whether the caller checks `requirements` in the rows instead.
  /// - Throws: `CocoaError` 134190 for the first of the refusals.
  package init(
    from source: [NSEntityDescription], to destination: [NSEntityDescription], checkingRows: Bool = false
  ) throws {
    self.init(comparing: source, to: destination)
    if let refusal = refusals.first(where: { !checkingRows || !$0.dependsOnRows }) { throw refusal.error }
  }

  /// The refusals that do not hold if no row lacks the value.
  package var requirements: [MappingRefusal] { refusals.filter(\.dependsOnRows) }

  /// Compares models, including everything that prevents a migration.
  package init(comparing source: [NSEntityDescription], to destination: [NSEntityDescription]) {
    let matches = Self.match(source.sorted { $0.sortName < $1.sortName }, with: destination)
    let kept = Set(matches.compactMap { $0.source.map(ObjectIdentifier.init) })
    let gone = source.filter { !kept.contains(ObjectIdentifier($0)) }.sorted { $0.sortName < $1.sortName }
    entities =
      matches.map { EntityChange(source: $0.source, destination: $0.destination) }
      + gone.map { EntityChange(source: $0, destination: nil, properties: []) }
    refusals = doubledOrigins + entities.flatMap(\.refusals) + mergedHierarchies + strayDestinations
  }

  private static func match(
    _ source: [NSEntityDescription], with destination: [NSEntityDescription]
  ) -> [(source: NSEntityDescription?, destination: NSEntityDescription)] {
    destination.sorted { $0.sortName < $1.sortName }.map { entity in
      let origin = RenamingMatch(name: entity.sortName, identifier: entity.renamingIdentifier)
        .origin(among: source) { ($0.sortName, $0.renamingIdentifier) }
      return (origin, entity)
    }
  }

  private var doubledOrigins: [MappingRefusal] {
    var taken: [ObjectIdentifier: String] = [:]
    return entities.compactMap { change in
      guard let origin = change.source, let name = change.destination?.sortName,
        let other = taken.updateValue(name, forKey: ObjectIdentifier(origin))
      else { return nil }
      return MappingRefusal("'\(other)' and '\(name)' both come from '\(origin.sortName)'", entity: name)
    }
  }

  /// Whether any entity's rows are kept.
  package var carriesOver: Bool { entities.contains { $0.source != nil && $0.destination != nil } }

  /// Returns the change of an entity of the destination.
  package func change(to layout: EntityLayout) -> EntityChange? { entities.first { $0.after === layout } }

  /// The derived attributes that are new or have another derivation, with the entities that declare them.
  package var newDerivations: [(entity: String, attribute: String)] {
    entities.flatMap(\.properties).compactMap { change in
      guard let derived = change.destination as? NSDerivedAttributeDescription else { return nil }
      let before = (change.source as? NSDerivedAttributeDescription)?.derivation
      return before == derived.derivation ? nil : (derived.declaringEntity?.sortName ?? "", derived.name)
    }
  }

  /// Rows of two tables cannot share one afterwards: their keys would collide.
  private var mergedHierarchies: [MappingRefusal] {
    var roots: [ObjectIdentifier: NSEntityDescription] = [:]
    return entities.compactMap { change in
      guard let source = change.source?.rootEntity, let destination = change.destination else { return nil }
      let known = roots.updateValue(source, forKey: ObjectIdentifier(destination.rootEntity))
      guard let known, known !== source else { return nil }
      return MappingRefusal(
        "the hierarchies of '\(known.sortName)' and '\(source.sortName)' had no common parent and cannot get one",
        entity: destination.sortName)
    }
  }

  /// A relationship cannot lead to objects of another kind than before.
  private var strayDestinations: [MappingRefusal] {
    entities.flatMap { change in
      change.properties.compactMap { property -> MappingRefusal? in
        guard let old = (property.source as? NSRelationshipDescription)?.destinationEntity,
          let new = (property.destination as? NSRelationshipDescription)?.destinationEntity
        else { return nil }
        let carried = entities.filter { $0.destination?.isKindOf(entity: new) == true }.compactMap(\.source)
        guard !carried.contains(where: { $0.isKindOf(entity: old) || old.isKindOf(entity: $0) }) else { return nil }
        return MappingRefusal(
          "Source and destination relationships lead to different entities, '\(old.sortName)' and '\(new.sortName)'",
          entity: change.destination?.sortName ?? "", property: property.destination.name,
          advice: MappingRefusal.rename)
      }
    }
  }
}

extension NSEntityDescription {
  var sortName: String { name ?? "" }
}

/// Finds the former name of something.
struct RenamingMatch {
  let name: String
  /// The name itself if no other was given.
  let identifier: String?

  func origin<T>(among candidates: [T], _ names: (T) -> (name: String, identifier: String?)) -> T? {
    let identifier = identifier ?? name
    return candidates.first { (names($0).identifier ?? names($0).name) == identifier }
      ?? candidates.first { names($0).name == identifier } ?? candidates.first { names($0).name == name }
  }
}

/// The reason a migration between two models cannot be inferred.
package struct MappingRefusal: Hashable, Sendable {
  package let reason: String
  /// In the destination.
  package let entity: String
  package let property: String?
  /// Whether an attribute must have a value that rows could lack so far.
  let dependsOnRows: Bool
  /// A change to the model that would help.
  private let advice: String?

  static let rename = "Give the property another name"

  init(
    _ reason: String, entity: String, property: String? = nil, advice: String? = nil, dependsOnRows: Bool = false
  ) {
    self.advice = advice
    self.dependsOnRows = dependsOnRows
    self.reason = reason
    self.entity = entity
    self.property = property
  }

  /// The error, with the keys `entity`, `property` and `reason`, as in Apple's framework.
  package var error: CocoaError {
    let subject = property.map { "\(entity).\($0)" } ?? entity
    var info: [String: Any] = [
      "entity": entity, "reason": reason, NSLocalizedFailureReasonErrorKey: reason,
      NSLocalizedDescriptionKey: "Cannot infer a mapping model for '\(subject)': \(reason). "
        + (advice.map { "\($0), or migrate" } ?? "Migrate") + " with a mapping model of your own.",
    ]
    info["property"] = property
    return .printed(CocoaError.Code(rawValue: 134190), userInfo: info)
  }
}
