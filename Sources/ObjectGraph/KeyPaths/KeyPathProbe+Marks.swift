import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore

extension KeyPathProbe {
  /// What the objects of a probe have as values.
  enum Marking {
    /// Nothing: a type of the program's own may not take every value.
    case none
    /// A value in every attribute that is hardly met by chance: the reading of a property shows it unchanged.
    case marks(base: Int64, flag: Bool)

    /// A row of an object; relationships are empty until they are read.
    func row(_ layout: EntityLayout, _ id: RowID) -> Row {
      let page = RowPage(layout: layout, capacity: 1)
      let row = Row(page: page, index: page.append(id: id, version: 0))
      guard case .marks(let base, let flag) = self else { return row }
      for slot in layout.slots.indices {
        // Small enough for an Int16, in whichever type the property is declared.
        let number = 300 + (base + id.key * 97 + Int64(slot)) % 30_000
        row.set(slot, Self.mark(layout.slots[slot].kind, number, flag))
      }
      return row
    }

    private static func mark(_ kind: SlotKind, _ number: Int64, _ flag: Bool) -> SlotValue {
      switch kind {
      case .integer16, .integer32, .integer64: .integer(number)
      case .boolean: .boolean(flag)
      case .double, .float: .double(Double(number) + 0.5)
      case .date: .date(Double(number) + 0.5)
      case .decimal: .decimal(Decimal(number) + 0.5)
      // Blanks, both cases and a length that no shortening keeps.
      case .string: .string(" Mark of the property \(number) " + String(repeating: "é\n", count: 200))
      case .uri: .uri("strata://Mark/\(number)/?a=b#c")
      case .uuid: .uuid(uuid(number))
      case .data: .data(Array("mark \(number)".utf8))
      // What a transformer would make of a mark is not known.
      case .transformable, .object, .toOne: .null
      }
    }

    private static func uuid(_ number: Int64) -> UUID {
      let (high, low) = (UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number))
      return UUID(uuid: (83, 84, 82, 65, 84, 65, 0x40, 0, 0x80, 0, 0, 0, 0, 0, high, low))
    }
  }
}

extension AnyKeyPath {
  /// The key path's type without optionals.
  var plainValueType: Any.Type {
    var type: Any.Type = Self.valueType
    while let optional = type as? any OptionalType.Type { type = optional.wrapped }
    return type
  }

  /// Whether nil can come out of the key path.
  var isOptional: Bool { Self.valueType is any OptionalType.Type }
}

private protocol OptionalType { static var wrapped: Any.Type { get } }

extension Optional: OptionalType {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}
