import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Subclasses of the migration manager that override everything that Apple's framework allows.
@Suite struct MigrationSubclassTests {
  /// Reports its own progress twice and migrates nothing.
  private final class EstimatingManager: NSMigrationManager {
    private var estimate: Float = 0
    private(set) var migrated: [URL] = []

    override var migrationProgress: Float { estimate }
    override var sourceModel: NSManagedObjectModel { super.sourceModel }
    override var destinationModel: NSManagedObjectModel { super.destinationModel }
    override var userInfo: [AnyHashable: Any]? {
      get { ["estimate": estimate] }
      set {}
    }
    override var usesStoreSpecificMigrationManager: Bool {
      get { false }
      set { fatalError("The manager cannot use another one.") }
    }

    override func migrateStore(
      from sourceURL: URL, type sourceType: NSPersistentStore.StoreType,
      options sourceOptions: [AnyHashable: Any]? = nil, mapping: NSMappingModel, to destinationURL: URL,
      type destinationType: NSPersistentStore.StoreType, options destinationOptions: [AnyHashable: Any]? = nil
    ) throws {
      migrated = [sourceURL, destinationURL]
      willChangeValue(forKey: "migrationProgress")
      estimate = 0.5
      didChangeValue(forKey: "migrationProgress")
      willChangeValue(for: \.migrationProgress)
      estimate = 1
      didChangeValue(for: \.migrationProgress)
      willChangeValue(forKey: "userInfo")
      didChangeValue(forKey: "userInfo")
    }
  }

  @Test func `a subclass reports its own progress`() throws {
    let model = makeModel([makeEntity("Person")])
    let manager = EstimatingManager(sourceModel: model, destinationModel: model)
    var steps: [(old: Float?, new: Float?)] = []
    var priors: [Float?] = []
    let observation = manager.observe(\.migrationProgress, options: [.old, .new, .prior]) { observed, change in
      if change.isPrior { priors.append(change.oldValue) } else { steps.append((change.oldValue, change.newValue)) }
      #expect(observed === manager)
    }
    // The older method calls the newer one, which the subclass overrides.
    let (from, to) = (URL(fileURLWithPath: "/old"), URL(fileURLWithPath: "/new"))
    try manager.migrateStore(
      from: from, sourceType: NSSQLiteStoreType, with: NSMappingModel(), toDestinationURL: to,
      destinationType: NSSQLiteStoreType)
    #expect(manager.migrated == [from, to] && manager.sourceModel === model)
    #expect(steps.map(\.old) == [0, 0.5] && steps.map(\.new) == [0.5, 1] && priors == [0, 0.5])
    observation.invalidate()
  }
}
