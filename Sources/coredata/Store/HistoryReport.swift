import CoreData
import Foundation

/// A transaction, for printing.
struct TransactionReport: Encodable {
  struct Change: Encodable {
    var kind: String
    var entity: String
    var key: Int64
    var uri: String
    /// The names of the properties that an update changed.
    var properties: [String]?
    /// The preserved values of a deleted object.
    var tombstone: [String: JSONValue]?

    init(_ change: NSPersistentHistoryChange) {
      kind = "\(change.changeType)"
      let id = change.changedObjectID
      entity = id.entity.name ?? ""
      uri = id.uriRepresentation().absoluteString
      key = Int64(id.uriRepresentation().lastPathComponent.dropFirst()) ?? 0
      properties = change.updatedProperties.map { $0.map(\.name).sorted() }
      let attributes = id.entity.attributesByName
      tombstone = change.tombstone.map { values in
        var plain: [String: JSONValue] = [:]
        for case (let name as String, let value) in values {
          plain[name] = JSONValue(value, of: attributes[name]?.attributeType ?? .undefinedAttributeType)
        }
        return plain
      }
    }

    var line: String {
      var line = "\(kind) \(entity)/p\(key)"
      if let properties, !properties.isEmpty { line += "  \(properties.joined(separator: ", "))" }
      if let tombstone {
        line += "  " + tombstone.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
      }
      return line
    }
  }

  var number: Int64
  var time: Date
  var author: String?
  var contextName: String?
  var bundle: String
  var process: String
  var changes: [Change]

  init(_ transaction: NSPersistentHistoryTransaction) {
    number = transaction.transactionNumber
    time = transaction.timestamp
    (author, contextName) = (transaction.author, transaction.contextName)
    (bundle, process) = (transaction.bundleID, transaction.processID)
    changes = (transaction.changes ?? []).map(Change.init)
  }

  var lines: [String] {
    var head = "\(number)  \(time.formatted(.iso8601))"
    if let author { head += "  by \(author)" }
    if let contextName { head += "  in \(contextName)" }
    return [head + "  (\(bundle) \(process))"] + changes.map { "  \($0.line)" }
  }
}

/// A store opened read-only through Core Data to read its history.
struct HistorySource {
  let opened: ToolStore
  var container: NSPersistentStoreCoordinator { opened.coordinator }
  var store: NSPersistentStore { opened.store }
  var context: NSManagedObjectContext { opened.context }

  /// - Throws: `ToolFailure` for a store without history.
  init(_ url: URL, model: NSManagedObjectModel) throws {
    opened = try .reading(url, model: model)
    guard container.currentPersistentHistoryToken(fromStores: [store]) != nil else {
      throw ToolFailure(.unusable, "the store '\(url.path)' has no history")
    }
  }

  func transactions(_ request: NSPersistentHistoryChangeRequest) throws -> [NSPersistentHistoryTransaction] {
    try context.performAndWait {
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }
  }
}
