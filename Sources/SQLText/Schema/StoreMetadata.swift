import Foundation
import StrataFileFormats
import StrataManagedModel
import StrataRowStore

/// The dictionary that a store keeps about itself, its model and its program.
package enum StoreMetadata {
  /// The store's UUID and the dictionary.
  package static let read = "SELECT Z_UUID, Z_PLIST FROM Z_METADATA WHERE Z_VERSION = 1"
  /// `?1` the store's UUID as upper-case text, `?2` the dictionary.
  package static let insert = "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?1, ?2)"
  /// `?1` the dictionary.
  package static let update = "UPDATE Z_METADATA SET Z_PLIST = ?1 WHERE Z_VERSION = 1"

  /// `?1` the model that the store is laid out for, in Apple's packed form, or NULL.
  package static let insertModel = "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?1)"

  /// The model that the store is laid out for.
  package static let readModel = "SELECT Z_CONTENT FROM Z_MODELCACHE"

  /// What a store says of itself once it is brought to another model: what the program added stays.
  package static func migrated(_ dictionary: [String: any Sendable], to schema: StoreSchema) -> [String: any Sendable] {
    dictionary.filter { !ownKeys.contains($0.key) }.merging(Self.dictionary(for: schema)) { _, own in own }
  }

  /// In the metadata of a store this says that its last migration has left something for later.
  package static let deferredKey = "NSPersistentStoreDeferredLightweightMigrationOptionKey"

  /// The release of Apple's framework whose layout this is: iOS 17, macOS 14.
  static let frameworkVersion = 1344

  /// The keys that the framework itself writes; all others are the program's.
  package static let ownKeys: Set<String> = [
    NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey, NSPersistentStoreModelVersionChecksumKey,
    "NSStoreModelVersionHashesVersion", "NSStoreModelVersionHashesDigest", "NSStoreType",
    "NSPersistenceFrameworkVersion", "NSPersistenceMaximumFrameworkVersion", "_NSAutoVacuumLevel",
    deferredKey,
  ]

  /// What a store says of the model that its rows are in.
  package static func dictionary(for schema: StoreSchema) -> [String: any Sendable] {
    let hashes = Dictionary(
      schema.layouts.map { ($0.name, $0.entity.versionHash) }, uniquingKeysWith: { first, _ in first })
    return [
      NSStoreModelVersionHashesKey: hashes,
      "NSStoreModelVersionHashesVersion": 3,
      NSStoreModelVersionIdentifiersKey: schema.model.versionIdentifiers.compactMap { $0.base as? String }.sorted(),
      "NSStoreModelVersionHashesDigest": NSManagedObjectModel.digest(of: hashes),
      NSPersistentStoreModelVersionChecksumKey: NSManagedObjectModel.checksum(of: hashes),
      "NSStoreType": "SQLite",
      "NSPersistenceFrameworkVersion": frameworkVersion,
      "_NSAutoVacuumLevel": "2",
    ]
  }

  /// The bytes of Z_PLIST.
  /// - Throws: `.unsupported` for a value that no property list can hold; nothing was written then.
  package static func bytes(of dictionary: [String: any Sendable]) throws -> [UInt8] {
    do {
      return Array(try PropertyListSerialization.data(fromPropertyList: dictionary, format: .binary, options: 0))
    } catch {
      throw StoreError(
        .unsupported,
        "The metadata cannot be stored: keys \(dictionary.keys.sorted()). They may be text, numbers, dates, data, and "
          + "arrays and dictionaries of such. \(error)", cause: error)
    }
  }

  /// The dictionary in the bytes of Z_PLIST.
  /// - Throws: `.corrupt` for bytes that are no property list with a dictionary.
  package static func dictionary(from bytes: [UInt8]) throws -> [String: any Sendable] {
    do {
      // Foundation's reader on Linux stops the program at some binary lists that are damaged.
      if bytes.starts(with: "bplist".utf8) {
        var left = bytes.count
        guard let list = BinaryPropertyList(bytes),
          let dictionary = sendable(list, list.top, &left) as? [String: any Sendable]
        else { throw CocoaError(.propertyListReadCorrupt) }
        return dictionary
      }
      let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
      guard let dictionary = sendable(list) as? [String: any Sendable] else {
        throw CocoaError(.propertyListReadCorrupt)
      }
      return dictionary
    } catch {
      throw StoreError(
        .corrupt,
        "The store's metadata cannot be read: Z_METADATA.Z_PLIST holds \(bytes.count) bytes that are no "
          + "dictionary.", cause: error)
    }
  }

  /// An object of a binary property list. Foundation's reader takes 1 ms when a program starts, as it looks through every
  /// conformance of the program for each of its casts.
  /// - Parameter left: how many objects may still come: a list that names each once has at most as many as it has bytes.
  /// - Returns: nil for what no metadata hold.
  private static func sendable(
    _ list: BinaryPropertyList, _ object: Int, _ left: inout Int, depth: Int = 0
  ) -> (any Sendable)? {
    left -= 1
    guard left >= 0, depth < 64, let value = list.value(object) else { return nil }
    switch value {
    case .boolean(let flag): return flag
    case .integer(let number): return Int(number)
    case .real(let number): return number
    case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let data): return data
    case .string(let text): return text
    case .null, .reference: return nil
    case .array(let objects):
      var members: [any Sendable] = []
      for object in objects {
        guard let member = sendable(list, object, &left, depth: depth + 1) else { return nil }
        members.append(member)
      }
      let texts = members.compactMap { $0 as? String }
      return texts.count == members.count ? texts : members
    case .dictionary(let pairs):
      var members: [String: any Sendable] = [:]
      for (key, value) in pairs {
        guard case .string(let key)? = list.value(key) else { return nil }
        members[key] = sendable(list, value, &left, depth: depth + 1)
      }
      guard members.count == pairs.count else { return nil }
      let data = members.compactMapValues { $0 as? Data }
      return data.count == members.count ? data : members
    }
  }

  /// A property list as values that any thread may read.
  private static func sendable(_ value: Any) -> any Sendable {
    switch value {
    case let dictionary as [String: Data]: dictionary
    case let dictionary as [String: Any]: dictionary.mapValues(sendable)
    case let strings as [String]: strings
    case let array as [Any]: array.map(sendable)
    case let text as String: text
    case let data as Data: data
    case let date as Date: date
    case let flag as Bool where type(of: value) == Bool.self: flag
    case let integer as Int: integer
    case let real as Double: real
    default: String(describing: value)
    }
  }
}
