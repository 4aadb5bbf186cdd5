/// The kind of queue that a context uses.
///
/// See <https://developer.apple.com/documentation/coredata/nsmanagedobjectcontextconcurrencytype>
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// A context confined to one thread. No longer available.
  @available(*, unavailable, message: "A context has a queue: .privateQueueConcurrencyType, .mainQueueConcurrencyType.")
  case confinementConcurrencyType = 0
  /// A private queue.
  case privateQueueConcurrencyType = 1
  /// The main queue.
  case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
  /// The kind of queue that a context uses, under its Swift name.
  public struct ConcurrencyType: RawRepresentable, Hashable, Sendable {
    /// The same kind as an `NSManagedObjectContextConcurrencyType`.
    public let rawValue: NSManagedObjectContextConcurrencyType
    /// Creates a kind of queue from an `NSManagedObjectContextConcurrencyType`.
    public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }
    /// A private queue.
    public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
    /// The main queue.
    public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
  }

  /// Creates a context without a parent.
  public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.rawValue) }

  /// When an awaited block runs.
  public enum ScheduledTaskType: Sendable {
    /// Immediately if the caller is already on the context's queue.
    case immediate
    /// After all blocks that are waiting on the context's queue.
    case enqueued
  }
}
