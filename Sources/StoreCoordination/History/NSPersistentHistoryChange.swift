import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// What happened to one object in a transaction.
///
/// Any thread may use it. See https://developer.apple.com/documentation/coredata/nspersistenthistorychange
open class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
  // Sendable: nothing changes after it was made.

  let record: HistoryRecord
  private let place: Int

  var change: HistoryChange { record.transaction.changes[place] }

  init(_ record: HistoryRecord, _ place: Int) {
    self.record = record
    self.place = place
  }

  /// Grows with every change in the store.
  public var changeID: Int64 { change.number }

  /// Which object.
  public var changedObjectID: NSManagedObjectID { record.objectID(of: change) }

  /// Whether it was inserted, updated or deleted.
  public var changeType: NSPersistentHistoryChangeType {
    switch change.kind {
    case .insert: .insert
    case .update: .update
    case .delete: .delete
    }
  }

  /// The values that a deleted object had in the attributes that the model has kept for the history, by name, as
  /// `value(forKey:)` answers them; nil values and large data that may lie in files are left out. nil of other changes,
  /// and if there are none.
  public var tombstone: [AnyHashable: Any]? {
    guard !change.tombstone.isEmpty else { return nil }
    let layout = record.model.layout(number: change.id.entity)
    func object(_ slot: Int) -> Any? { change.tombstone[slot].flatMap { layout.slots[slot].object(of: $0) } }
    var values: [AnyHashable: Any] = [:]
    for slot in change.tombstone.keys {
      values[layout.slots[slot].owner.name] = layout.composite(of: slot).map { $0.dictionary(object) } ?? object(slot)
    }
    return values
  }

  /// The attributes and relationships that an update changed; nil of other changes.
  public var updatedProperties: Set<NSPropertyDescription>? {
    guard change.kind == .update else { return nil }
    let properties = record.model.layout(number: change.id.entity).entity.propertiesByName
    return Set(change.updatedProperties.compactMap { properties[$0] })
  }

  /// The transaction that the change is a part of.
  public var transaction: NSPersistentHistoryTransaction? { NSPersistentHistoryTransaction(record) }

  /// The entity of changes, for requests.
  public class var entityDescription: NSEntityDescription? { HistoryModel.change }

  /// The entity of changes; nil as long as the context has no store with a history.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
    context.hasHistory ? entityDescription : nil
  }

  /// A new request for changes, for `NSPersistentHistoryChangeRequest.fetchRequest`.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { HistoryModel.request(transaction: false) }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentHistoryChange else { return false }
    return changeID == other.changeID && record.store.uuid == other.record.store.uuid
  }

  open override var hash: Int { changeID.hashValue }

  open override var description: String {
    "<NSPersistentHistoryChange \(changeID): \(changeType) of \(changedObjectID)>"
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// What can happen to an object.
/// See https://developer.apple.com/documentation/coredata/nspersistenthistorychangetype
public enum NSPersistentHistoryChangeType: Int, Sendable {
  case insert = 0
  case update = 1
  case delete = 2
}
