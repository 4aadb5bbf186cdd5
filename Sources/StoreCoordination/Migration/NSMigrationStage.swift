import Foundation
import StrataManagedModel

/// A step of a staged migration.
/// See https://developer.apple.com/documentation/coredata/nsmigrationstage
open class NSMigrationStage: NSObject {
  /// What the stage is called, for people.
  public var label: String! = ""

  override init() { super.init() }
}

/// Versions between which a mapping model can be inferred.
/// See https://developer.apple.com/documentation/coredata/nslightweightmigrationstage
open class NSLightweightMigrationStage: NSMigrationStage {
  /// The checksums of the versions, the oldest first.
  public let versionChecksums: [String]

  init(checksums: [String]) {
    versionChecksums = checksums
    super.init()
  }

  /// A stage over versions, by their checksums, the oldest first.
  public convenience init(_ checksums: [String]) { self.init(checksums: checksums) }
}

/// One version that becomes the next, with work of the program's own before and after.
/// See https://developer.apple.com/documentation/coredata/nscustommigrationstage
open class NSCustomMigrationStage: NSMigrationStage {
  /// The version before.
  public let currentModel: NSManagedObjectModelReference
  /// The version after.
  public let nextModel: NSManagedObjectModelReference
  /// Called before the tables change, with the store open in the old version as `container`. It may be called again
  /// after a failure, so it must be able to go on.
  public var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
  /// Called after the tables changed, with the store open in the new version as `container`.
  public var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

  init(from current: NSManagedObjectModelReference, to next: NSManagedObjectModelReference) {
    currentModel = current
    nextModel = next
    super.init()
  }

  /// A stage between two versions.
  public convenience init(
    migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference
  ) {
    self.init(from: currentModel, to: nextModel)
  }
}
