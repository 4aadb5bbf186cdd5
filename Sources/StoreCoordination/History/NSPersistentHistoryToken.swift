import Foundation
import StrataRowStore

/// A position in the histories of stores.
///
/// ```swift
/// let token = coordinator.currentPersistentHistoryToken(fromStores: nil)!
/// let data = try NSKeyedArchiver.archivedData(
///   withRootObject: token, requiringSecureCoding: true)
/// let position = try NSKeyedUnarchiver.unarchivedObject(
///   ofClass: NSPersistentHistoryToken.self, from: data)
/// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: position)
/// ```
///
/// A token can be archived with secure coding and used by another process. A token of a transaction also knows the
/// transaction's time. If the store was replaced with an older copy, such a token is recognized as expired.
///
/// See <https://developer.apple.com/documentation/coredata/nspersistenthistorytoken>
open class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Sendable: nothing changes after it was made.

  /// By the UUIDs of the stores.
  let positions: [String: HistoryPosition]

  init(_ positions: [String: HistoryPosition]) { self.positions = positions }

  /// Returns whether another token is the same position in the same stores.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPersistentHistoryToken)?.positions.mapValues(\.number) == positions.mapValues(\.number)
  }

  /// A hash of the position.
  open override var hash: Int { positions.mapValues(\.number).hashValue }

  /// A description of the position in each store.
  open override var description: String {
    let positions = positions.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value.number)" }
    return "<NSPersistentHistoryToken {\(positions.joined(separator: "; "))}>"
  }

  /// Returns the token itself, which is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: Archives

  private static let numbersKey = "NSPersistentHistoryTokenNumbers"
  private static let timesKey = "NSPersistentHistoryTokenTimes"

  /// True: tokens support secure coding.
  public class var supportsSecureCoding: Bool { true }

  /// Archives the token.
  public func encode(with coder: NSCoder) {
    coder.encode(NSDictionary(dictionary: positions.mapValues { NSNumber(value: $0.number) }), forKey: Self.numbersKey)
    let times = positions.compactMapValues { $0.time.map { NSNumber(value: $0) } }
    coder.encode(NSDictionary(dictionary: times), forKey: Self.timesKey)
  }

  /// Creates a token from an archive; nil if the archive does not contain one.
  public required init?(coder: NSCoder) {
    let classes: [AnyClass] = [NSDictionary.self, NSString.self, NSNumber.self]
    let numbers = coder.decodeObject(of: classes, forKey: Self.numbersKey) as? [String: Any]
    let times = coder.decodeObject(of: classes, forKey: Self.timesKey) as? [String: Any]
    var positions: [String: HistoryPosition] = [:]
    for (store, number) in numbers ?? [:] {
      guard let number = number as? NSNumber, number.int64Value >= 0 else { return nil }
      positions[store] = HistoryPosition(number: number.int64Value, time: (times?[store] as? NSNumber)?.doubleValue)
    }
    guard numbers != nil else { return nil }
    self.positions = positions
  }
}

extension NSPersistentStoreCoordinator {
  /// Returns the position after the newest transaction of some stores, or of all stores of the coordinator for nil; nil
  /// if none has a history.
  ///
  /// ```swift
  /// // Before the fetch: what is committed in between arrives twice, not never.
  /// lastToken = coordinator.currentPersistentHistoryToken(fromStores: nil)
  /// let quakes = try context.fetch(NSFetchRequest<Quake>(entityName: "Quake"))
  /// ```
  public func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
    let stores = stores?.compactMap { $0 as? NSPersistentStore } ?? persistentStores
    var positions: [String: HistoryPosition] = [:]
    for store in stores where store.commitMonitor != nil {
      guard let newest = try? store.backEnd.newestTransaction() else { continue }
      positions[store.backEnd.identifier] = HistoryPosition(number: newest)
    }
    return positions.isEmpty ? nil : NSPersistentHistoryToken(positions)
  }
}
