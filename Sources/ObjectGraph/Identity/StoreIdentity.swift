import Foundation
import StrataRowStore

/// A store as ids know it: its UUID, and its number in one coordinator.
package final class StoreIdentity: @unchecked Sendable {
  // Sendable: what changes is set once, before the store is handed out.

  package private(set) var uuid: String
  package let number: Int
  /// How the store names its rows in URIs; nil for keys.
  package private(set) var names: (any RowNames)?
  /// The public store object, as long as it is there.
  package var store: AnyObject? { reference.object }
  /// What leads there; the store object begins and ends it.
  package let reference = LivingReference<AnyObject>()

  package init(uuid: String, number: Int) {
    self.uuid = uuid
    self.number = number
  }

  /// What a store that a program wrote knows once it has read its metadata.
  package func settle(uuid: String, names: any RowNames) {
    self.uuid = uuid
    self.names = names
  }
}

/// The names that a store which a program wrote has for its rows.
package protocol RowNames: AnyObject, Sendable {
  /// The name of a row, the same in every process.
  func name(of id: RowID) -> String

  /// The row with a name, of an entity with a number; nil if no row can have it.
  func id(named name: String, entity: Int) -> RowID?
}
