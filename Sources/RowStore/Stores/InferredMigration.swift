import Foundation
import StrataManagedModel

/// The migration of a store of an older model that is inferred from the models' difference, when the store is opened.
package struct InferredMigration: Sendable {
  /// Finds the model of a store that has no copy of it, given the store's metadata.
  package var findModel: @Sendable ([String: any Sendable]) -> NSManagedObjectModel?
  /// Whether the program has a better way than inference to migrate a store written with this model. The store is then
  /// left as it is, and opening it fails as if it could not be migrated.
  package var isLeft: @Sendable (NSManagedObjectModel) -> Bool
  /// Whether to leave for `finishMigration` whatever the rows can do without, if the store can.
  package var defers = false
  /// Whether an attribute may become mandatory if all rows have a value.
  package var checksRows = false

  package init(
    isLeft: @escaping @Sendable (NSManagedObjectModel) -> Bool = { _ in false },
    findModel: @escaping @Sendable ([String: any Sendable]) -> NSManagedObjectModel? = { _ in nil }
  ) {
    self.findModel = findModel
    self.isLeft = isLeft
  }
}
