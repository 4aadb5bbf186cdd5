import CoreData
import Foundation
import StrataManagedModel

/// A key path from an entity's objects to what a column shows: `title`, `author.home.city`, `readers`, `objectID`.
struct ColumnPath {
  enum End {
    case objectID
    /// The name of the object's own entity, which may be a subentity.
    case entity
    /// An attribute, or an element of a composite one.
    case attribute(NSAttributeDescription, elements: [String])
    case relationship(NSRelationshipDescription)
  }

  let text: String
  /// The to-one relationships before the end.
  let steps: [String]
  let end: End

  init(_ text: String, steps: [String] = [], end: End) { (self.text, self.steps, self.end) = (text, steps, end) }

  /// - Throws: `ToolFailure` for a path that the entity does not have, or that leads through a to-many relationship.
  init(_ text: String, of entity: NSEntityDescription) throws {
    var names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
    var (entity, steps) = (entity, [String]())
    while let name = names.popFirst() {
      if names.isEmpty, let end: End = ["objectID": .objectID, "entity": .entity][name] {
        self.init(text, steps: steps, end: end)
        return
      }
      switch entity.propertiesByName[name] {
      case let attribute as NSAttributeDescription:
        self.init(text, steps: steps, end: try Self.end(attribute, elements: Array(names), of: text))
        return
      case let relationship as NSRelationshipDescription:
        guard !names.isEmpty else {
          self.init(text, steps: steps, end: .relationship(relationship))
          return
        }
        guard !relationship.isToMany, let destination = relationship.destinationEntity else {
          throw ToolFailure(.usage, "the path '\(text)' continues after the to-many relationship '\(name)'")
        }
        steps.append(name)
        entity = destination
      default:
        let known = entity.propertiesByName.values.filter { !($0 is NSFetchedPropertyDescription) }.map(\.name).sorted()
        throw ToolFailure(
          .usage,
          "the entity '\(entity.name ?? "")' has no attribute or relationship '\(name)', only \(known.joined(separator: ", "))"
        )
      }
    }
    throw ToolFailure(.usage, "a property name is empty")
  }

  private static func end(_ attribute: NSAttributeDescription, elements: [String], of text: String) throws -> End {
    var last = attribute
    for name in elements {
      let known = (last as? NSCompositeAttributeDescription)?.elements ?? []
      guard let element = known.first(where: { $0.name == name }) else {
        throw ToolFailure(.usage, "the attribute '\(last.name)' in '\(text)' has no element '\(name)'")
      }
      last = element
    }
    return .attribute(attribute, elements: elements)
  }

  /// Everything that the objects of an entity have, but what they compute.
  static func all(of entity: NSEntityDescription) -> [ColumnPath] {
    let properties = entity.propertiesByName.values.filter { !$0.isTransient }.sorted { $0.name < $1.name }
    let attributes = properties.compactMap { property in
      (property as? NSAttributeDescription).map { ColumnPath($0.name, end: .attribute($0, elements: [])) }
    }
    let relationships = properties.compactMap { property in
      (property as? NSRelationshipDescription).map { ColumnPath($0.name, end: .relationship($0)) }
    }
    return [ColumnPath("objectID", end: .objectID), ColumnPath("entity", end: .entity)] + attributes + relationships
  }

  /// The relationships to read along with the objects.
  var prefetched: [String] {
    let path = steps.indices.map { steps[...$0].joined(separator: ".") }
    if case .relationship(let relationship) = end, relationship.isToMany { return path + [text] }
    return path
  }

  var isToMany: Bool { if case .relationship(let relationship) = end { relationship.isToMany } else { false } }

  /// - Returns: null if the path ends before.
  func value(of object: NSManagedObject) -> PropertyValue {
    var object = object
    for step in steps {
      guard let next = object.value(forKey: step) as? NSManagedObject else { return .node(.null) }
      object = next
    }
    switch end {
    case .objectID: return .object(object.objectID)
    case .entity: return .node(.text(object.entity.name ?? ""))
    case .attribute(let attribute, let elements):
      var (value, last) = (object.value(forKey: attribute.name), attribute)
      for name in elements {
        guard let element = (last as? NSCompositeAttributeDescription)?.elements.first(where: { $0.name == name })
        else {
          break
        }
        (value, last) = ((value as? [String: Any])?[name], element)
      }
      return .node(AttributeForm.node(value, of: last))
    case .relationship(let relationship):
      let ids = object.objectIDs(forRelationshipNamed: relationship.name)
      guard relationship.isToMany else { return ids.first.map(PropertyValue.object) ?? .node(.null) }
      return .objects(relationship.isOrdered ? ids : ids.sortedByKey())
    }
  }
}

/// The value of a column for an object.
enum PropertyValue {
  case node(JSONNode)
  case object(NSManagedObjectID)
  case objects([NSManagedObjectID])

  /// Objects as the URIs of their IDs.
  var json: JSONNode {
    switch self {
    case .node(let node): node
    case .object(let id): .text(id.uriRepresentation().absoluteString)
    case .objects(let ids): .list(ids.map { .text($0.uriRepresentation().absoluteString) })
    }
  }

  /// To-many relationships as the number of their members.
  var text: String {
    switch self {
    case .node(.null): ""
    case .node(.text(let text)): text
    case .node(let node): node.line
    case .object(let id): id.uriRepresentation().absoluteString
    case .objects(let ids): "\(ids.count)"
    }
  }

  /// For a terminal: objects as in `store history`, long texts cut.
  var shortText: String {
    if case .object(let id) = self { return id.shortText }
    let text = text
    guard text.count > Self.maximumCharacters else { return text }
    return "\(text.prefix(Self.maximumCharacters - 1))…"
  }

  private static let maximumCharacters = 60
}

extension NSManagedObjectID {
  /// The number in the last part of the URI; 0 without one.
  var key: Int64 { Int64(uriRepresentation().lastPathComponent.dropFirst()) ?? 0 }

  /// Entity and key: `Book/p12`.
  var shortText: String { "\(entity.name ?? "")/\(uriRepresentation().lastPathComponent)" }
}

extension [NSManagedObjectID] {
  /// In the order in which the store gave out their keys.
  func sortedByKey() -> [NSManagedObjectID] {
    map { ($0, $0.key) }.sorted { ($0.1, $0.0.entity.name ?? "") < ($1.1, $1.0.entity.name ?? "") }.map(\.0)
  }
}
