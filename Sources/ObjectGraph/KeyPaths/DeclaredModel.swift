import Foundation
import StrataFoundationGaps
import StrataManagedModel
import Synchronization

/// A model built from the `@NSManaged` declarations of classes, for looking up property names before the program has
/// loaded its own model. If a value's type does not determine its attribute type, only the name is known.
final class DeclaredModel: NSManagedObjectModel, @unchecked Sendable {
  // Sendable: as its superclass; one thread builds it before it is frozen.
  private var known: [ObjectIdentifier: NSEntityDescription] = [:]

  /// Returns a model whose first entity is that of the class; the others are of classes that it refers to.
  /// - Returns: nil for a class without registered declarations.
  static func ofClass(_ type: NSManagedObject.Type) -> DeclaredModel? {
    models.withLock { models in
      if let model = models[ObjectIdentifier(type)] { return model }
      let model = DeclaredModel()
      guard !model.entity(of: type).properties.isEmpty else { return nil }
      model.freeze()
      models[ObjectIdentifier(type)] = model
      return model
    }
  }

  private static let models = Mutex<[ObjectIdentifier: DeclaredModel]>([:])

  private func entity(of type: NSManagedObject.Type) -> NSEntityDescription {
    if let known = known[ObjectIdentifier(type)] { return known }
    let entity = NSEntityDescription()
    known[ObjectIdentifier(type)] = entity
    entity.name = "\(known.count)"
    entity.managedObjectClassName = NSStringFromClass(type)
    entities.append(entity)
    entity.properties = DeclaredProperties.all(of: type).sorted { $0.key < $1.key }.map { name, content in
      let property = property(content)
      property.name = name
      return property
    }
    return entity
  }

  private func property(_ content: Substring) -> NSPropertyDescription {
    let parts = content.split(separator: "=")
    let kind = parts.first ?? ""
    if kind == "one" || kind == "many" {
      let target = parts.count == 1 ? NSManagedObject.self : DeclaredProperties.type(at: String(parts[1]))
      if let target {
        let relationship = NSRelationshipDescription()
        relationship.maxCount = kind == "one" ? 1 : 0
        relationship.destinationEntity = entity(of: target)
        return relationship
      }
    }
    let attribute = NSAttributeDescription()
    attribute.attributeType = Self.types[kind] ?? .undefinedAttributeType
    attribute.isTransient = attribute.attributeType == .undefinedAttributeType
    return attribute
  }

  private static let types: [Substring: NSAttributeType] = [
    "integer": .integer64AttributeType, "boolean": .booleanAttributeType, "real": .doubleAttributeType,
    "text": .stringAttributeType, "date": .dateAttributeType, "data": .binaryDataAttributeType,
    "uuid": .UUIDAttributeType, "url": .URIAttributeType, "decimal": .decimalAttributeType,
  ]
}

/// The declarations of classes, as registered by generated code.
private enum DeclaredProperties {
  private static let texts = Mutex<[StaticString]>([])
  private static let classes = Mutex<(read: Int, contents: [String: [Substring]])>((0, [:]))

  static func register(_ text: StaticString) { texts.withLock { $0.append(text) } }

  /// Returns the names and contents of the properties of a class and its superclasses.
  static func all(of type: NSManagedObject.Type) -> [String: Substring] {
    var properties: [String: Substring] = [:]
    var next: AnyClass? = type
    while let current = next, current != NSManagedObject.self {
      for word in words(of: ProgramClasses.path(of: current)) {
        guard let colon = word.firstIndex(of: ":") else { continue }
        let name = String(word[..<colon])
        if properties[name] == nil { properties[name] = word[word.index(after: colon)...] }
      }
      next = _getSuperclass(current)
    }
    return properties
  }

  private static func words(of path: String) -> [Substring] {
    let texts = texts.withLock { $0 }
    return classes.withLock { classes in
      for text in texts[classes.read...] {
        for line in "\(text)".split(separator: "\n") {
          let words = line.split(separator: " ")
          if let path = words.first { classes.contents[String(path)] = Array(words.dropFirst()) }
        }
      }
      classes.read = texts.count
      return classes.contents[path] ?? []
    }
  }

  /// Returns the managed object class with a qualified name.
  static func type(at path: String) -> NSManagedObject.Type? {
    ProgramClasses.named(path).lazy.filter { ProgramClasses.path(of: $0) == path }
      .compactMap { $0 as? NSManagedObject.Type }.first
  }
}

extension NSManagedObject {
  /// Registers the properties that the classes of a module declare.
  ///
  /// Only for code that the model plugin generates. It runs when the program is loaded, so it stores a pointer and
  /// reads nothing.
  /// - Parameter text: a line for each class: its path, and each property as `name:content`.
  public static func _registerProperties(_ text: StaticString) { DeclaredProperties.register(text) }
}
