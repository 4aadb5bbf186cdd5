import Foundation

/// Settings that only the context's queue reads; the others are in `ObjectRegistry`.
struct ContextSettings {
  var name: String?
  var transactionAuthor: String?
  var mergePolicy = NSMergePolicy.error
  var stalenessInterval: TimeInterval = -1
  var propagatesDeletesAtEndOfEvent = true
  var shouldDeleteInaccessibleFaults = true
  /// The class of all objects; nil for the classes that the entities name. In a migration, for example, these may not fit a
  /// version of the model.
  var objectClass: NSManagedObject.Type?
  let userInfo = NSMutableDictionary()
}
