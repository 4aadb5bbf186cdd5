import Foundation

/// What a Swift key path means in a predicate or an order: names of properties from an object on.
package struct PropertyPath: Hashable, Sendable {
  /// Empty for the object itself.
  package var names: [String]
  /// What the key path reads where a store has nil, if that is not nil: zero, for an optional attribute that is declared
  /// as a plain number.
  package var nilValue: PredicateValue?

  package init(_ names: [String], nilValue: PredicateValue? = nil) {
    self.names = names
    self.nilValue = nilValue
  }
}

/// A class whose key paths have names.
package protocol PropertyPathRoot: AnyObject {
  /// The properties that a key path from the class reads.
  /// - Throws: `UnreadableKeyPathError` for one that is no path of the model's properties.
  static func propertyPath(of keyPath: AnyKeyPath) throws(UnreadableKeyPathError) -> PropertyPath
}

/// A Swift key path that is no path of properties of a model.
package struct UnreadableKeyPathError: Error, Hashable, CustomStringConvertible {
  /// The key path with the type that it leads to.
  package let keyPath: String
  package let reason: String

  package init(_ keyPath: AnyKeyPath, _ reason: String) {
    self.keyPath = "\(keyPath) of type \(type(of: keyPath).valueType)"
    self.reason = reason
  }

  package var description: String { "The key path \(keyPath) names no property of the model: \(reason)" }
}

extension AnyKeyPath {
  /// The properties that the key path reads.
  package var propertyPath: PropertyPath {
    get throws(UnreadableKeyPathError) {
      guard let root = Self.rootType as? any PropertyPathRoot.Type else {
        throw UnreadableKeyPathError(self, "\(Self.rootType) is no class of managed objects.")
      }
      return try root.propertyPath(of: self)
    }
  }
}

extension PredicateValue {
  /// Whether `==` holds between the two, in a predicate without options.
  package func isEqual(to other: PredicateValue) -> Bool { equals(other, []) }
}
