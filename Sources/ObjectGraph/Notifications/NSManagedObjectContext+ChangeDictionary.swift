import Foundation
import StrataManagedModel
import StrataRowStore

/// Others' changes in the form of notifications and history: dictionaries of objects, IDs or URIs.
extension NSManagedObjectContext {
  func merge(_ notification: Notification) {
    checkQueue("mergeChanges(fromContextDidSave:)")
    merge(savedChanges(in: notification.userInfo ?? [:]))
  }

  /// Merges changes into several contexts, each on its own queue, parents before their children. Use it after a batch
  /// request, which changes no objects.
  ///
  /// ```swift
  /// let request = NSBatchUpdateRequest(entityName: "Quake")
  /// request.propertiesToUpdate = ["depth": 0]
  /// request.resultType = .updatedObjectIDsResultType  // Not the default.
  /// let result = try context.execute(request) as? NSBatchUpdateResult
  /// let ids = result?.result as? [NSManagedObjectID] ?? []
  /// NSManagedObjectContext.mergeChanges(
  ///   fromRemoteContextSave: [NSUpdatedObjectsKey: ids],
  ///   into: [context, viewContext])
  /// ```
  /// - Parameters:
  ///   - changeNotificationData: sets or arrays of objects, IDs or URIs, under the keys of the did-change and did-save
  ///     notifications.
  ///   - contexts: the contexts to merge into.
  public class func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    for context in contexts.sorted(by: { $0.depth < $1.depth }) {
      context.performAndWait { context.merge(context.savedChanges(in: changeNotificationData)) }
    }
  }

  /// The number of contexts between this one and the coordinator.
  private var depth: Int { parent.map { $0.depth + 1 } ?? 0 }

  private func savedChanges(in userInfo: [AnyHashable: Any]) -> ObjectIDChanges {
    ObjectIDChanges(
      inserted: ids(in: userInfo, NSInsertedObjectsKey, NSInsertedObjectIDsKey),
      updated: ids(
        in: userInfo, NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey,
        NSInvalidatedObjectsKey, NSInvalidatedObjectIDsKey),
      deleted: ids(in: userInfo, NSDeletedObjectsKey, NSDeletedObjectIDsKey))
  }

  /// Returns the rows under any of several keys, each once.
  private func ids(in userInfo: [AnyHashable: Any], _ keys: String...) -> [RowID] {
    var known = Set<RowID>()
    return keys.flatMap { members(userInfo[$0]).compactMap(rowID(ofMember:)) }.filter { known.insert($0).inserted }
  }

  private func members(_ collection: Any?) -> [Any] {
    switch collection {
    case let array as [Any]: array
    case let set as Set<AnyHashable>: set.map(\.base)
    case let set as NSSet: set.allObjects
    case let array as NSArray: (0..<array.count).map(array.object)
    case let set as NSOrderedSet: set.array
    default: []
    }
  }

  private func rowID(ofMember member: Any) -> RowID? {
    switch member {
    case let object as NSManagedObject: rowID(of: object.objectID)
    case let id as NSManagedObjectID: rowID(of: id)
    case let uri as URL: rowID(of: uri)
    case let uri as NSURL: rowID(of: uri as URL)
    default: nil
    }
  }

  /// Returns the row that a URI identifies in the stores of this context's coordinator, or a new object of this
  /// process.
  package func rowID(of uri: URL) -> RowID? {
    guard uri.scheme == "x-coredata", let source else { return nil }
    // A row's name may contain a slash, which is encoded.
    let encoded = uri.path(percentEncoded: true).split(separator: "/").map(String.init)
    guard encoded.count == 2, let entity = encoded[0].removingPercentEncoding else { return nil }
    if uri.host?.isEmpty ?? true, let layout = source.model.entitiesByName[entity]?.layout {
      return NSManagedObjectID.temporaryKey(in: encoded[1]).map { RowID(store: 0, entity: layout.number, key: $0) }
    }
    guard let host = uri.host, let store = source.store(uuid: host), encoded[1].hasPrefix("p"),
      let layout = source.model.entitiesByName[entity]?.layout
    else { return nil }
    let name = String(encoded[1].dropFirst())
    if let names = store.names { return names.id(named: name, entity: layout.number) }
    guard let key = Int64(name), key > 0, key <= RowID.maximumKey else { return nil }
    return RowID(store: store.number, entity: layout.number, key: key)
  }
}
