import Foundation
import StrataManagedModel
import StrataRowStore

/// Values of the program's own types in rows that are being made.
extension RowPage {
  /// Sets an attribute; false if its type does not take the value, or if there is none.
  package func take(_ value: Any, _ row: Int, _ slot: Int) -> Bool {
    switch layout.slots[slot].kind {
    case .integer16, .integer32, .integer64: takeWord(integer(value).map(UInt64.init(bitPattern:)), row, slot)
    case .boolean: takeWord(boolean(value).map { $0 ? 1 : 0 }, row, slot)
    case .double: takeWord(double(value)?.bitPattern, row, slot)
    case .float: takeWord(double(value).map { Double(Float($0)).bitPattern }, row, slot)
    case .date: takeWord((value as? Date)?.timeIntervalSinceReferenceDate.bitPattern, row, slot)
    case .string: takeText(value as? String, row, slot)
    case .uri: takeText((value as? URL)?.absoluteString, row, slot)
    case .uuid, .data, .decimal, .transformable: takeBytes(value, row, slot)
    case .toOne, .object: false
    }
  }

  private func takeWord(_ word: UInt64?, _ row: Int, _ slot: Int) -> Bool {
    guard let word else { return false }
    setWord(word, row, slot)
    return true
  }

  private func takeText(_ text: String?, _ row: Int, _ slot: Int) -> Bool {
    guard var text else { return false }
    text.withUTF8 { setBytes(UnsafeRawBufferPointer($0), row, slot) }
    return true
  }

  private func takeBytes(_ value: Any, _ row: Int, _ slot: Int) -> Bool {
    switch layout.slots[slot].kind {
    case .uuid:
      guard let uuid = value as? UUID else { return false }
      withUnsafeBytes(of: uuid.uuid) { setBytes($0, row, slot) }
    case .data:
      guard let data = value as? Data else { return false }
      data.withUnsafeBytes { setBytes($0, row, slot) }
    case .decimal:
      guard var decimal = (value as? Decimal) ?? (value as? NSNumber)?.decimal else { return false }
      // 1.0 and 1.00 are to be the same bytes.
      NSDecimalCompact(&decimal)
      withUnsafeBytes(of: decimal) { setBytes($0, row, slot) }
    default:
      guard let data = TransformedValue.encode(value, of: layout.slots[slot]) else { return false }
      data.withUnsafeBytes { setBytes($0, row, slot) }
    }
    return true
  }

  // The types that programs mostly use come first: a cast to NSNumber makes one.

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
  /// Why the kind does not take a value, in words for an error.
  package func refusal(of value: Any) -> String {
    "Unacceptable type of value for attribute: desired type = \(self); given type = \(type(of: value)); value = \(value)"
  }
}
