import Foundation
import StrataFormats
import StrataManagedModel
import StrataObjectGraph
import StrataPredicates

/// An object in Xcode's mapping file, with its values by name.
struct MappingElement {
  let type: String
  let line: Int
  private let attributes: [String: String]
  private let relationships: [String: [String]]

  /// - Throws: for an unknown value: ignoring it would lose what it says.
  init(_ element: ParsedElement, file: String) throws(FileFormatError) {
    type = element["type"] ?? ""
    line = element.line
    var (attributes, relationships) = ([String: String](), [String: [String]]())
    for child in element.children {
      let name = child["name"] ?? ""
      if child.name == "attribute" { attributes[name] = child.text }
      if child.name == "relationship" {
        relationships[name] = (child["idrefs"] ?? "").split(separator: " ").map(String.init)
      }
    }
    (self.attributes, self.relationships) = (attributes, relationships)
    let names = Set(attributes.keys).union(relationships.keys)
    if let known = Self.known[type], let strange = names.subtracting(known).min() {
      throw FileFormatError(file: file, line: line, "the mapping has '\(strange)', which is not known")
    }
  }

  /// The names that Xcode writes. Other types of objects do not belong to a mapping.
  private static let known: [String: Set<String>] = [
    "XDDEVMAPPINGMODEL": [
      "sourcemodelpath", "sourcemodeldata", "destinationmodelpath", "destinationmodeldata", "entitymappings",
      "userinfodata",
    ],
    "XDDEVENTITYMAPPING": [
      "name", "mappingnumber", "mappingtypename", "sourcename", "destinationname", "migrationpolicyclassname",
      "sourcefilterpredicatestring", "sourceexpressiondata", "autogenerateexpression", "userinfodata", "mappingmodel",
      "attributemappings", "relationshipmappings",
    ],
    "XDDEVATTRIBUTEMAPPING": propertyNames, "XDDEVRELATIONSHIPMAPPING": propertyNames,
  ]

  private static let propertyNames: Set<String> = [
    "name", "valueexpressiondata", "autogenerateexpression", "sourcekeypath", "sourcemappingname", "userinfodata",
    "entitymapping",
  ]

  /// Whether the editor leaves the expression to the compiler.
  var isGenerated: Bool { attributes["autogenerateexpression"] != "0" }

  /// nil for an empty text, too.
  func text(_ name: String) -> String? { attributes[name].flatMap { $0.isEmpty ? nil : $0 } }

  func integer(_ name: String) -> Int? { attributes[name].flatMap { Int($0) } }

  /// The IDs of other objects.
  func references(_ name: String) -> [String] { relationships[name] ?? [] }

  /// Base64 spread over several lines.
  func bytes(_ name: String) -> [UInt8] {
    Data(base64Encoded: attributes[name] ?? "", options: .ignoreUnknownCharacters).map(Array.init) ?? []
  }

  /// The name of an entity mapping; without one in the editor, what Apple's compiler makes of the entities' names.
  var mappingName: String {
    if let name = text("name") { return name }
    let (old, new) = (text("sourcename"), text("destinationname"))
    if let old, let new { return "\(old)To\(new)" }
    return new ?? old ?? ""
  }
}

/// The expressions that Apple's compiler writes where the editor does not.
enum MappingExpression {
  private static let manager = ExpressionNode.variable(NSMigrationManagerKey)

  /// The old object's value at a path: `$source.region.name`, or the same without `$source`.
  /// - Throws: what is wrong with the text.
  static func source(_ path: String) throws(PredicateSyntaxError) -> ExpressionNode {
    try PredicateParser.expression(path.contains("$") ? path : "$\(NSMigrationSourceObjectKey).\(path)")
  }

  /// The old object's value for a name.
  static func value(named name: String) -> ExpressionNode {
    .path(of: .variable(NSMigrationSourceObjectKey), name.split(separator: ".").map(String.init))
  }

  /// The old objects of an entity.
  static func objects(of entity: String, where filter: String) -> StrataPredicates.NSExpression {
    let names = [ExpressionNode.value(.string(entity)), .value(.string(filter))]
    return NSFetchRequestExpression.expression(
      forFetch: message("fetchRequestForSourceEntityNamed:predicateString:", arguments: names),
      context: .expression(with: manager.following(["sourceContext"])), countOnly: false)
  }

  /// The new objects that a mapping made of old ones.
  static func successors(of members: ExpressionNode, by mapping: String) -> StrataPredicates.NSExpression {
    message(
      "destinationInstancesForEntityMappingNamed:sourceInstances:", arguments: [.value(.string(mapping)), members])
  }

  /// The new objects that any mapping made of the members of an old relationship.
  static func successors(of members: ExpressionNode, at name: String) -> StrataPredicates.NSExpression {
    message(
      "destinationInstancesForSourceRelationshipNamed:sourceInstances:", arguments: [.value(.string(name)), members])
  }

  private static func message(_ name: String, arguments: [ExpressionNode]) -> StrataPredicates.NSExpression {
    do throws(FunctionError) {
      return .expression(with: try ExpressionNode.message(named: name, to: manager, arguments))
    } catch {
      fatalError("\(error)")
    }
  }
}
