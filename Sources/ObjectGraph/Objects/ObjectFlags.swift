/// Flags of an object: the lists of its context that contain it, and its state. They are the 12 that `ObjectState` has
/// room for.
struct ObjectFlags: OptionSet {
  let rawValue: UInt16
  /// In the context's list of objects that the next save may concern.
  static let tracked = ObjectFlags(rawValue: 1)
  /// In the list of objects changed since the last ObjectsDidChange.
  static let inEvent = ObjectFlags(rawValue: 2)
  /// Inserted since the last ObjectsDidChange.
  static let insertedInEvent = ObjectFlags(rawValue: 4)
  /// Read again from the store since the last ObjectsDidChange.
  static let refreshedInEvent = ObjectFlags(rawValue: 8)
  /// Deleted since the last ObjectsDidChange.
  static let deletedInEvent = ObjectFlags(rawValue: 16)
  /// The delete rules of its relationships have been applied.
  static let propagated = ObjectFlags(rawValue: 32)
  /// Its row is gone from the store, or was never written because another object has its unique values: it reads as nil and
  /// is exempt from validation.
  static let inaccessible = ObjectFlags(rawValue: 64)
  /// No store has or had the object, whatever its ID.
  static let neverSaved = ObjectFlags(rawValue: 128)
  /// Its `prepareForDeletion` is running.
  static let preparingDeletion = ObjectFlags(rawValue: 256)
  /// Deleted with its owner before its row was read; the row is read if a value is needed after all.
  static let deletedUnread = ObjectFlags(rawValue: 512)
  /// Gone from the store: the context detaches it once all observers have been notified.
  static let gone = ObjectFlags(rawValue: 1024)
  /// Observed: see `ObjectObservers`.
  static let observed = ObjectFlags(rawValue: 2048)
}
