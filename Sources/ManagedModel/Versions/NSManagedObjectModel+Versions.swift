import Foundation
import StrataFormats

/// Metadata key: the version hashes of the entities, by entity name.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// Metadata key: the version identifiers of the model that wrote the store.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// Metadata key: the checksum of the model that wrote the store.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"

extension NSManagedObjectModel {
  /// The version hash of each entity, by name.
  public var entityVersionHashesByName: [String: Data] {
    entitiesByName.mapValues(\.versionHash)
  }

  /// A base64 hash of all version hashes, as in `VersionInfo.plist`.
  public var versionChecksum: String { entityVersionHashesByName.versionChecksum }

  /// Returns whether a store can be opened with a configuration of this model without migration.
  ///
  /// That is so if the version hashes of the configuration's entities are those that the store was written with. The
  /// store may also contain superentities and subentities that the configuration does not list.
  /// - Parameters:
  ///   - configuration: the name of the configuration; nil for all entities.
  ///   - metadata: the metadata of the store.
  public func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    guard let entities = entities(forConfigurationName: configuration),
      let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
    else { return false }
    let names = Set(entities.map(\.name))
    return entities.allSatisfy { stored[$0.name ?? ""] == $0.versionHash }
      && stored.allSatisfy { name, hash in
        if names.contains(name) { return true }
        guard let other = entitiesByName[name], other.versionHash == hash else { return false }
        return entities.contains { $0.isKindOf(entity: other) || other.isKindOf(entity: $0) }
      }
  }
}

/// Version hashes by entity name, as in a store's metadata.
extension [String: Data] {
  /// The base64 form of the checksum over the entities.
  package var versionChecksum: String { Data(VersionHash.checksum(of: mapValues(Array.init))).base64EncodedString() }

  /// The base64 form of the longer digest that stores contain as `NSStoreModelVersionHashesDigest`.
  package var versionDigest: String { Data(VersionHash.digest(of: mapValues(Array.init))).base64EncodedString() }
}

extension Sequence<EntityLayout> {
  /// The version hash of each entity, by name.
  package var versionHashes: [String: Data] {
    Dictionary(map { ($0.name, $0.versionHash) }, uniquingKeysWith: { first, _ in first })
  }
}
