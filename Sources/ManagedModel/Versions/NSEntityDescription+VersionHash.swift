import Foundation
import StrataFormats
import StrataPredicates

extension NSEntityDescription {
  /// The hash of what the entity contains now.
  var contentHash: [UInt8] {
    let stored = propertiesByName.values.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) }
    return VersionHash.Entity(
      name: name ?? "", isAbstract: isAbstract, parent: superentity.map { Array($0.versionHash) },
      properties: stored.map(VersionHash.Property.init), modifier: versionHashModifier, constraints: uniqueNames
    ).hash
  }
}

extension VersionHash.Property {
  init(_ property: NSPropertyDescription) {
    self.init(
      name: property.name, isOptional: property.isOptional, modifier: property.versionHashModifier,
      content: Self.content(of: property))
  }

  private static func content(of property: NSPropertyDescription) -> VersionHash.Content {
    switch property {
    case let derived as NSDerivedAttributeDescription where derived.givenDerivation != nil:
      return .derived(derived.givenDerivation.map(text) ?? "")
    case let attribute as NSAttributeDescription:
      let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
      return .attribute(
        attribute.attributeType, isExternal: attribute.allowsExternalBinaryDataStorage,
        isPreserved: attribute.preservesValueInHistoryOnDeletion, elements: elements.map(VersionHash.Property.init))
    case let relationship as NSRelationshipDescription:
      let inverse = relationship.givenInverse.flatMap { $0 === relationship ? nil : $0.name }
      return .relationship(
        destination: relationship.givenDestination?.name ?? "", inverse: inverse, minCount: relationship.minCount,
        maxCount: relationship.maxCount, isOrdered: relationship.isOrdered)
    default: return .other
    }
  }

  /// Returns an expression in Apple's syntax, which keeps the colon of a function: `count:(pages)`.
  private static func text(of expression: ExpressionNode) -> String {
    guard case .function(let function, let arguments) = expression, arguments.count == function.argumentCount,
      arguments.count <= 1, function != .cast
    else { return expression.description }
    return "\(function.rawValue)(\(arguments.map(text).joined()))"
  }
}
