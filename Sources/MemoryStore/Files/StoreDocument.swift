/// The contents of an atomic store's file as written: names and strings, to be interpreted by a model.
struct StoreDocument {
  /// An attribute's value: data for binary attributes, text for all others.
  enum Value {
    case text(String)
    case data([UInt8])
  }

  struct Attribute {
    var name: String
    /// `string`, `int16`, `int32`, `int64`, `decimal`, `double`, `float`, `bool`, `date`, `binary`, `uuid`, `uri`.
    var type: String
    var value: Value
  }

  struct Relationship {
    var name: String
    var isToMany: Bool
    /// The destination entity.
    var destination: String
    /// The members' IDs, in order if the relationship is ordered.
    var members: [String]
  }

  struct Object {
    /// The entity's name.
    var type: String
    /// Unique in the store.
    var id: String
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
  }

  /// The store's UUID.
  var identifier: String
  /// Larger than the number of any object that exists or ever existed.
  var nextNumber: Int64
  var metadata: [String: any Sendable]
  var objects: [Object] = []
}

/// A file format of atomic stores.
protocol StoreFormat: Sendable {
  /// The store type.
  static var type: String { get }

  /// - Throws: `.corrupt` for bytes in another format.
  static func document(_ bytes: [UInt8], file: String) throws -> StoreDocument

  /// - Throws: `.unsupported` for metadata that a property list cannot represent.
  static func bytes(of document: StoreDocument) throws -> [UInt8]
}
