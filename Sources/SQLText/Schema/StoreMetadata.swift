import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSupport

/// The dictionary in which a store describes itself and its model, and a program keeps its own entries.
package enum StoreMetadata {
  /// Present in the metadata of a store whose last migration deferred some work.
  package static let deferredKey = "NSPersistentStoreDeferredLightweightMigrationOptionKey"

  /// The digests of the model versions that migrations have left behind, oldest first. A program that knows only one of
  /// them must not migrate the store back.
  package static let earlierVersionsKey = "StrataEarlierModelVersions"

  /// The digest of the model version a store is in.
  private static let digestKey = "NSStoreModelVersionHashesDigest"

  /// The release of Apple's framework whose layout this is: iOS 17, macOS 14.
  static let frameworkVersion = 1344

  /// The keys that the framework itself writes; all others are the program's.
  package static let ownKeys: Set<String> = [
    NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey, NSPersistentStoreModelVersionChecksumKey,
    "NSStoreModelVersionHashesVersion", digestKey, "NSStoreType",
    "NSPersistenceFrameworkVersion", "NSPersistenceMaximumFrameworkVersion", "_NSAutoVacuumLevel",
    deferredKey, earlierVersionsKey,
  ]

  /// The entries about the model, which stores of all types have.
  package static func modelDictionary(for schema: StoreSchema) -> [String: any Sendable] {
    let hashes = schema.layouts.versionHashes
    return [
      NSStoreModelVersionHashesKey: hashes,
      "NSStoreModelVersionHashesVersion": 3,
      NSStoreModelVersionIdentifiersKey: schema.model.versionIdentifiers,
      digestKey: hashes.versionDigest,
      NSPersistentStoreModelVersionChecksumKey: hashes.versionChecksum,
      "NSPersistenceFrameworkVersion": frameworkVersion,
    ]
  }

  /// Whether a migration has left a model version behind.
  /// - Parameter hashes: the version hashes of the entities that the store would hold in that version.
  package static func haveLeft(_ hashes: [String: Data], in metadata: [String: any Sendable]) -> Bool {
    earlierVersions(in: metadata).contains(hashes.versionDigest)
  }

  private static func earlierVersions(in metadata: [String: any Sendable]) -> [String] {
    metadata[earlierVersionsKey] as? [String] ?? []
  }

  /// The metadata of a store after a migration, with the version it leaves behind added. A migration back, by a program
  /// that knows both versions, leaves nothing behind, so that the store can be migrated forwards again.
  package static func remembering(
    _ old: [String: any Sendable], in new: [String: any Sendable]
  ) -> [String: any Sendable] {
    var earlier = earlierVersions(in: old)
    let hashes = old[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let (left, reached) = (hashes.versionDigest, new[digestKey] as? String)
    if let index = earlier.firstIndex(where: { $0 == reached }) {
      earlier.removeSubrange(index...)
    } else if left != reached, !hashes.isEmpty {
      earlier.append(left)
    }
    return new.merging(earlier.isEmpty ? [:] : [earlierVersionsKey: earlier]) { $1 }
  }

  /// The entities that differ between a model and a store, for messages.
  /// - Parameter own: the version hashes of the model's entities.
  package static func differences(of own: [String: Data], from metadata: [String: any Sendable]) -> String {
    let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let parts = [
      ("only in the model", own.keys.filter { stored[$0] == nil }),
      ("only in the store", stored.keys.filter { own[$0] == nil }),
      ("different", own.keys.filter { stored[$0] != nil && stored[$0] != own[$0] }),
    ]
    return parts.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.sorted().joined(separator: ", "))" }
      .joined(separator: "; ")
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
  /// - Throws: `.corrupt` for bytes that are not a property list with a dictionary.
  package static func dictionary(from bytes: [UInt8]) throws -> [String: any Sendable] {
    do {
      // On Linux, Foundation's reader crashes on some damaged binary lists.
      if bytes.starts(with: "bplist".utf8) {
        guard let dictionary = BinaryPropertyList(bytes)?.plain as? [String: any Sendable] else {
          throw CocoaError(.propertyListReadCorrupt)
        }
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
        "The store's metadata cannot be read: Z_METADATA.Z_PLIST holds \(bytes.count) bytes that are not a "
          + "dictionary.", cause: error)
    }
  }

  /// A property list as Sendable values.
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
