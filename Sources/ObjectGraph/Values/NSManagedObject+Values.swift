import Foundation
import StrataManagedModel
import StrataRowStore

/// Values by name, as Apple's key-value coding answers them: numbers as NSNumber, to-many relationships as NSSet.
extension NSManagedObject {
  /// What key-value coding finds on every object, beside its properties.
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
    // Who looks for names of properties may do so before a model says which there are.
    default: context?.probe == nil ? unknown(key) : nil
    }
  }

  func modeledValue(forKey key: String) -> Any? {
    if let slot = layout.slot(named: key) {
      materialize(slot)
      return slotValue(slot)
    }
    if let number = layout.toMany(named: key) { return linkedCollection(number) }
    if let property = layout.fetchedProperty(named: key) { return fetchedObjects(property) }
    if let composite = layout.composite(named: key) {
      materialize(composite.slots.first ?? -1)
      return compositeValue(composite)
    }
    // A property that asks for a key of its own name is asked once by who looks for names.
    if context?.probe == nil, let computed = computedValue(forKey: key) { return computed }
    return value(forUndefinedKey: key)
  }

  func setModeledValue(_ value: Any?, forKey key: String) {
    let value = value is NSNull ? nil : value
    if let slot = layout.slot(named: key) {
      if layout.slots[slot].kind == .toOne {
        setTarget(checkedTarget(value, slot), slot)
      } else {
        setSlotValue(value, slot)
      }
    } else if let number = layout.toMany(named: key) {
      replaceLinks(number, with: checkedTargets(value, number))
    } else if let composite = layout.composite(named: key) {
      setComposite(value, composite)
    } else if !setComputedValue(value, forKey: key) {
      setValue(value, forUndefinedKey: key)
    }
  }

  /// The value of a slot of an object that is materialized.
  func slotValue(_ slot: Int) -> Any? {
    if layout.slots[slot].kind == .object { return edits?.objects[slot] }
    guard let page, !page.isNil(Int(rowIndex), slot) else { return nil }
    let row = Int(rowIndex)
    switch layout.slots[slot].kind {
    case .integer16, .integer32, .integer64: return NSNumber(value: page.integer(row, slot))
    case .boolean: return NSNumber(value: page.integer(row, slot) != 0)
    case .double, .float: return NSNumber(value: page.double(row, slot))
    case .date: return Date(timeIntervalSinceReferenceDate: page.double(row, slot))
    case .string: return String(stored: page.bytes(row, slot))
    case .uri: return URL(string: String(stored: page.bytes(row, slot)))
    case .uuid: return UUID(uuid: page.bytes(row, slot).loadUnaligned(as: uuid_t.self))
    case .data: return Data(page.bytes(row, slot))
    case .decimal: return NSDecimalNumber(decimal: page.bytes(row, slot).loadUnaligned(as: Decimal.self))
    case .transformable: return TransformedValue.decode(page.bytes(row, slot), of: layout.slots[slot])
    case .toOne: return related(page.reference(row, slot))
    case .object: return nil
    }
  }

  /// Sets an attribute; a value of another type than the attribute's stops the program with Apple's text.
  func setSlotValue(_ value: Any?, _ slot: Int) {
    let kind = layout.slots[slot].kind
    // These take anything, so that an optional without a value has to be told from a value.
    if kind == .object || kind == .transformable, let given = value, isNone(given) { return setSlotValue(nil, slot) }
    if kind == .object {
      let notice = willTell(slot)
      willEdit()
      ownEdits().objects[slot] = value
      notice?.end()
      return
    }
    guard let value else { return setNil(slot) }
    guard storeValue(value, slot) else {
      if isNone(value) { return setNil(slot) }
      fatalError(
        "Unacceptable type of value for attribute: property = \"\(layout.slots[slot].name)\"; "
          + "desired type = \(kind.className); given type = \(type(of: value)); value = \(described(value))."
      )
    }
  }

  /// Sets an attribute to a value that is not nil; false, with nothing set, for a value of another type than its own.
  func storeValue(_ value: Any, _ slot: Int) -> Bool {
    switch layout.slots[slot].kind {
    case .integer16, .integer32, .integer64:
      guard let number = value as? NSNumber else { return false }
      setWord(UInt64(bitPattern: number.int64Value), slot)
    case .boolean:
      guard let number = value as? NSNumber else { return false }
      setWord(number.boolValue ? 1 : 0, slot)
    case .double:
      guard let number = value as? NSNumber else { return false }
      setWord(number.doubleValue.bitPattern, slot)
    case .float:
      guard let number = value as? NSNumber else { return false }
      setWord(Double(number.floatValue).bitPattern, slot)
    case .date:
      guard let date = value as? Date else { return false }
      setWord(date.timeIntervalSinceReferenceDate.bitPattern, slot)
    default: return storeHeapValue(value, slot)
    }
    return true
  }

  private func storeHeapValue(_ value: Any, _ slot: Int) -> Bool {
    switch layout.slots[slot].kind {
    case .string:
      guard let text = value as? String else { return false }
      setText(text, slot)
    case .uri:
      guard let url = value as? URL else { return false }
      setText(url.absoluteString, slot)
    case .uuid:
      guard let uuid = value as? UUID else { return false }
      withUnsafeBytes(of: uuid.uuid) { setBytes($0, slot) }
    case .data:
      guard let data = value as? Data else { return false }
      data.withUnsafeBytes { setBytes($0, slot) }
    case .decimal:
      guard let number = value as? NSNumber else { return false }
      // 1.0 and 1.00 are to be the same bytes.
      var decimal = number.decimal
      NSDecimalCompact(&decimal)
      withUnsafeBytes(of: decimal) { setBytes($0, slot) }
    case .transformable:
      guard let data = TransformedValue.encode(value, of: layout.slots[slot]) else { return false }
      data.withUnsafeBytes { setBytes($0, slot) }
    default: return false
    }
    return true
  }

  func setText(_ text: String, _ slot: Int) {
    var text = text
    text.withUTF8 { setBytes(UnsafeRawBufferPointer($0), slot) }
  }
}

extension SlotKind {
  /// The class of the attribute's values in Objective-C, as Apple's texts name it.
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
