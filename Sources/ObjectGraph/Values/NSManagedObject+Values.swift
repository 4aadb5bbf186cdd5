import Foundation
import StrataManagedModel
import StrataRowStore
import StrataRuntime

/// Values by name, as in Apple's key-value coding: numbers as NSNumber, to-many relationships as NSSet.
extension NSManagedObject {
  /// Returns a value that key-value coding finds on every object, besides its properties.
  func ownValue(forKey key: String) -> Any? {
    switch key {
    case "self": self
    case "objectID": objectID
    case "entity": entity
    case "managedObjectContext": managedObjectContext
    case "hasChanges": hasChanges
    case "isInserted", "inserted": isInserted
    case "isUpdated", "updated": isUpdated
    case "isDeleted", "deleted": isDeleted
    case "isFault", "fault": isFault
    case "description": description
    // A key path recorder may read before any model defines the properties.
    default: context?.registry.recorder == nil ? unknown(key) : nil
    }
  }

  func modeledValue(forKey key: String) -> Any? {
    if let slot = layout.slot(named: key) {
      materialize(slot)
      return slotValue(slot)
    }
    if let number = layout.toMany(named: key) { return linkedCollection(number) }
    if let property = fetchedProperty(named: key) { return fetchedObjects(property) }
    if let composite = layout.composite(named: key) {
      materialize(composite.slots.first ?? -1)
      return compositeValue(composite)
    }
    // A property that reads a key with its own name must not recurse in a recorder.
    if context?.registry.recorder == nil, let computed = computedValue(forKey: key) { return computed }
    return value(forUndefinedKey: key)
  }

  func setModeledValue(_ value: Any?, forKey key: String) {
    let value = value is NSNull ? nil : value
    if let slot = layout.slot(named: key) {
      if layout.slots[slot].kind == .toOne {
        setTarget(checkedTarget(value, slot: slot), slot: slot)
      } else {
        setSlotValue(value, slot: slot)
      }
    } else if let number = layout.toMany(named: key) {
      replaceLinks(number, with: checkedTargets(value, toMany: number))
    } else if let composite = layout.composite(named: key) {
      setComposite(value, of: composite)
    } else if !setComputedValue(value, forKey: key) {
      setValue(value, forUndefinedKey: key)
    }
  }

  /// Returns the value of a slot. The object must be materialized.
  func slotValue(_ slot: Int) -> Any? {
    if layout.slots[slot].kind == .object { return edits?.objects[slot] }
    guard let page, !page.isNil(row: rowIndex, slot: slot) else { return nil }
    let row = rowIndex
    switch layout.slots[slot].kind {
    case .integer16, .integer32, .integer64: return NSNumber(value: page.integer(row: row, slot: slot))
    case .boolean: return NSNumber(value: page.integer(row: row, slot: slot) != 0)
    case .double, .float: return NSNumber(value: page.double(row: row, slot: slot))
    case .date: return Date(timeIntervalSinceReferenceDate: page.double(row: row, slot: slot))
    case .string: return String(stored: page.bytes(row: row, slot: slot))
    case .uri: return URL(string: String(stored: page.bytes(row: row, slot: slot)))
    case .uuid: return UUID(uuid: page.bytes(row: row, slot: slot).loadUnaligned(as: uuid_t.self))
    case .data: return Data(page.bytes(row: row, slot: slot))
    case .decimal: return NSDecimalNumber(decimal: page.bytes(row: row, slot: slot).loadUnaligned(as: Decimal.self))
    case .transformable: return TransformedValue.decode(page.bytes(row: row, slot: slot), of: layout.slots[slot])
    case .toOne: return related(page.reference(row: row, slot: slot))
    case .object: return nil
    }
  }

  /// Sets an attribute; a value of another type stops the program with Apple's text.
  func setSlotValue(_ value: Any?, slot: Int) {
    let kind = layout.slots[slot].kind
    // These accept anything, so an optional without a value must be distinguished from a value.
    if kind == .object || kind == .transformable, let given = value, isNone(given) {
      return setSlotValue(nil, slot: slot)
    }
    if kind == .object {
      let notice = beginNotice(slot)
      willEdit()
      if !isUnread { ownEdits().objects[slot] = value }
      notice?.end()
      return
    }
    guard let value else { return setNil(slot) }
    guard storeValue(value, slot: slot) else {
      if isNone(value) { return setNil(slot) }
      refuse(value, slot: slot)
    }
  }

  private func refuse(_ value: Any, slot: Int) -> Never {
    var (desired, reason) = (layout.slots[slot].kind.className, "")
    if layout.slots[slot].kind == .transformable {
      let requirement = TransformedValue.requirement(of: layout.slots[slot])
      desired = requirement.classes
      reason = " The value transformer '\(requirement.transformer)' takes values and contents of these classes."
    }
    fatalError(
      "Unacceptable type of value for attribute: property = \"\(layout.slots[slot].name)\"; "
        + "desired type = \(desired); given type = \(type(of: value)); value = \(described(value)).\(reason)")
  }

  /// Sets an attribute to a non-nil value; returns false, without setting anything, for a value of another type.
  func storeValue(_ value: Any, slot: Int) -> Bool {
    switch layout.slots[slot].kind {
    case .integer16, .integer32, .integer64:
      guard let number = value as? NSNumber else { return false }
      setWord(UInt64(bitPattern: number.int64Value), slot: slot)
    case .boolean:
      guard let number = value as? NSNumber else { return false }
      setWord(number.boolValue ? 1 : 0, slot: slot)
    case .double:
      guard let number = value as? NSNumber else { return false }
      setWord(number.doubleValue.bitPattern, slot: slot)
    case .float:
      guard let number = value as? NSNumber else { return false }
      setWord(Double(number.floatValue).bitPattern, slot: slot)
    case .date:
      guard let date = value as? Date else { return false }
      setWord(date.timeIntervalSinceReferenceDate.bitPattern, slot: slot)
    default: return storeHeapValue(value, slot: slot)
    }
    return true
  }

  private func storeHeapValue(_ value: Any, slot: Int) -> Bool {
    switch layout.slots[slot].kind {
    case .string:
      guard let text = value as? String else { return false }
      setText(text, slot: slot)
    case .uri:
      guard let url = value as? URL else { return false }
      setText(url.absoluteString, slot: slot)
    case .uuid:
      guard let uuid = value as? UUID else { return false }
      withUnsafeBytes(of: uuid.uuid) { setBytes($0, slot: slot) }
    case .data:
      guard let data = value as? Data else { return false }
      data.withUnsafeBytes { setBytes($0, slot: slot) }
    case .decimal:
      guard let number = value as? NSNumber else { return false }
      // 1.0 and 1.00 must have the same bytes.
      var decimal = number.decimal
      NSDecimalCompact(&decimal)
      withUnsafeBytes(of: decimal) { setBytes($0, slot: slot) }
    case .transformable:
      guard let data = TransformedValue.encode(value, of: layout.slots[slot]) else { return false }
      data.withUnsafeBytes { setBytes($0, slot: slot) }
    default: return false
    }
    return true
  }

  func setText(_ text: String, slot: Int) {
    var text = text
    text.withUTF8 { setBytes(UnsafeRawBufferPointer($0), slot: slot) }
  }
}

extension SlotKind {
  /// The Objective-C class of the attribute's values, as in Apple's messages.
  fileprivate var className: String {
    switch self {
    case .integer16, .integer32, .integer64, .boolean, .double, .float: "NSNumber"
    case .date: "NSDate"
    case .string: "NSString"
    case .uri: "NSURL"
    case .data: "NSData"
    case .uuid: "NSUUID"
    case .decimal: "NSDecimalNumber"
    case .transformable, .object: "NSObject"
    case .toOne: "NSManagedObject"
    }
  }
}
