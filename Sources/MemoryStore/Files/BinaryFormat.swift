import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSupport

/// A binary property list in our own format; Apple does not document the files of its binary stores.
///
///     { format: "strata-binary-store", version: 1, UUID: "…", nextObjectID: 104, metadata: {…},
///       objects: [ [ "Book", "102", [ "title", "string", "Emma", … ], [ "author", false, "Person", ["103"], … ] ], … ] }
///
/// Values are strings, except that values of type `binary` are data.
enum BinaryFormat: StoreFormat {
  static let type = "Binary"
  private static let format = "strata-binary-store"
  private static let version = 1

  static func document(_ bytes: [UInt8], file: String) throws -> StoreDocument {
    let root = BinaryPropertyList(bytes)?.plain as? [String: Any] ?? [:]
    guard root["$archiver"] == nil else {
      throw flaw(
        file,
        reason:
          "it seems to be a binary store of Apple's, whose format is not public. Convert it to SQLite or XML on a Mac, with "
          + "migratePersistentStore(_:to:options:type:)")
    }
    guard root["format"] as? String == format else {
      throw flaw(file, reason: "it is not a binary store, or it is damaged")
    }
    guard let found = root["version"] as? Int, found <= version else {
      throw flaw(file, reason: "it was written by a newer release. Use that")
    }
    guard let identifier = root["UUID"] as? String, let objects = root["objects"] as? [[Any]] else {
      throw flaw(file, reason: "it is damaged")
    }
    var document = StoreDocument(
      identifier: identifier, nextNumber: (root["nextObjectID"] as? NSNumber)?.int64Value ?? 1,
      metadata: metadata(root["metadata"] as? [String: Any] ?? [:]))
    for parts in objects {
      guard let object = object(parts) else { throw flaw(file, reason: "an object in it is damaged") }
      document.objects.append(object)
    }
    return document
  }

  private static func flaw(_ file: String, reason: String) -> StoreError {
    StoreError(.corrupt, "Cannot open the store '\(file)': \(reason).")
  }

  private static func metadata(_ dictionary: [String: Any]) -> [String: any Sendable] {
    dictionary.compactMapValues(sendable)
  }

  private static func sendable(_ value: Any) -> (any Sendable)? {
    switch value {
    case let data as [String: Data] where !data.isEmpty: data
    case let dictionary as [String: Any]: metadata(dictionary)
    case let list as [Any]: list.compactMap(sendable)
    case let text as String: text
    case let data as Data: data
    case let date as Date: date
    case let flag as Bool where Swift.type(of: value) == Bool.self: flag
    case let integer as Int: integer
    case let real as Double: real
    default: nil
    }
  }

  private static func object(_ parts: [Any]) -> StoreDocument.Object? {
    guard parts.count == 4, let type = parts[0] as? String, let id = parts[1] as? String,
      let attributes = parts[2] as? [Any], attributes.count % 3 == 0,
      let relationships = parts[3] as? [Any], relationships.count % 4 == 0
    else { return nil }
    var object = StoreDocument.Object(type: type, id: id)
    for index in stride(from: 0, to: attributes.count, by: 3) {
      guard let name = attributes[index] as? String, let type = attributes[index + 1] as? String,
        let value = value(attributes[index + 2])
      else { return nil }
      object.attributes.append(StoreDocument.Attribute(name: name, type: type, value: value))
    }
    for index in stride(from: 0, to: relationships.count, by: 4) {
      guard let name = relationships[index] as? String, let isToMany = relationships[index + 1] as? Bool,
        let destination = relationships[index + 2] as? String, let members = relationships[index + 3] as? [String]
      else { return nil }
      object.relationships.append(
        StoreDocument.Relationship(name: name, isToMany: isToMany, destination: destination, members: members))
    }
    return object
  }

  private static func value(_ value: Any) -> StoreDocument.Value? {
    if let text = value as? String { return .text(text) }
    return (value as? Data).map { .data(Array($0)) }
  }

  static func bytes(of document: StoreDocument) throws -> [UInt8] {
    let objects: [[Any]] = document.objects.map { object in
      let attributes = object.attributes.flatMap { attribute -> [Any] in
        switch attribute.value {
        case .text(let text): [attribute.name, attribute.type, text]
        case .data(let bytes): [attribute.name, attribute.type, Data(bytes)]
        }
      }
      let relationships = object.relationships.flatMap { relationship -> [Any] in
        [relationship.name, relationship.isToMany, relationship.destination, relationship.members]
      }
      return [object.type, object.id, attributes, relationships]
    }
    let root: [String: Any] = [
      "format": format, "version": version, "UUID": document.identifier, "nextObjectID": document.nextNumber,
      "metadata": document.metadata, "objects": objects,
    ]
    do {
      return Array(try PropertyListSerialization.data(fromPropertyList: root, format: .binary, options: 0))
    } catch {
      throw StoreError(
        .unsupported,
        "The metadata cannot be stored: keys \(document.metadata.keys.sorted()). They may be text, numbers, dates, "
          + "data, and arrays and dictionaries of such. \(error)", cause: error)
    }
  }
}
