import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

extension KeyPathProbe {
  /// The values of a probe's objects.
  enum Marking {
    /// None: a type of the program may not accept every value.
    case none
    /// An unlikely value in every attribute, by which the result of reading a property is recognised.
    case marks(base: Int64, flag: Bool)
    /// A raw value in every attribute that can hold it, for a property whose type may accept no mark.
    case raw(PredicateValue)

    /// Returns a row for an object; relationships are empty until they are read.
    func row(_ layout: EntityLayout, _ id: RowID) -> Row {
      let page = RowPage(layout: layout, capacity: 1)
      let row = Row(page: page, index: page.append(id: id, version: 0))
      if case .raw(let value) = self {
        for slot in layout.slots.indices { row.set(slot: slot, to: Self.raw(value, layout.slots[slot].kind) ?? .null) }
      }
      guard case .marks(let base, let flag) = self else { return row }
      for slot in layout.slots.indices {
        // Small enough for an Int16, whatever type the property is declared with.
        let number = 300 + (base + id.key * 97 + Int64(slot)) % 30_000
        row.set(slot: slot, to: Self.mark(layout.slots[slot].kind, number: number, flag: flag))
      }
      return row
    }

    private static func mark(_ kind: SlotKind, number: Int64, flag: Bool) -> SlotValue {
      switch kind {
      case .integer16, .integer32, .integer64: .integer(number)
      case .boolean: .boolean(flag)
      case .double, .float: .double(Double(number) + 0.5)
      case .date: .date(Double(number) + 0.5)
      case .decimal: .decimal(Decimal(number) + 0.5)
      // Blanks, upper and lower case, and a length that survives no shortening.
      case .string: .string(" Mark of the property \(number) " + String(repeating: "é\n", count: 200))
      case .uri: .uri("strata://Mark/\(number)/?a=b#c")
      case .uuid: .uuid(uuid(number))
      case .data: .data(Array("mark \(number)".utf8))
      // The result of a transformer is unpredictable.
      case .transformable, .object, .toOne: .null
      }
    }

    /// Returns a raw value as one of a slot; nil if the slot cannot hold it.
    static func raw(_ value: PredicateValue, _ kind: SlotKind) -> SlotValue? {
      switch (value, kind) {
      case (.integer(let number), .integer16): Int16(exactly: number).map { .integer(Int64($0)) }
      case (.integer(let number), .integer32): Int32(exactly: number).map { .integer(Int64($0)) }
      case (.integer(let number), .integer64): .integer(number)
      case (.real(let number), .double), (.real(let number), .float): .double(number)
      case (.string(let text), .string): .string(text)
      default: nil
      }
    }

    private static func uuid(_ number: Int64) -> UUID {
      let (high, low) = (UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number))
      return UUID(uuid: (83, 84, 82, 65, 84, 65, 0x40, 0, 0x80, 0, 0, 0, 0, 0, high, low))
    }
  }
}

extension AnyKeyPath {
  /// The key path's value type without optionals.
  var plainValueType: Any.Type {
    var type: Any.Type = Self.valueType
    while let optional = type as? any OptionalType.Type { type = optional.wrapped }
    return type
  }

  /// Whether the key path can yield nil.
  var isOptional: Bool { Self.valueType is any OptionalType.Type }
}

private protocol OptionalType { static var wrapped: Any.Type { get } }

extension Optional: OptionalType {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}
