import Foundation
import StrataManagedModel
import StrataPredicates

/// A slot's value as a Swift value, where speed does not matter: tests, conflicts, comparisons.
package enum SlotValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case boolean(Bool)
  case double(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  case decimal(Decimal)
  case string(String)
  case uri(String)
  case uuid(UUID)
  case data([UInt8])
  case reference(RowID)
}

extension Row {
  /// The value of a slot.
  package subscript(slot: Int) -> SlotValue {
    guard !page.isNil(row: index, slot: slot) else { return .null }
    switch layout.slots[slot].kind {
    case .integer16, .integer32, .integer64: return .integer(page.integer(row: index, slot: slot))
    case .boolean: return .boolean(page.integer(row: index, slot: slot) != 0)
    case .double, .float: return .double(page.double(row: index, slot: slot))
    case .date: return .date(page.double(row: index, slot: slot))
    case .decimal: return .decimal(page.bytes(row: index, slot: slot).loadUnaligned(as: Decimal.self))
    case .string: return .string(String(decoding: page.bytes(row: index, slot: slot), as: UTF8.self))
    case .uri: return .uri(String(decoding: page.bytes(row: index, slot: slot), as: UTF8.self))
    case .uuid: return .uuid(UUID(uuid: page.bytes(row: index, slot: slot).loadUnaligned(as: uuid_t.self)))
    case .data, .transformable: return .data(Array(page.bytes(row: index, slot: slot)))
    case .toOne: return .reference(page.reference(row: index, slot: slot))
    case .object: return .null
    }
  }

  /// Sets a slot of a row under construction. Traps if the value's kind is not the slot's.
  package func set(slot: Int, to value: SlotValue) {
    switch value {
    case .null: page.setNil(row: index, slot: slot)
    case .integer(let value): page.setInteger(value, row: index, slot: slot)
    case .boolean(let value): page.setInteger(value ? 1 : 0, row: index, slot: slot)
    case .double(let value), .date(let value): page.setDouble(value, row: index, slot: slot)
    case .decimal(let value): withUnsafeBytes(of: value) { page.setBytes($0, row: index, slot: slot) }
    case .string(var value), .uri(var value):
      value.withUTF8 { page.setBytes(UnsafeRawBufferPointer($0), row: index, slot: slot) }
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { page.setBytes($0, row: index, slot: slot) }
    case .data(let value): value.withUnsafeBytes { page.setBytes($0, row: index, slot: slot) }
    case .reference(let id): page.setReference(id, row: index, slot: slot)
    }
  }

  /// A slot's value as predicates compare it.
  package func predicateValue(_ slot: Int) -> PredicateValue {
    switch self[slot] {
    case .null: .null
    case .integer(let value): .integer(value)
    case .boolean(let value): .bool(value)
    case .double(let value): .real(value)
    case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .decimal(let value): .decimal(value)
    case .string(let value): .string(value)
    case .uri(let value): URL(string: value).map { .url($0) } ?? .string(value)
    case .uuid(let value): .uuid(value)
    case .data(let value): .data(Data(value))
    case .reference(let id): .row(id.bits)
    }
  }
}
