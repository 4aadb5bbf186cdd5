import Foundation

/// A place in the histories of stores: for each store the last transaction before it.
/// See https://developer.apple.com/documentation/coredata/nspersistenthistorytoken
open class NSPersistentHistoryToken: NSObject, NSCopying, @unchecked Sendable {
  // Sendable: nothing changes after it was made.

  /// Transaction numbers by the UUIDs of the stores.
  let numbers: [String: Int64]

  init(_ numbers: [String: Int64]) { self.numbers = numbers }

  open override func isEqual(_ object: Any?) -> Bool { (object as? NSPersistentHistoryToken)?.numbers == numbers }

  open override var hash: Int { numbers.hashValue }

  public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension NSPersistentStoreCoordinator {
  /// The place after the newest transaction of stores; nil for all of the coordinator's. nil if none has a history.
  public func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
    let stores = stores?.compactMap { $0 as? NSPersistentStore } ?? persistentStores
    var numbers: [String: Int64] = [:]
    for store in stores where store.follower != nil {
      numbers[store.backEnd.identifier] = try? store.backEnd.newestTransaction()
    }
    return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
  }
}
