import Foundation
import StrataManagedModel
import StrataRowStore

/// The operations on stores of one type, open or not. `StoreDrivers` has one for each type. URLs may have
/// any scheme that the driver knows.
///
/// Errors are `StoreError` or `CocoaError`. Where a store exists only while it is open, such as in memory, there is no
/// metadata and the operations do nothing.
package protocol StoreDriver: Sendable {
  /// Opens a store, and creates it if it does not exist.
  func open(_ request: OpenRequest) throws -> any BackEnd

  /// Whether there is a store at a URL, so that opening it creates nothing.
  func exists(at url: URL) throws -> Bool

  /// Whether the store at a URL exists only while it is open. Several may share a URL.
  func isInMemory(_ url: URL) -> Bool

  /// The metadata of a store, including UUID and type. Its model need not be known.
  func metadata(at url: URL) throws -> [String: any Sendable]

  /// Replaces the program's own metadata of a store, immediately. Entries that describe its model stay; a UUID becomes the
  /// store's.
  func setMetadata(_ metadata: [String: any Sendable], at url: URL, options: StoreOptions) throws

  /// Empties a store, or removes it if no other process can have it open. A missing store is not an error.
  func destroy(at url: URL, options: StoreOptions) throws

  /// Makes a store a copy of another of the same type, including its UUID. The destination need not exist.
  func replace(at url: URL, with source: URL, options: StoreOptions) throws

  /// This driver, if it can migrate stores; nil if their version is only checked when they are opened.
  var migrating: (any StoreMigrating)? { get }
}

extension StoreDriver {
  package var migrating: (any StoreMigrating)? { nil }
}

/// The description of a store for a driver to open.
package struct OpenRequest {
  package let type: String
  package let url: URL?
  /// The configuration whose entities the store holds; nil means all entities.
  package let configuration: String?
  package let model: NSManagedObjectModel
  /// The store's number in its rows' IDs, unique in the coordinator, 1…255.
  package let number: Int
  package let options: StoreOptions
}

/// The part of a driver that migrations from outside of a store need.
package protocol StoreMigrating: StoreDriver {
  /// The copy of the model that the store keeps; nil without one that can be read.
  func keptModel(at url: URL) throws -> NSManagedObjectModel?

  /// Replaces a store's contents with those of another store that `fill` makes, while no other process can write: of
  /// several processes that do this, each sees what the previous one made. The store keeps its UUID.
  /// - Parameter fill: makes the other store at an unused URL, which is removed afterwards. It may read the store but
  ///   not write it; false leaves the store as it is.
  func rebuild(at url: URL, options: StoreOptions, by fill: (_ copy: URL) throws -> Bool) throws

  /// Runs a migration in several steps, each of which locks out writers itself, while no other process runs one on the
  /// same store.
  func migrateInStages(at url: URL, options: StoreOptions, _ body: () throws -> Void) throws
}
