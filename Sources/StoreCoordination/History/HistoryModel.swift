import Foundation
import StrataManagedModel
import StrataObjectGraph

/// The entities that history requests name. They belong to no program's model and have no objects.
enum HistoryModel {
  /// Named as stores count their transactions and changes.
  static let transaction = entity(
    "TRANSACTION",
    attributes: [
      ("author", .stringAttributeType), ("bundleID", .stringAttributeType), ("contextName", .stringAttributeType),
      ("processID", .stringAttributeType), ("storeID", .stringAttributeType), ("timestamp", .dateAttributeType),
      ("token", .integer64AttributeType), ("transactionNumber", .integer64AttributeType),
    ])
  static let change = entity(
    "CHANGE",
    attributes: [
      ("changeID", .integer64AttributeType), ("changeType", .integer16AttributeType),
      ("changedEntity", .integer64AttributeType), ("changedObjectID", .objectIDAttributeType),
      ("tombstone", .transformableAttributeType), ("updatedProperties", .transformableAttributeType),
    ])

  private static func entity(_ name: String, attributes: [(String, NSAttributeType)]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      return attribute
    }
    return entity
  }

  static func request(transaction isTransaction: Bool) -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = isTransaction ? transaction : change
    return request
  }
}

extension NSManagedObjectContext {
  /// Whether a store of the context has a history.
  var hasHistory: Bool { persistentStoreCoordinator?.persistentStores.contains { $0.commitMonitor != nil } ?? false }
}
