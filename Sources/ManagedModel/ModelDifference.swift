import Foundation

/// What becomes of the entities and properties of one model in another.
///
/// Who has the same renaming identifier is the same; so is who has the name that a renaming identifier tells. See
/// https://developer.apple.com/documentation/coredata/migrating-your-data-model-automatically
package struct ModelDifference: Sendable {
  /// An entity before and after.
  package struct EntityChange: Sendable {
    /// nil of a new entity.
    package let source: NSEntityDescription?
    /// nil of an entity that is gone.
    package let destination: NSEntityDescription?
    /// The stored properties of the destination, inherited ones too, by name.
    package let properties: [PropertyChange]
  }

  /// A property before and after.
  package struct PropertyChange: Sendable {
    /// nil of a new property.
    package let source: NSPropertyDescription?
    package let destination: NSPropertyDescription
  }

  /// The entities of the destination by name, then those that are gone.
  package let entities: [EntityChange]

  /// - Throws: `CocoaError` 134190 for what cannot be carried over without being told how.
  package init(
    from source: [NSEntityDescription], to destination: [NSEntityDescription]
  ) throws {
    let matches = try Self.match(source.sorted { $0.sortName < $1.sortName }, destination)
    let kept = Set(matches.compactMap { $0.source.map(ObjectIdentifier.init) })
    let gone = source.filter { !kept.contains(ObjectIdentifier($0)) }.sorted { $0.sortName < $1.sortName }
    entities =
      try matches.map { try EntityChange(source: $0.source, destination: $0.destination) }
      + gone.map { EntityChange(source: $0, destination: nil, properties: []) }
    try checkHierarchies()
    try checkDestinations()
  }

  private static func match(
    _ source: [NSEntityDescription], _ destination: [NSEntityDescription]
  ) throws -> [(source: NSEntityDescription?, destination: NSEntityDescription)] {
    var taken: [ObjectIdentifier: NSEntityDescription] = [:]
    return try destination.sorted { $0.sortName < $1.sortName }.map { entity in
      let origin = RenamingMatch(name: entity.sortName, identifier: entity.renamingIdentifier)
        .origin(among: source) { ($0.sortName, $0.renamingIdentifier) }
      if let origin, let other = taken.updateValue(entity, forKey: ObjectIdentifier(origin)) {
        throw MappingRefusal(
          "'\(other.sortName)' and '\(entity.sortName)' both come from '\(origin.sortName)'", entity: entity.sortName
        )
        .error
      }
      return (origin, entity)
    }
  }

  /// What becomes of an entity of the destination.
  package func change(to entity: NSEntityDescription) -> EntityChange? {
    entities.first { $0.destination === entity }
  }

  /// Rows of two tables cannot share one afterwards: their keys would meet.
  private func checkHierarchies() throws {
    var roots: [ObjectIdentifier: NSEntityDescription] = [:]
    for change in entities {
      guard let source = change.source?.rootEntity, let destination = change.destination else { continue }
      let known = roots.updateValue(source, forKey: ObjectIdentifier(destination.rootEntity))
      guard let known, known !== source else { continue }
      throw MappingRefusal(
        "the hierarchies of '\(known.sortName)' and '\(source.sortName)' had no common parent and cannot get one",
        entity: destination.sortName
      ).error
    }
  }

  /// A relationship cannot lead to objects of another kind than before.
  private func checkDestinations() throws {
    for change in entities {
      for property in change.properties {
        guard let old = (property.source as? NSRelationshipDescription)?.destinationEntity,
          let new = (property.destination as? NSRelationshipDescription)?.destinationEntity
        else { continue }
        let carried = entities.filter { $0.destination?.isKindOf(entity: new) == true }.compactMap(\.source)
        guard !carried.contains(where: { $0.isKindOf(entity: old) || old.isKindOf(entity: $0) }) else { continue }
        throw MappingRefusal(
          "Source and destination relationships lead to different entities, '\(old.sortName)' and '\(new.sortName)'",
          entity: change.destination?.sortName ?? "", property: property.destination.name
        ).error
      }
    }
  }
}

extension NSEntityDescription {
  var sortName: String { name ?? "" }
}

/// Finds what something was called before.
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

/// Why the way from one model to another cannot be inferred.
struct MappingRefusal {
  let reason: String
  let entity: String
  let property: String?

  init(_ reason: String, entity: String, property: String? = nil) {
    self.reason = reason
    self.entity = entity
    self.property = property
  }

  /// With the keys `entity`, `property` and `reason`, as Apple's framework has them.
  var error: CocoaError {
    let place = property.map { "\(entity).\($0)" } ?? entity
    var info: [String: Any] = [
      "entity": entity, "reason": reason,
      NSLocalizedDescriptionKey: "Cannot infer a mapping model for '\(place)': \(reason). "
        + "Give the property another name, or migrate with a mapping model of your own.",
    ]
    info["property"] = property
    return CocoaError(CocoaError.Code(rawValue: 134190), userInfo: info)
  }
}
