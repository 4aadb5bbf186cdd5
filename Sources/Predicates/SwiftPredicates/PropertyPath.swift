import Foundation

/// The meaning of a Swift key path in a predicate or sort: property names from an object.
package struct PropertyPath: Hashable, Sendable {
  /// Empty for the object itself.
  package var names: [String]
  /// The value that the key path reads if the store has nil, unless that is nil: zero, for an optional attribute
  /// declared as a plain number.
  package var nilValue: PredicateValue?

  package init(_ names: [String], nilValue: PredicateValue? = nil) {
    self.names = names
    self.nilValue = nilValue
  }
}

/// A class whose key paths have names.
package protocol PropertyPathRoot: AnyObject {
  /// The properties that a key path from the class reads.
  /// - Throws: `UnreadableKeyPathError` if it is not a path of the model's properties.
  static func propertyPath(of keyPath: AnyKeyPath) throws(UnreadableKeyPathError) -> PropertyPath
}

/// A class outside of this framework whose key paths have names: a model of SwiftData.
public protocol _NamedKeyPathRoot: AnyObject {
  /// Returns the names of the properties that a key path from the class leads through, none for the object itself; nil if it is
  /// not a path of persisted properties.
  static func _propertyNames(of keyPath: AnyKeyPath) -> [String]?

  /// The names of the entities of the class and its subclasses.
  static var _entityNames: [String] { get }
}

/// A Swift key path that is not a path of model properties.
package struct UnreadableKeyPathError: Error, Hashable, CustomStringConvertible {
  /// The key path and its value type.
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
      if let root = Self.rootType as? any _NamedKeyPathRoot.Type {
        guard let names = root._propertyNames(of: self) else {
          throw UnreadableKeyPathError(self, "it does not lead to a persisted property of \(root).")
        }
        return PropertyPath(names)
      }
      guard let root = Self.rootType as? any PropertyPathRoot.Type else {
        throw UnreadableKeyPathError(self, "\(Self.rootType) is not a class of managed objects.")
      }
      return try root.propertyPath(of: self)
    }
  }
}

extension PredicateValue {
  /// Whether the values are equal by `==` in a predicate without options.
  package func isEqual(to other: PredicateValue) -> Bool { equals(other, options: []) }
}
