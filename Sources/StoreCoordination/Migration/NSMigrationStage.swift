import Foundation
import StrataManagedModel

/// A stage of a staged migration.
///
/// See <https://developer.apple.com/documentation/coredata/nsmigrationstage>
open class NSMigrationStage: NSObject {
  /// The label of the stage, for people.
  public var label: String! = ""

  override init() { super.init() }
}

/// A stage over versions between which lightweight migration is possible.
///
/// See <https://developer.apple.com/documentation/coredata/nslightweightmigrationstage>
open class NSLightweightMigrationStage: NSMigrationStage {
  /// The checksums of the versions, oldest first.
  public let versionChecksums: [String]

  init(checksums: [String]) {
    versionChecksums = checksums
    super.init()
  }

  /// Creates a stage over versions, given by their checksums, oldest first.
  public convenience init(_ checksums: [String]) { self.init(checksums: checksums) }
}

/// A stage between two versions, with code of the program's own before and after.
///
/// See <https://developer.apple.com/documentation/coredata/nscustommigrationstage>
open class NSCustomMigrationStage: NSMigrationStage {
  /// The version before the stage.
  public let currentModel: NSManagedObjectModelReference
  /// The version after the stage.
  public let nextModel: NSManagedObjectModelReference
  /// Called before the tables change, while `container` has the store open in the old version. It may be called again
  /// after a failure, so it must be able to resume.
  public var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
  /// Called after the tables changed, while `container` has the store open in the new version.
  public var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

  init(from current: NSManagedObjectModelReference, to next: NSManagedObjectModelReference) {
    currentModel = current
    nextModel = next
    super.init()
  }

  /// Creates a stage between two versions.
  public convenience init(
    migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference
  ) {
    self.init(from: currentModel, to: nextModel)
  }
}
