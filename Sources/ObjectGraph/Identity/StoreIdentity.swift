import Foundation
import StrataRowStore

/// A store as IDs refer to it: its UUID, and its number in one coordinator.
package final class StoreIdentity: @unchecked Sendable {
  // Sendable: mutable state is set once, before the store is shared.

  package private(set) var uuid: String
  package let number: Int
  /// How the store names its rows in URIs; nil if it uses keys.
  package private(set) var names: (any RowNames)?
  /// The public store object, while it exists.
  package var store: AnyObject? { reference.object }
  /// The reference to the store object, which sets and ends it.
  package let reference = LivingReference<AnyObject>()

  package init(uuid: String, number: Int) {
    self.uuid = uuid
    self.number = number
  }

  /// Sets what a store implemented by the program knows once it has read its metadata.
  package func setIdentity(uuid: String, names: any RowNames) {
    self.uuid = uuid
    self.names = names
  }
}

/// The row names of a store implemented by the program.
package protocol RowNames: AnyObject, Sendable {
  /// Returns the name of a row, the same in every process.
  func name(of id: RowID) -> String

  /// Returns the row with a name and entity number; nil if no row can have it.
  func id(named name: String, entity: Int) -> RowID?
}
