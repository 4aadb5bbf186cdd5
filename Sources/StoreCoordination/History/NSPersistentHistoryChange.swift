import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore

/// A change of one object in a transaction.
///
/// Any thread may use it. See <https://developer.apple.com/documentation/coredata/nspersistenthistorychange>
open class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
  // Sendable: nothing changes after it was made.

  let record: HistoryRecord
  private let index: Int

  var change: HistoryChange { record.transaction.changes[index] }

  init(_ record: HistoryRecord, _ index: Int) {
    self.record = record
    self.index = index
  }

  /// The number of the change, which increases with every change in the store.
  public var changeID: Int64 { change.number }

  /// The ID of the object.
  public var changedObjectID: NSManagedObjectID { record.objectID(of: change) }

  /// Whether the object was inserted, updated or deleted.
  public var changeType: NSPersistentHistoryChangeType {
    switch change.kind {
    case .insert: .insert
    case .update: .update
    case .delete: .delete
    }
  }

  /// The values of a deleted object in the attributes that the model preserves for the history, by name, as
  /// `value(forKey:)` returned them.
  ///
  /// Nil values, and large data that may be stored in files, are left out. Nil for other changes, and if there are no
  /// values.
  ///
  /// ```swift
  /// quakeEntity.attributesByName["place"]?
  ///   .preservesValueInHistoryOnDeletion = true  // Before the model is in use.
  ///
  /// func deletedPlaces(_ changes: [NSPersistentHistoryChange]) -> [String] {
  ///   changes.filter { $0.changeType == .delete }
  ///     .compactMap { $0.tombstone?["place"] as? String }
  /// }
  /// ```
  public var tombstone: [AnyHashable: Any]? {
    guard !change.tombstone.isEmpty else { return nil }
    let layout = record.model.layout(number: change.id.entity)
    func object(_ slot: Int) -> Any? { change.tombstone[slot].flatMap { layout.slots[slot].object(of: $0) } }
    var values: [AnyHashable: Any] = [:]
    for slot in change.tombstone.keys {
      values[layout.slots[slot].ownerName] = layout.composite(of: slot).map { $0.dictionary(object) } ?? object(slot)
    }
    return values
  }

  /// The attributes and relationships that an update changed; nil for other changes.
  public var updatedProperties: Set<NSPropertyDescription>? {
    guard change.kind == .update else { return nil }
    let properties = record.model.entity(number: change.id.entity).propertiesByName
    return Set(change.updatedProperties.compactMap { properties[$0] })
  }

  /// The transaction that the change belongs to.
  public var transaction: NSPersistentHistoryTransaction? { NSPersistentHistoryTransaction(record) }

  /// The entity of changes, for fetch requests.
  public class var entityDescription: NSEntityDescription? { HistoryModel.change }

  /// Returns the entity of changes; nil while the context has no store with a history.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
    context.hasHistory ? entityDescription : nil
  }

  /// A new fetch request for changes, for `NSPersistentHistoryChangeRequest.fetchRequest`.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { HistoryModel.request(transaction: false) }

  /// Returns whether another change is the same change of the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentHistoryChange else { return false }
    return changeID == other.changeID && record.store.uuid == other.record.store.uuid
  }

  /// A hash of the change's number.
  open override var hash: Int { changeID.hashValue }

  /// A description of the change.
  open override var description: String {
    "<NSPersistentHistoryChange \(changeID): \(changeType) of \(changedObjectID)>"
  }

  /// Returns the change itself, which is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The kind of change of an object.
///
/// See <https://developer.apple.com/documentation/coredata/nspersistenthistorychangetype>
public enum NSPersistentHistoryChangeType: Int, Sendable {
  /// The object was inserted.
  case insert = 0
  /// The object was updated.
  case update = 1
  /// The object was deleted.
  case delete = 2
}
