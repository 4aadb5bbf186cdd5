import CoreData
import Foundation

/// The identity of a model, valid in all contexts and processes that have its store.
///
/// A new model gets another identifier when it is saved.
///
/// See <https://developer.apple.com/documentation/swiftdata/persistentidentifier>
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
  /// The identity within all stores.
  public struct ID: Hashable, Codable, Sendable {
    var storeIdentifier: String?
    var entityName: String
    var primaryKey: String
  }

  /// The identity if it does not come from a managed object's ID.
  private let known: ID?
  /// The managed object's ID; nil for a new model, and for an identifier that was decoded.
  let objectID: NSManagedObjectID?

  /// The identity within all stores.
  public var id: ID { known ?? objectID.map(ID.init) ?? ID(entityName: "", primaryKey: "") }

  /// The name of the model's entity.
  public var entityName: String { known?.entityName ?? objectID?.entity.name ?? "" }

  /// The identifier of the model's store; nil until the model is saved.
  public var storeIdentifier: String? { id.storeIdentifier }

  /// The identifier of a new model.
  init(entityName: String) {
    known = ID(entityName: entityName, primaryKey: UUID().uuidString)
    objectID = nil
  }

  init(_ objectID: NSManagedObjectID) { (known, self.objectID) = (nil, objectID) }

  /// The URI of the managed object's ID; nil for a new model.
  var uri: URL? {
    let id = id
    return id.storeIdentifier.flatMap { URL(string: "x-coredata://\($0)/\(id.entityName)/\(id.primaryKey)") }
  }

  public init(from decoder: any Decoder) throws {
    known = try ID(from: decoder)
    objectID = nil
  }

  public func encode(to encoder: any Encoder) throws { try id.encode(to: encoder) }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    if let left = lhs.objectID, let right = rhs.objectID, left == right { return true }
    return lhs.id == rhs.id
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  public static func < (lhs: Self, rhs: Self) -> Bool {
    if lhs.entityName != rhs.entityName { return lhs.entityName < rhs.entityName }
    return lhs.id.primaryKey.compare(rhs.id.primaryKey, options: .numeric) == .orderedAscending
  }
}

extension PersistentIdentifier.ID {
  fileprivate init(_ objectID: NSManagedObjectID) {
    let uri = objectID.uriRepresentation()
    self.init(
      storeIdentifier: objectID.isTemporaryID ? nil : uri.host, entityName: objectID.entity.name ?? "",
      primaryKey: uri.lastPathComponent)
  }
}

// MARK: Predicates

extension PersistentIdentifier: _PredicateConstant {
  public var _predicateConstant: Any? { objectID ?? ModelContainer.ofFetch?.managedObjectID(self) }
}

extension Array: _PredicateConstant where Element == PersistentIdentifier {
  public var _predicateConstant: Any? { compactMap { $0._predicateConstant as? NSManagedObjectID } }
}

extension Set: _PredicateConstant where Element == PersistentIdentifier {
  public var _predicateConstant: Any? { Array(self)._predicateConstant }
}
