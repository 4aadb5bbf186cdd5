import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

extension StoreOptions {
  /// How to infer the migration of an older store; nil if the program does not ask for it. A mapping model in a file of
  /// the program has priority.
  package func inferredMigration(to target: NSManagedObjectModel) -> InferredMigration? {
    guard infersMapping else { return nil }
    var migration = InferredMigration {
      NSMappingModel(from: Bundle.ofTheProgram, forSourceModel: $0, destinationModel: target) != nil
    } findModel: {
      NSManagedObjectModel.mergedModel(from: Bundle.ofTheProgram, forStoreMetadata: $0)
    }
    migration.defers = defersMigration
    migration.checksRows = checksRowsOfMandatoryAttributes
    return migration
  }
}
