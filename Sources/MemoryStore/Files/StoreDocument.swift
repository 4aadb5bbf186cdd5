/// What the file of an atomic store says, as it is written there: names and texts, which only a model gives a meaning.
struct StoreDocument {
  /// The value of an attribute: data as they are, everything else as text.
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
    /// The entity at the other end.
    var destination: String
    /// The ids of the members, in the relationship's order if it has one.
    var members: [String]
  }

  struct Object {
    /// The entity.
    var type: String
    /// Unique in the store.
    var id: String
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
  }

  /// The store's UUID.
  var identifier: String
  /// No object has a number from here on, or had one.
  var nextNumber: Int64
  var metadata: [String: any Sendable]
  var objects: [Object] = []
}

/// A form of the files of atomic stores.
protocol StoreFormat: Sendable {
  /// The type of the stores.
  static var type: String { get }

  /// - Throws: `.corrupt` for bytes of another form.
  static func document(_ bytes: [UInt8], file: String) throws -> StoreDocument

  /// - Throws: `.unsupported` for metadata that no property list can hold.
  static func bytes(of document: StoreDocument) throws -> [UInt8]
}
