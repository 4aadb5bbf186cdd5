import Foundation

/// The place of an entity or a property in a program's own archive: the model that it belongs to, and its place there.
///
/// Descriptions refer to each other in circles, which Foundation's archiver on Linux cannot keep. The model, which the
/// archiver keeps once, is one opaque value without circles. A description without a model is archived with copies of
/// the entities that it refers to.
struct DescriptionPath {
  private let model: NSManagedObjectModel
  /// The number of the entity in the model.
  private let entity: Int
  /// The name of the property; nil for the entity itself.
  private var property: String?
  /// Whether the property is a relationship without a destination, which leads to its own entity in the archive.
  private var lacksDestination = false

  private init(model: NSManagedObjectModel, entity: Int) { (self.model, self.entity) = (model, entity) }

  static func of(_ entity: NSEntityDescription) -> DescriptionPath {
    guard let model = entity.model, let number = model.entities.firstIndex(where: { $0 === entity }) else {
      return ofFirst(of: reachable(from: entity))
    }
    return DescriptionPath(model: model, entity: number)
  }

  static func of(_ property: NSPropertyDescription) -> DescriptionPath {
    let relationship = property as? NSRelationshipDescription
    let lacksDestination = relationship != nil && relationship?.destinationEntity == nil
    var place: DescriptionPath
    if let entity = property.declaringEntity, !lacksDestination {
      place = of(entity)
    } else {
      let holder = NSEntityDescription()
      holder.properties = [property.makeCopy()]
      if lacksDestination { holder.ownRelationship(named: property.name)?.destinationEntity = holder }
      place = of(holder)
    }
    (place.property, place.lacksDestination) = (property.name, lacksDestination)
    return place
  }

  /// The place of the first entity in a model of copies.
  private static func ofFirst(of family: [NSEntityDescription]) -> DescriptionPath {
    let copies = ModelCopies(of: family)
    let model = NSManagedObjectModel()
    model.entities = family.map(copies.entity)
    return DescriptionPath(model: model, entity: 0)
  }

  /// An entity, its family and the destinations of its relationships, with theirs.
  private static func reachable(from first: NSEntityDescription) -> [NSEntityDescription] {
    var (found, next) = ([first], 0)
    while next < found.count {
      let entity = found[next]
      let ends = entity.ownProperties.compactMap { ($0 as? NSRelationshipDescription)?.destinationEntity }
      for other in [entity.superentity].compactMap(\.self) + entity.subentities + ends
      where !found.contains(where: { $0 === other }) {
        found.append(other)
      }
      next += 1
    }
    return found
  }

  // MARK: The archive

  private enum Key {
    static let (model, entity, property, lacksDestination) = (
      "place.model", "place.entity", "place.property", "place.lacksDestination"
    )
  }

  func encode(with coder: NSCoder) {
    coder.encode(model, forKey: Key.model)
    coder.encode(entity, forKey: Key.entity)
    if let property { coder.encode(NSString(string: property), forKey: Key.property) }
    if lacksDestination { coder.encode(true, forKey: Key.lacksDestination) }
  }

  /// - Returns: nil if the archive has no such place.
  private init?(from coder: NSCoder) {
    guard coder.containsValue(forKey: Key.model),
      let model = coder.decodeObject(of: NSManagedObjectModel.self, forKey: Key.model)
    else { return nil }
    let number = coder.decodeInteger(forKey: Key.entity)
    guard model.entities.indices.contains(number) else { return nil }
    self.model = model
    entity = number
    if coder.containsValue(forKey: Key.property) {
      property = coder.decodeObject(of: NSString.self, forKey: Key.property) as String?
    }
    lacksDestination = coder.decodeBool(forKey: Key.lacksDestination)
  }

  /// Returns the entity of an archive, with the model that keeps what it refers to.
  static func entity(from coder: NSCoder) -> (NSEntityDescription, NSManagedObjectModel)? {
    DescriptionPath(from: coder).map { ($0.model.entities[$0.entity], $0.model) }
  }

  /// Returns the property of an archive, with the model that keeps what it refers to.
  static func property(from coder: NSCoder) -> (NSPropertyDescription, NSManagedObjectModel)? {
    guard let place = DescriptionPath(from: coder),
      let found = place.model.entities[place.entity].ownProperties.first(where: { $0.name == place.property })
    else { return nil }
    if place.lacksDestination { (found as? NSRelationshipDescription)?.destinationEntity = nil }
    return (found, place.model)
  }
}
