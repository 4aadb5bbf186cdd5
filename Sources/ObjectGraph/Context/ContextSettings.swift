import Foundation

/// Settings that only the context's queue reads; the others are in `ObjectRegistry`.
struct ContextSettings {
  var name: String?
  var transactionAuthor: String?
  var mergePolicy = NSMergePolicy.error
  var stalenessInterval: TimeInterval = -1
  var propagatesDeletesAtEndOfEvent = true
  var shouldDeleteInaccessibleFaults = true
  /// Whether all objects are plain `NSManagedObject`s, as in a migration, where the program's classes may not fit a version.
  var makesPlainObjects = false
  let userInfo = NSMutableDictionary()
}
