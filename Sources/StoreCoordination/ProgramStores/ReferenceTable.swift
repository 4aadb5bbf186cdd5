import Foundation
import StrataManagedModel
import StrataObjectGraph
import StrataRowStore
import Synchronization

/// Row keys for a store that a program wrote, which knows its rows by its own reference objects.
///
/// | reference | key |
/// |---|---|
/// | a whole number, 1…2⁴² − 1, or its text | the number |
/// | anything else | 2⁴² and up, from a hash of its text: the same in every process |
///
/// If another row of the hierarchy has the key already, the next free one is taken. 5 and "5" are one reference.
final class ReferenceTable: RowNames {
  private struct ReferenceName: Hashable {
    var entity: Int
    var text: String
  }

  // Sendable: references are values that the store passes in and out, and that do not change.
  private struct State: @unchecked Sendable {
    var keys: [ReferenceName: Int64] = [:]
    /// The store's names for the rows of each hierarchy, by root entity number.
    var references: [Int: [Int64: (name: ReferenceName, reference: Any)]] = [:]
  }

  private static let firstHash: Int64 = 1 << 42

  private let state = Mutex(State())
  private let number: Int
  private let model: NSManagedObjectModel

  init(number: Int, model: NSManagedObjectModel) {
    self.number = number
    self.model = model
  }

  /// The ID of the row with a reference.
  func id(of reference: Any, _ layout: EntityLayout) -> RowID {
    let name = ReferenceName(entity: layout.number, text: Self.text(of: reference))
    // The reference enters and leaves the table under the lock.
    nonisolated(unsafe) let reference = reference
    let key = state.withLock { state in
      if let known = state.keys[name] { return known }
      var key = Self.firstKey(of: name.text)
      while state.references[layout.rootNumber]?[key] != nil {
        key = key < Self.firstHash ? Self.hash(of: "\(layout.name) \(key)") : key + 1
        if key > RowID.maximumKey { key = Self.firstHash }
      }
      state.keys[name] = key
      state.references[layout.rootNumber, default: [:]][key] = (name, reference)
      return key
    }
    return RowID(store: number, entity: layout.number, key: key)
  }

  /// The store's name for a row; nil if it never named it.
  func reference(of id: RowID) -> Any? {
    nonisolated(unsafe) var found: Any?
    let root = model.layout(number: id.entity).rootNumber
    state.withLock { found = $0.references[root]?[id.key]?.reference }
    return found
  }

  func name(of id: RowID) -> String { reference(of: id).map(Self.text) ?? String(id.key) }

  /// A name not used in this run stands for the number it spells, or else for its text.
  func id(named name: String, entity: Int) -> RowID? {
    let layout = model.layout(number: entity)
    guard let name = name.removingPercentEncoding else { return nil }
    let known = state.withLock { $0.keys[ReferenceName(entity: entity, text: name)] }
    if let known { return RowID(store: number, entity: entity, key: known) }
    guard let number = Int64(name), String(number) == name else { return id(of: name, layout) }
    return id(of: NSNumber(value: number), layout)
  }

  // MARK: Values

  private static func text(of reference: Any) -> String {
    if let data = reference as? Data { return data.base64EncodedString() }
    return "\(reference)"
  }

  private static func firstKey(of text: String) -> Int64 {
    if let number = Int64(text), number > 0, number < firstHash, String(number) == text { return number }
    return hash(of: text)
  }

  /// FNV-1a, folded into the upper half of the keys.
  private static func hash(of text: String) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return firstHash | Int64(bitPattern: (hash ^ hash >> 42) & UInt64(firstHash - 1))
  }
}
