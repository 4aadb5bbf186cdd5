import Foundation

/// A store as ids know it: its UUID, and its number in one coordinator.
package final class StoreIdentity: @unchecked Sendable {
  // Sendable: `store` is set once, before the identity is handed out, and weak references are atomic.

  package let uuid: String
  package let number: Int
  /// The public store object.
  package weak var store: AnyObject?

  package init(uuid: String, number: Int) {
    self.uuid = uuid
    self.number = number
  }
}
