import Foundation
import StrataFileFormats
import StrataPredicates

/// Apple's version hashes, which determine whether a model and a store are compatible.
///
/// The algorithm is undocumented; this one reproduces the hashes of stores written by Apple's Core Data. Strings are
/// UTF-8 without terminator, integers little-endian, names in byte order.
///
/// The hash of a derived attribute is that of its expression's text alone, without its name and type. That holds for
/// key paths (`primaryLabel.code`) and functions (`count:(pages)`, `canonical:(title)`, `now()`) in all stores and
/// compiled models examined. No store with a composite attribute was available: its elements are included here, so that
/// the hash changes with them, but not as in Apple's framework.
enum VersionHash {
  /// The bytes of a hash.
  static let size = 32

  static func entity(_ entity: NSEntityDescription) -> [UInt8] {
    var bytes = Array((entity.name ?? "").utf8) + [entity.isAbstract ? 1 : 0]
    if let parent = entity.superentity { bytes += self.entity(parent) }
    let stored = entity.propertiesByName.values.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) }
    for property in stored.sorted(by: { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }) {
      bytes += self.property(property)
    }
    if let modifier = entity.versionHashModifier { bytes += Array(modifier.utf8) }
    for constraint in entity.uniqueNames.map({ $0.joined(separator: ".") }).sorted() { bytes += Array(constraint.utf8) }
    return SHA2.hash256(bytes)
  }

  static func property(_ property: NSPropertyDescription) -> [UInt8] {
    if let derived = property as? NSDerivedAttributeDescription, let expression = derived.givenDerivation {
      return SHA2.hash256(Array(text(of: expression).utf8))
    }
    var bytes = base(property)
    switch property {
    case let attribute as NSAttributeDescription:
      bytes += littleEndian(UInt32(attribute.attributeType.rawValue))
      if attribute.allowsExternalBinaryDataStorage { bytes.append(1) }
      if attribute.preservesValueInHistoryOnDeletion { bytes.append(1) }
      if let composite = attribute as? NSCompositeAttributeDescription {
        bytes += composite.elements.sorted { $0.name < $1.name }.flatMap(self.property)
      }
    case let relationship as NSRelationshipDescription:
      bytes += Array((relationship.givenDestination?.name ?? "").utf8)
      if let inverse = relationship.givenInverse, inverse !== relationship { bytes += Array(inverse.name.utf8) }
      bytes += littleEndian(UInt32(truncatingIfNeeded: relationship.maxCount))
      bytes += littleEndian(UInt32(truncatingIfNeeded: relationship.minCount))
      if relationship.isOrdered { bytes += littleEndian(UInt16(1)) }
    default:
      return bytes
    }
    return SHA2.hash256(bytes)
  }

  /// Returns an expression in Apple's syntax, which keeps the colon of a function: `count:(pages)`.
  private static func text(of expression: ExpressionNode) -> String {
    guard case .function(let function, let arguments) = expression, arguments.count == function.argumentCount,
      arguments.count <= 1, function != .cast
    else { return expression.description }
    return "\(function.rawValue)(\(arguments.map(text).joined()))"
  }

  private static func base(_ property: NSPropertyDescription) -> [UInt8] {
    var bytes = Array(property.name.utf8) + littleEndian(UInt16(property.isOptional ? 1 : 0))
    if let modifier = property.versionHashModifier { bytes += Array(modifier.utf8) }
    return SHA2.hash256(bytes)
  }

  /// Returns `NSStoreModelVersionHashesDigest`: SHA-512 over names and hashes.
  static func digest(of hashes: [String: Data]) -> String {
    Data(SHA2.hash512(sorted(hashes).flatMap { Array($0.key.utf8) + Array($0.value) })).base64EncodedString()
  }

  /// Returns `versionChecksum`: SHA-256 over the hashes alone.
  static func checksum(of hashes: [String: Data]) -> String {
    Data(SHA2.hash256(sorted(hashes).flatMap { Array($0.value) })).base64EncodedString()
  }

  private static func sorted(_ hashes: [String: Data]) -> [(key: String, value: Data)] {
    hashes.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }
  }

  private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
