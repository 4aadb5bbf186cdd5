import Foundation
import StrataManagedModel
import StrataRowStore
import StrataRuntime
import Synchronization

/// A property's name in a typed accessor, resolved to a slot once per entity.
///
/// For the accessors behind `@NSManaged` declarations, which store one as a `static let`. It is a noncopyable structure
/// instead of an object, so that the compiler initializes it statically and no access has to check for that.
public struct _ManagedKey: ~Copyable, Sendable {
  @usableFromInline let name: String
  /// The layout's serial number (high 32 bits) and the slot that the name had there.
  @usableFromInline let memory: Atomic<UInt64>

  @inlinable
  public init(_ name: String) {
    self.name = name
    memory = Atomic(0)
  }

  /// Returns the slot of an attribute or to-one relationship, or the number of a to-many relationship.
  ///
  /// Stops the program if the entity has no such property, or one that the accessor cannot read.
  @inline(__always)
  func index(in layout: Unmanaged<EntityLayout>, holding form: ValueForm) -> Int {
    cachedIndex(in: layout) ?? resolve(in: layout.takeUnretainedValue(), form)
  }

  /// The cached index, if the accessor was last used with an object of the same entity.
  @inline(__always)
  func cachedIndex(in layout: Unmanaged<EntityLayout>) -> Int? {
    let known = memory.load(ordering: .relaxed)
    return known >> 32 == UInt64(layout._withUnsafeGuaranteedRef { $0.serial }) ? Int(known & 0xFFFF_FFFF) : nil
  }

  @inline(never)
  private func resolve(in layout: EntityLayout, _ form: ValueForm) -> Int {
    let (slot, number) = (layout.slot(named: name), layout.toMany(named: name))
    if form == .boxed, let composite = layout.composites.firstIndex(where: { $0.name == name }) {
      memory.store(UInt64(layout.serial) << 32 | UInt64(Self.firstComposite + composite), ordering: .relaxed)
      return Self.firstComposite + composite
    }
    guard let index = slot ?? number else {
      fatalError("the entity \(layout.name) is not key value coding-compliant for the key \"\(name)\".")
    }
    guard form.fits(slot.map { layout.slots[$0].kind }) else {
      let found = slot.map { "\(layout.slots[$0].kind)" } ?? "a to-many relationship"
      fatalError(
        "Property '\(name)' is declared as \(form.rawValue) on the class of entity '\(layout.name)', but the model says \(found). Dynamically generated accessors do not support implicit type coercion."
      )
    }
    // Where the fast path does not check the queue, nothing is cached while checks are enabled.
    ConcurrencyDebug.start()
    if ConcurrencyDebug.allowsFastPaths {
      memory.store(UInt64(layout.serial) << 32 | UInt64(index), ordering: .relaxed)
    }
    return index
  }

  /// Whether the entity has a property with the name. Remembers a negative result as an index that no property has.
  func isProperty(in layout: Unmanaged<EntityLayout>) -> Bool {
    if let known = cachedIndex(in: layout) { return known != Self.absent }
    return layout._withUnsafeGuaranteedRef { layout in
      if layout.hasProperty(named: name) { return true }
      memory.store(UInt64(layout.serial) << 32 | UInt64(Self.absent), ordering: .relaxed)
      return false
    }
  }

  private static let absent = 0xFFFF_FFFF

  /// The index of an entity's first composite attribute, above those of slots.
  static let firstComposite = 1 << 30

  /// The accessor's idea of the property's type.
  enum ValueForm: String {
    case integer = "an integer"
    case real = "a floating-point number"
    case date = "a date"
    case text = "a string"
    case boxed = "an attribute"
    case toOne = "a to-one relationship"
    case toMany = "a to-many relationship"

    /// - Parameter kind: nil for a to-many relationship.
    func fits(_ kind: SlotKind?) -> Bool {
      switch (self, kind) {
      case (.integer, .integer16), (.integer, .integer32), (.integer, .integer64), (.integer, .boolean): true
      case (.real, .double), (.real, .float), (.real, .date), (.date, .date), (.text, .string): true
      case (.toOne, .toOne), (.toMany, nil): true
      case (.boxed, .some(let kind)): kind != .toOne
      default: false
      }
    }
  }
}

/// The accessors behind `@NSManaged`: they read and write slots without boxing. A nil attribute reads as zero if the
/// declared type is not optional.
extension NSManagedObject {
  /// Reads a slot in the page without counting references to it.
  @inline(__always)
  private func stored<T>(
    _ key: borrowing _ManagedKey, _ form: _ManagedKey.ValueForm, _ read: (RowPage, Int, Int) -> T
  ) -> T? {
    guard let slot = key.cachedIndex(in: heldLayout), let heldPage, life != .fault else {
      return storedAnew(key, form, read)
    }
    checkQueueOnFastPath(slot)
    return heldPage._withUnsafeGuaranteedRef { page in
      page.isNil(row: rowIndex, slot: slot) ? nil : read(page, rowIndex, slot)
    }
  }

  /// Like `stored`, for an object that may have to be fired, or has another entity than the last one. A separate
  /// function, so that the fast path calls nothing and saves no registers.
  @inline(never)
  private func storedAnew<T>(
    _ key: borrowing _ManagedKey, _ form: _ManagedKey.ValueForm, _ read: (RowPage, Int, Int) -> T
  ) -> T? {
    let slot = key.index(in: heldLayout, holding: form)
    materialize(slot)
    let row = rowIndex
    return heldPage?._withUnsafeGuaranteedRef { page in page.isNil(row: row, slot: slot) ? nil : read(page, row, slot) }
  }

  public final func _integer(_ key: borrowing _ManagedKey) -> Int64? {
    stored(key, .integer) { page, row, slot in page.integer(row: row, slot: slot) }
  }
  public final func _setInteger(_ value: Int64?, _ key: borrowing _ManagedKey) {
    let slot = key.index(in: heldLayout, holding: .integer)
    if let value { setWord(UInt64(bitPattern: value), slot: slot) } else { setNil(slot) }
  }

  public final func _double(_ key: borrowing _ManagedKey) -> Double? {
    stored(key, .real) { page, row, slot in page.double(row: row, slot: slot) }
  }
  public final func _setDouble(_ value: Double?, _ key: borrowing _ManagedKey) {
    let slot = key.index(in: heldLayout, holding: .real)
    if let value { setWord(value.bitPattern, slot: slot) } else { setNil(slot) }
  }

  public final func _date(_ key: borrowing _ManagedKey) -> Date? {
    stored(key, .date) { page, row, slot in Date(timeIntervalSinceReferenceDate: page.double(row: row, slot: slot)) }
  }
  public final func _setDate(_ value: Date?, _ key: borrowing _ManagedKey) {
    let slot = key.index(in: heldLayout, holding: .date)
    if let value { setWord(value.timeIntervalSinceReferenceDate.bitPattern, slot: slot) } else { setNil(slot) }
  }

  public final func _string(_ key: borrowing _ManagedKey) -> String? {
    stored(key, .text) { page, row, slot in String(stored: page.bytes(row: row, slot: slot)) }
  }
  public final func _setString(_ value: String?, _ key: borrowing _ManagedKey) {
    let slot = key.index(in: heldLayout, holding: .text)
    if let value { setText(value, slot: slot) } else { setNil(slot) }
  }

  /// Returns any value in boxed form: `NSNumber`, `Data`, `UUID`, `URL`, `NSDecimalNumber`.
  public final func _boxed(_ key: borrowing _ManagedKey) -> Any? {
    let slot = key.index(in: heldLayout, holding: .boxed)
    guard slot < _ManagedKey.firstComposite else { return value(ofComposite: slot) }
    materialize(slot)
    return slotValue(slot)
  }
  public final func _setBoxed(_ value: Any?, _ key: borrowing _ManagedKey) {
    let slot = key.index(in: heldLayout, holding: .boxed)
    if slot < _ManagedKey.firstComposite {
      setSlotValue(value, slot: slot)
    } else {
      setComposite(value, of: layout.composites[slot - _ManagedKey.firstComposite])
    }
  }

  private func value(ofComposite index: Int) -> Any? {
    let composite = layout.composites[index - _ManagedKey.firstComposite]
    materialize(composite.slots.first ?? -1)
    return compositeValue(composite)
  }

  public final func _object(_ key: borrowing _ManagedKey) -> NSManagedObject? {
    target(key.index(in: heldLayout, holding: .toOne))
  }
  public final func _setObject(_ value: NSManagedObject?, _ key: borrowing _ManagedKey) {
    let slot = key.index(in: heldLayout, holding: .toOne)
    if let value { checkTarget(value, slot: slot) }
    setTarget(value, slot: slot)
  }
}
