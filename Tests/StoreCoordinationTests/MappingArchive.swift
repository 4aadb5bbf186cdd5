import Foundation
import StrataSupport

@testable import StrataManagedModel

/// Writes a `.cdm` with the keys of Apple's tools.
struct MappingArchive {
  typealias UID = KeyedArchive.UID

  struct Entity {
    var old: NSEntityDescription?
    var new: NSEntityDescription?
    var policy: String?
    var attributes: [(name: String, value: UID?)] = []
    var relationships: [(name: String, value: UID?)] = []

    var name: String { [old?.name, new?.name].compactMap(\.self).joined(separator: "To") }
  }

  private var archive = KeyedArchiveWriter()
  private var mappings: [UID] = []

  mutating func variable(_ name: String) -> UID {
    expression("NSVariableExpression", 2, [("NSVariable", .object(archive.text(name)))])
  }

  mutating func text(_ text: String) -> UID {
    expression("NSConstantValueExpression", 0, [("NSConstantValue", .object(archive.text(text)))])
  }

  /// `$source.name`
  mutating func source(_ name: String) -> UID { path(name, of: variable("source")) }

  mutating func path(_ path: String, of start: UID) -> UID {
    let specifier = expression("NSKeyPathSpecifierExpression", 10, [("NSKeyPath", .object(archive.text(path)))])
    return call("valueForKeyPath:", on: start, [specifier], class: ["NSKeyPathExpression", "NSFunctionExpression"])
  }

  mutating func message(_ name: String, to target: String, _ arguments: [UID]) -> UID {
    call(name, on: variable(target), arguments, class: ["NSFunctionExpression"])
  }

  private mutating func call(_ name: String, on target: UID, _ arguments: [UID], class names: [String]) -> UID {
    archive.add(
      names + ["NSExpression"],
      entries: [
        ("NSExpressionType", .integer(4)), ("NSOperand", .object(target)),
        ("NSSelectorName", .object(archive.text(name))),
        ("NSArguments", .object(archive.list(["NSArray"], members: arguments))),
      ])
  }

  private mutating func expression(
    _ name: String, _ type: Int, _ entries: [(key: String, value: KeyedArchiveWriter.Value)]
  ) -> UID {
    archive.add([name, "NSExpression"], entries: [("NSExpressionType", .integer(type))] + entries)
  }

  /// Adds an expression for the objects of an entity that match a predicate.
  private mutating func objects(of entity: String, where predicate: String) -> UID {
    let request = message(
      "fetchRequestForSourceEntityNamed:predicateString:", to: "manager", [text(entity), text(predicate)])
    let context = path("sourceContext", of: variable("manager"))
    return expression(
      "NSFetchRequestExpression", 50,
      [
        ("NSFRExpression", .object(request)), ("NSMOCExpression", .object(context)),
        ("NSCountOnlyFlag", .boolean(false)),
      ])
  }

  mutating func add(_ entity: Entity, where predicate: String = "TRUEPREDICATE") {
    let source = entity.new == nil ? nil : entity.old?.name.map { objects(of: $0, where: predicate) }
    let type = entity.old == nil ? 2 : entity.new == nil ? 3 : entity.policy == nil ? 5 : 1
    let (attributes, relationships) = (properties(entity.attributes), properties(entity.relationships))
    mappings.append(
      archive.add(
        ["NSEntityMapping"],
        entries: [
          ("NSMappingName", .object(archive.text(entity.name))), ("NSMappingType", .integer(type)),
          ("NSSourceEntityName", .object(entity.old?.name.map { archive.text($0) })),
          ("NSSourceEntityVersionHash", .object(entity.old.map { archive.data($0.versionHash) })),
          ("NSDestinationEntityName", .object(entity.new?.name.map { archive.text($0) })),
          ("NSDestinationEntityVersionHash", .object(entity.new.map { archive.data($0.versionHash) })),
          ("NSSourceExpression", .object(source)),
          ("NSEntityMigrationPolicyClassName", .object(entity.policy.map { archive.text($0) })),
          ("NSAttributeMappings", .object(attributes)), ("NSRelationshipMappings", .object(relationships)),
        ]))
  }

  private mutating func properties(_ properties: [(name: String, value: UID?)]) -> UID {
    let propertyMappings = properties.map { property in
      archive.add(
        ["NSPropertyMapping"],
        entries: [
          ("NSDestinationPropertyName", .object(archive.text(property.name))),
          ("NSValueExpression", .object(property.value)),
        ])
    }
    return archive.list(["NSArray"], members: propertyMappings)
  }

  mutating func bytes() -> Data {
    let root = archive.add(
      ["NSMappingModel"], entries: [("NSEntityMappings", .object(archive.list(["NSArray"], members: mappings)))])
    return Data(archive.bytes(root: root))
  }
}
