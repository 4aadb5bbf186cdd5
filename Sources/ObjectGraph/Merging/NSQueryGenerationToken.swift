import Foundation
import StrataRowStore
import Synchronization

/// A snapshot of a coordinator's stores: contexts that are pinned to it read what had been saved by then.
///
/// ```swift
/// try context.setQueryGenerationFrom(.current)
/// let quakes = try context.fetch(NSFetchRequest<Quake>(entityName: "Quake"))
/// // Later fetches and faults read the same snapshot, whatever others save.
/// try otherContext.setQueryGenerationFrom(context.queryGenerationToken)
/// ```
///
/// The snapshot lasts as long as a context or a token holds it. Until then, the write-ahead logs of SQLite stores keep
/// growing.
///
/// See <https://developer.apple.com/documentation/coredata/nsquerygenerationtoken>
public final class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Sendable: immutable, and a source can be used on any thread.

  /// The snapshot of the stores; nil for `current`, which stands for none yet.
  let snapshot: Snapshot?

  struct Snapshot {
    let source: any ObjectSource
    /// The coordinator, which the source keeps alive.
    let origin: ObjectIdentifier
    let number: Int
  }

  /// The newest snapshot when a context next reads.
  public static let current = NSQueryGenerationToken(nil)

  private init(_ snapshot: Snapshot?) { self.snapshot = snapshot }

  /// Creates a token for a source that was just pinned.
  convenience init(_ source: any ObjectSource, of origin: any ObjectSource) {
    self.init(
      Snapshot(
        source: source, origin: ObjectIdentifier(origin),
        number: Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue))
  }

  private static let lastNumber = Atomic(0)

  /// Returns whether another token stands for the same snapshot.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSQueryGenerationToken)?.snapshot?.number == snapshot?.number && object is NSQueryGenerationToken
  }

  /// A hash of the snapshot.
  public override var hash: Int { snapshot?.number ?? 0 }

  /// Returns the token itself, which is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: Archives

  // A snapshot lives in the connections of a process, so an archive can only name it: it can be found again in the same
  // process, as long as the token exists.

  private struct Named: Sendable { weak var token: NSQueryGenerationToken? }
  private static let named = Mutex<[String: Named]>([:])
  private static let process = UUID().uuidString
  private static let key = "generation"

  /// True: tokens support secure coding.
  public static var supportsSecureCoding: Bool { true }

  private var archiveName: String { snapshot.map { "\(Self.process)/\($0.number)" } ?? "current" }

  /// Archives the token, for this process only.
  public func encode(with coder: NSCoder) {
    let name = archiveName
    Self.named.withLock { known in
      known = known.filter { $0.value.token != nil }
      known[name] = Named(token: self)
    }
    coder.encode(name as NSString, forKey: Self.key)
  }

  /// Creates a token from an archive of this process; nil for any other.
  public init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: Self.key) as String? else { return nil }
    if name == "current" {
      snapshot = nil
    } else {
      guard let known = Self.named.withLock({ $0[name]?.token }) else { return nil }
      snapshot = known.snapshot
    }
    super.init()
  }
}
