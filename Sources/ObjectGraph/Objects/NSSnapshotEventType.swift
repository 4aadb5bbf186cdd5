/// The operation that set several values of an object together.
///
/// See <https://developer.apple.com/documentation/coredata/nssnapshoteventtype>
public struct NSSnapshotEventType: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: UInt
  /// Creates a set from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// An insertion was undone.
  public static let undoInsertion = NSSnapshotEventType(rawValue: 2)
  /// A deletion was undone.
  public static let undoDeletion = NSSnapshotEventType(rawValue: 4)
  /// An update was undone.
  public static let undoUpdate = NSSnapshotEventType(rawValue: 8)
  /// The context was rolled back.
  public static let rollback = NSSnapshotEventType(rawValue: 16)
  /// The object was refreshed.
  public static let refresh = NSSnapshotEventType(rawValue: 32)
  /// A merge policy resolved a conflict.
  public static let mergePolicy = NSSnapshotEventType(rawValue: 64)
}
