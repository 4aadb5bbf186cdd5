import CoreData
import Foundation
import StrataManagedModel

/// An object as a line of a dump has it.
struct DumpedObject {
  /// The name under which other lines refer to it, such as `Book/p1`; nil if none does.
  let id: String?
  let entity: NSEntityDescription
  /// By name; nil for null.
  let attributes: [(name: String, value: Any?)]
  let relationships: [(relationship: NSRelationshipDescription, ids: [String])]

  /// The reason why a line is not a valid object.
  struct Problem: Error { let text: String }

  init(_ line: UnsafeBufferPointer<UInt8>, of model: NSManagedObjectModel) throws(Problem) {
    let node: JSONNode
    do throws(JSONParser.Failure) {
      node = try JSONParser.node(in: line)
    } catch {
      throw Problem(text: "column \(error.column): \(error.problem)")
    }
    try self.init(node, of: model)
  }

  init(_ node: JSONNode, of model: NSManagedObjectModel) throws(Problem) {
    guard case .members(let members) = node else {
      throw Problem(text: "an object is expected, but this is \(node.kind)")
    }
    var (id, entity) = (String?.none, NSEntityDescription?.none)
    var (attributes, relationships) = ([JSONNode.Member](), [JSONNode.Member]())
    for member in members {
      switch (member.name, member.value) {
      case ("id", .text(let text)): id = text
      case ("id", .null): break
      case ("entity", .text(let name)):
        guard let found = model.entitiesByName[name] else { throw Problem(text: "the model has no entity '\(name)'") }
        guard !found.isAbstract else { throw Problem(text: "the entity '\(name)' is abstract and has no objects") }
        entity = found
      case ("attributes", .members(let values)): attributes = values
      case ("relationships", .members(let values)): relationships = values
      case ("id", let node), ("entity", let node), ("attributes", let node), ("relationships", let node):
        throw Problem(text: "'\(member.name)' cannot be \(node.kind)")
      default: throw Problem(text: "an object has no '\(member.name)', only id, entity, attributes and relationships")
      }
    }
    guard let entity else { throw Problem(text: "the entity is missing") }
    (self.id, self.entity) = (id, entity)
    var values: [(String, Any?)] = []
    for member in attributes { values.append((member.name, try Self.value(member, of: entity))) }
    var references: [(NSRelationshipDescription, [String])] = []
    for member in relationships { references.append(try Self.reference(member, of: entity)) }
    (self.attributes, self.relationships) = (values, references)
  }

  private static func value(_ member: JSONNode.Member, of entity: NSEntityDescription) throws(Problem) -> Any? {
    let name = "\(entity.name ?? "").\(member.name)"
    guard let attribute = entity.attributesByName[member.name] else {
      throw Problem(text: "unknown attribute \(name)")
    }
    guard !attribute.isTransient, !(attribute is NSDerivedAttributeDescription) else {
      throw Problem(
        text: "the attribute \(name) is \(attribute.isTransient ? "transient" : "derived") and cannot be set")
    }
    do throws(AttributeForm.Refusal) {
      return try AttributeForm.value(member.value, of: attribute)
    } catch {
      throw Problem(text: "the attribute \(name) \(error.reason)")
    }
  }

  private static func reference(
    _ member: JSONNode.Member, of entity: NSEntityDescription
  ) throws(Problem) -> (NSRelationshipDescription, [String]) {
    let name = "\(entity.name ?? "").\(member.name)"
    guard let relationship = entity.relationshipsByName[member.name], !relationship.isTransient else {
      throw Problem(text: "unknown relationship \(name)")
    }
    switch (relationship.isToMany, member.value) {
    case (_, .null): return (relationship, [])
    case (false, .text(let id)): return (relationship, [id])
    case (true, .list(let nodes)):
      var ids: [String] = []
      for node in nodes {
        guard case .text(let id) = node else { throw Problem(text: "the relationship \(name) names \(node.kind)") }
        ids.append(id)
      }
      return (relationship, ids)
    case (let isToMany, let node):
      throw Problem(text: "the relationship \(name) takes \(isToMany ? "an array of IDs" : "an ID"), not \(node.kind)")
    }
  }
}
