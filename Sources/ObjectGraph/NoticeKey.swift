/// The keys of the notifications about objects, as their dictionaries hold them: boxing, hashing and comparing texts is
/// most of the work of a notification about one object.
enum NoticeKey {
  // The box of a String is a value that never changes; AnyHashable just does not say so.
  nonisolated(unsafe) static let context = AnyHashable(NSManagedObjectContextKey)
  nonisolated(unsafe) static let inserted = AnyHashable(NSInsertedObjectsKey)
  nonisolated(unsafe) static let updated = AnyHashable(NSUpdatedObjectsKey)
  nonisolated(unsafe) static let deleted = AnyHashable(NSDeletedObjectsKey)
  nonisolated(unsafe) static let refreshed = AnyHashable(NSRefreshedObjectsKey)
  nonisolated(unsafe) static let insertedIDs = AnyHashable(NSInsertedObjectIDsKey)
  nonisolated(unsafe) static let updatedIDs = AnyHashable(NSUpdatedObjectIDsKey)
  nonisolated(unsafe) static let deletedIDs = AnyHashable(NSDeletedObjectIDsKey)
  nonisolated(unsafe) static let refreshedIDs = AnyHashable(NSRefreshedObjectIDsKey)

  /// A dictionary with so much room that two keys seldom meet: comparing them takes longer than all the rest.
  static func makeUserInfo() -> [AnyHashable: Any] { Dictionary(minimumCapacity: 12) }
}

extension Set {
  /// Members with so much room that two of them seldom meet: comparing objects costs more than a place.
  init(withRoom members: [Element]) {
    self.init(minimumCapacity: 2 * members.count)
    for member in members { insert(member) }
  }
}
