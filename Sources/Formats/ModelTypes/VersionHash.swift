/// Apple's version hashes, which determine whether a model and a store are compatible.
///
/// The algorithm is undocumented; this one reproduces the hashes of stores written by Apple's Core Data. Strings are
/// UTF-8 without terminator, integers little-endian, names in byte order.
///
/// The hash of a derived attribute is that of its expression's text alone, without its name and type. That holds for
/// key paths (`primaryLabel.code`) and functions (`count:(pages)`, `canonical:(title)`, `now()`) in all stores and
/// compiled models examined. No store with a composite attribute was available: its elements are included here, so that
/// the hash changes with them, but not as in Apple's framework.
package enum VersionHash {
  /// The size of a hash in bytes.
  package static let size = 32

  /// The parts of an entity that its hash covers.
  package struct Entity {
    package var name: String
    package var isAbstract: Bool
    /// The hash of the parent entity; nil for a root entity.
    package var parent: [UInt8]?
    /// The properties that stores have, declared and inherited.
    package var properties: [Property]
    package var modifier: String?
    /// The names in each uniqueness constraint that the entity itself declares.
    package var constraints: [[String]]

    package init(
      name: String, isAbstract: Bool, parent: [UInt8]?, properties: [Property], modifier: String?,
      constraints: [[String]]
    ) {
      (self.name, self.isAbstract, self.parent) = (name, isAbstract, parent)
      (self.properties, self.modifier, self.constraints) = (properties, modifier, constraints)
    }

    package var hash: [UInt8] {
      var bytes = Array(name.utf8) + [isAbstract ? 1 : 0] + (parent ?? [])
      let sorted = properties.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      for property in sorted { bytes += property.hash }
      if let modifier { bytes += Array(modifier.utf8) }
      for constraint in constraints.map({ $0.joined(separator: ".") }).sorted() { bytes += Array(constraint.utf8) }
      return SHA2.hash256(bytes)
    }
  }

  /// The parts of a property that its hash covers.
  package struct Property {
    package var name: String
    package var isOptional: Bool
    package var modifier: String?
    package var content: Content

    package init(name: String, isOptional: Bool, modifier: String?, content: Content) {
      (self.name, self.isOptional, self.modifier, self.content) = (name, isOptional, modifier, content)
    }

    package var hash: [UInt8] {
      switch content {
      case .derived(let text): return SHA2.hash256(Array(text.utf8))
      case .other: return base
      case .attribute(let type, let isExternal, let isPreserved, let elements):
        let flags = (isExternal ? [1] : []) + (isPreserved ? [1] : []) as [UInt8]
        let inner = elements.sorted { $0.name < $1.name }.flatMap(\.hash)
        return SHA2.hash256(base + littleEndian(UInt32(type.rawValue)) + flags + inner)
      case .relationship(let destination, let inverse, let minCount, let maxCount, let isOrdered):
        var bytes = base + Array(destination.utf8) + Array((inverse ?? "").utf8)
        bytes += littleEndian(UInt32(truncatingIfNeeded: maxCount))
        bytes += littleEndian(UInt32(truncatingIfNeeded: minCount))
        if isOrdered { bytes += littleEndian(UInt16(1)) }
        return SHA2.hash256(bytes)
      }
    }

    private var base: [UInt8] {
      SHA2.hash256(Array(name.utf8) + littleEndian(UInt16(isOptional ? 1 : 0)) + Array((modifier ?? "").utf8))
    }

    private func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
  }

  package enum Content {
    /// The expression in Apple's syntax, which keeps the colon of a function: `count:(pages)`.
    case derived(String)
    case attribute(NSAttributeType, isExternal: Bool, isPreserved: Bool, elements: [Property])
    /// - Parameter inverse: nil also for a relationship that is its own inverse.
    case relationship(destination: String, inverse: String?, minCount: Int, maxCount: Int, isOrdered: Bool)
    case other
  }

  /// Returns the bytes of `versionChecksum`: SHA-256 over the hashes alone.
  /// - Parameter hashes: the hashes of all entities by name.
  package static func checksum(of hashes: [String: [UInt8]]) -> [UInt8] {
    SHA2.hash256(sorted(hashes).flatMap(\.value))
  }

  /// Returns the bytes of `NSStoreModelVersionHashesDigest`: SHA-512 over names and hashes.
  /// - Parameter hashes: the hashes of all entities by name.
  package static func digest(of hashes: [String: [UInt8]]) -> [UInt8] {
    SHA2.hash512(sorted(hashes).flatMap { Array($0.key.utf8) + $0.value })
  }

  private static func sorted(_ hashes: [String: [UInt8]]) -> [(key: String, value: [UInt8])] {
    hashes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
