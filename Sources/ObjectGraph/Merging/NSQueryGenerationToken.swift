import Foundation
import StrataRowStore
import Synchronization

/// A moment of the stores of a coordinator: contexts that are pinned to it read what was saved up to then.
///
/// The moment lasts as long as a context or a token holds it. Stores in SQLite files keep a WAL that long, which grows.
/// See https://developer.apple.com/documentation/coredata/nsquerygenerationtoken
public final class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Sendable: nothing changes after it was made, and a source answers any thread.

  /// The stores of the moment; nil of `current`, which stands for none yet.
  let moment: Moment?

  struct Moment {
    let source: any ObjectSource
    /// The coordinator, which the source keeps alive.
    let origin: ObjectIdentifier
    let number: Int
  }

  /// Stands for what is newest when a context next reads.
  public static let current = NSQueryGenerationToken(nil)

  private init(_ moment: Moment?) { self.moment = moment }

  /// A token for a source that was pinned just now.
  convenience init(_ source: any ObjectSource, of origin: any ObjectSource) {
    self.init(
      Moment(
        source: source, origin: ObjectIdentifier(origin),
        number: Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue))
  }

  private static let lastNumber = Atomic(0)

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSQueryGenerationToken)?.moment?.number == moment?.number && object is NSQueryGenerationToken
  }

  public override var hash: Int { moment?.number ?? 0 }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: Archives

  // A moment lives in the connections of a process, so an archive can but name it: it is found again in the same process,
  // and as long as somebody holds it.

  private struct Named: Sendable { weak var token: NSQueryGenerationToken? }
  private static let named = Mutex<[String: Named]>([:])
  private static let process = UUID().uuidString
  private static let key = "generation"

  public static var supportsSecureCoding: Bool { true }

  private var archiveName: String { moment.map { "\(Self.process)/\($0.number)" } ?? "current" }

  public func encode(with coder: NSCoder) {
    let name = archiveName
    Self.named.withLock { known in
      known = known.filter { $0.value.token != nil }
      known[name] = Named(token: self)
    }
    coder.encode(name as NSString, forKey: Self.key)
  }

  public init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: Self.key) as String? else { return nil }
    if name == "current" {
      moment = nil
    } else {
      guard let known = Self.named.withLock({ $0[name]?.token }) else { return nil }
      moment = known.moment
    }
    super.init()
  }
}
