import Foundation

/// The identity of a model object, valid in all contexts of a store.
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
  /// The identity within all stores.
  public struct ID: Hashable, Codable, Sendable {
    var storeIdentifier: String?
    var entityName: String
    var primaryKey: String
  }

  public let id: ID

  /// The name of the object's entity.
  public var entityName: String { id.entityName }

  /// The identifier of the object's store; nil until the object is saved.
  public var storeIdentifier: String? { id.storeIdentifier }

  /// The identifier of a new object.
  init(entityName: String) { id = ID(entityName: entityName, primaryKey: UUID().uuidString) }

  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.entityName, lhs.id.primaryKey) < (rhs.entityName, rhs.id.primaryKey)
  }
}
