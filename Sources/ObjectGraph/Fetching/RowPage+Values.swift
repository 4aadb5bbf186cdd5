import Foundation
import StrataManagedModel
import StrataRowStore

/// Sets values of the program's types in rows under construction.
extension RowPage {
  /// Sets an attribute; returns false if its type does not accept the value, or if there is no such attribute.
  package func setValue(_ value: Any, row: Int, slot: Int) -> Bool {
    switch layout.slots[slot].kind {
    case .integer16, .integer32, .integer64:
      storeWord(integer(value).map(UInt64.init(bitPattern:)), row: row, slot: slot)
    case .boolean: storeWord(boolean(value).map { $0 ? 1 : 0 }, row: row, slot: slot)
    case .double: storeWord(double(value)?.bitPattern, row: row, slot: slot)
    case .float: storeWord(double(value).map { Double(Float($0)).bitPattern }, row: row, slot: slot)
    case .date: storeWord((value as? Date)?.timeIntervalSinceReferenceDate.bitPattern, row: row, slot: slot)
    case .string: storeText(value as? String, row: row, slot: slot)
    case .uri: storeText((value as? URL)?.absoluteString, row: row, slot: slot)
    case .uuid, .data, .decimal, .transformable: storeBytes(value, row: row, slot: slot)
    case .toOne, .object: false
    }
  }

  private func storeWord(_ word: UInt64?, row: Int, slot: Int) -> Bool {
    guard let word else { return false }
    setWord(word, row: row, slot: slot)
    return true
  }

  private func storeText(_ text: String?, row: Int, slot: Int) -> Bool {
    guard var text else { return false }
    text.withUTF8 { setBytes(UnsafeRawBufferPointer($0), row: row, slot: slot) }
    return true
  }

  private func storeBytes(_ value: Any, row: Int, slot: Int) -> Bool {
    switch layout.slots[slot].kind {
    case .uuid:
      guard let uuid = value as? UUID else { return false }
      withUnsafeBytes(of: uuid.uuid) { setBytes($0, row: row, slot: slot) }
    case .data:
      guard let data = value as? Data else { return false }
      data.withUnsafeBytes { setBytes($0, row: row, slot: slot) }
    case .decimal:
      guard var decimal = (value as? Decimal) ?? (value as? NSNumber)?.decimal else { return false }
      // 1.0 and 1.00 must have the same bytes.
      NSDecimalCompact(&decimal)
      withUnsafeBytes(of: decimal) { setBytes($0, row: row, slot: slot) }
    default:
      guard let data = TransformedValue.encode(value, of: layout.slots[slot]) else { return false }
      data.withUnsafeBytes { setBytes($0, row: row, slot: slot) }
    }
    return true
  }

  // The common types come first: a cast to NSNumber creates one.

  private func integer(_ value: Any) -> Int64? {
    switch value {
    case let integer as Int: Int64(integer)
    case let integer as Int64: integer
    case let integer as Int32: Int64(integer)
    case let integer as Int16: Int64(integer)
    default: (value as? NSNumber)?.int64Value
    }
  }

  private func double(_ value: Any) -> Double? {
    switch value {
    case let double as Double: double
    case let float as Float: Double(float)
    default: (value as? NSNumber)?.doubleValue
    }
  }

  private func boolean(_ value: Any) -> Bool? { (value as? Bool) ?? (value as? NSNumber)?.boolValue }
}

extension SlotKind {
  /// Describes, for an error, why the kind does not accept a value.
  package func refusal(of value: Any) -> String {
    "Unacceptable type of value for attribute: desired type = \(self); given type = \(type(of: value)); value = \(value)"
  }
}
