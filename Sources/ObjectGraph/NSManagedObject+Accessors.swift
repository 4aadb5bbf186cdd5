import Foundation
import ManagedModel
import RowStore
import Synchronization

/// A property's name as a typed accessor knows it; turned into a slot once for each entity.
///
/// For the accessors behind `@NSManaged` declarations. An accessor keeps one as a `static let`.
public final class _ManagedKey: Sendable {
  let name: String
  /// The layout's serial number (high 32 bits) and the slot that the name had there.
  private let memory = Atomic<UInt64>(0)

  public init(_ name: String) { self.name = name }

  /// The slot of an attribute or to-one relationship; or the number of a to-many relationship.
  @inline(__always)
  func place(in layout: EntityLayout) -> Int {
    let known = memory.load(ordering: .relaxed)
    if known >> 32 == UInt64(layout.serial) { return Int(known & 0xFFFF_FFFF) }
    return resolve(in: layout)
  }

  @inline(never)
  private func resolve(in layout: EntityLayout) -> Int {
    guard let place = layout.slot(named: name) ?? layout.toMany(named: name) else {
      fatalError("the entity \(layout.name) is not key value coding-compliant for the key \"\(name)\".")
    }
    memory.store(UInt64(layout.serial) << 32 | UInt64(place), ordering: .relaxed)
    return place
  }
}

/// The accessors behind `@NSManaged`: they read and write slots without boxing a value. A nil attribute reads as zero
/// where the declared type has no nil.
extension NSManagedObject {
  @inline(__always)
  private func slot(_ key: _ManagedKey) -> Int? {
    let slot = key.place(in: layout)
    materialize(slot)
    guard let page, !page.isNil(Int(rowIndex), slot) else { return nil }
    return slot
  }

  @inline(__always)
  private func stored(_ slot: Int) -> (page: RowPage, row: Int) {
    // `slot(_:)` answered, so the page is there.
    (page.unsafelyUnwrapped, Int(rowIndex))
  }

  public final func _integer(_ key: _ManagedKey) -> Int64? {
    guard let slot = slot(key) else { return nil }
    let (page, row) = stored(slot)
    return page.integer(row, slot)
  }
  public final func _setInteger(_ value: Int64?, _ key: _ManagedKey) {
    let slot = key.place(in: layout)
    if let value { setWord(UInt64(bitPattern: value), slot) } else { setNil(slot) }
  }

  public final func _double(_ key: _ManagedKey) -> Double? {
    guard let slot = slot(key) else { return nil }
    let (page, row) = stored(slot)
    return page.double(row, slot)
  }
  public final func _setDouble(_ value: Double?, _ key: _ManagedKey) {
    let slot = key.place(in: layout)
    if let value { setWord(value.bitPattern, slot) } else { setNil(slot) }
  }

  public final func _date(_ key: _ManagedKey) -> Date? {
    _double(key).map(Date.init(timeIntervalSinceReferenceDate:))
  }
  public final func _setDate(_ value: Date?, _ key: _ManagedKey) {
    _setDouble(value?.timeIntervalSinceReferenceDate, key)
  }

  public final func _string(_ key: _ManagedKey) -> String? {
    guard let slot = slot(key) else { return nil }
    let (page, row) = stored(slot)
    return String(decoding: page.bytes(row, slot), as: UTF8.self)
  }
  public final func _setString(_ value: String?, _ key: _ManagedKey) {
    let slot = key.place(in: layout)
    if let value { setText(value, slot) } else { setNil(slot) }
  }

  /// Any value by its boxed form: `NSNumber`, `Data`, `UUID`, `URL`, `NSDecimalNumber`.
  public final func _boxed(_ key: _ManagedKey) -> Any? {
    let slot = key.place(in: layout)
    materialize(slot)
    return slotValue(slot)
  }
  public final func _setBoxed(_ value: Any?, _ key: _ManagedKey) { setSlotValue(value, key.place(in: layout)) }

  public final func _object(_ key: _ManagedKey) -> NSManagedObject? { target(key.place(in: layout)) }
  public final func _setObject(_ value: NSManagedObject?, _ key: _ManagedKey) {
    let slot = key.place(in: layout)
    setTarget(checkedTarget(value, slot), slot)
  }
}
