import Foundation
import StrataManagedModel
import StrataPredicates

/// The packed result of an aggregate query: a kind and 8 bytes per value, and a heap for text and bytes.
///
/// One thread appends values row by row; once shared, the table is immutable.
package final class ValueTable: @unchecked Sendable {
  // Sendable: changed only before it is handed to another thread.

  /// The number of values per row.
  package let width: Int
  /// Raw values of `SlotKind`; `absent` means nil.
  private var kinds: [UInt8] = []
  /// As in a row's slot; for text and bytes their offset (high 32 bits) and length in the heap.
  private var words: [UInt64] = []
  private var heap: [UInt8] = []

  private static let absent = UInt8.max

  package init(width: Int) {
    precondition(width > 0, "A fetch of values needs a column.")
    self.width = width
  }

  /// The number of rows.
  package var count: Int { kinds.count / width }

  package func appendNull() {
    kinds.append(Self.absent)
    words.append(0)
  }

  /// Appends a value other than text or bytes.
  package func append(_ word: UInt64, kind: SlotKind) {
    kinds.append(kind.rawValue)
    words.append(word)
  }

  /// Appends text or bytes.
  package func append(_ bytes: UnsafeRawBufferPointer, kind: SlotKind) {
    precondition(heap.count + bytes.count <= 0xFFFF_FFFF, "The values of a fetch exceed 4 GiB.")
    append(UInt64(heap.count) << 32 | UInt64(bytes.count), kind: kind)
    heap.append(contentsOf: bytes)
  }

  /// The kind of a value; nil if the value is nil.
  package func kind(row: Int, column: Int) -> SlotKind? { SlotKind(rawValue: kinds[row * width + column]) }

  /// The 8 bytes of a value; 0 if it is nil.
  package func word(row: Int, column: Int) -> UInt64 { words[row * width + column] }

  /// Calls `body` with the bytes of a text or data value.
  package func withBytes<Result>(
    row: Int, column: Int, body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let word = word(row: row, column: column)
    return try heap.withUnsafeBytes { heap in
      let start = Int(word >> 32)
      return try body(UnsafeRawBufferPointer(rebasing: heap[start..<start + Int(word & 0xFFFF_FFFF)]))
    }
  }

  /// A value as a Swift value, where speed does not matter.
  package subscript(row: Int, column: Int) -> SlotValue {
    guard let kind = kind(row: row, column: column) else { return .null }
    let word = word(row: row, column: column)
    switch kind {
    case .integer16, .integer32, .integer64: return .integer(Int64(bitPattern: word))
    case .boolean: return .boolean(word != 0)
    case .double, .float: return .double(Double(bitPattern: word))
    case .date: return .date(Double(bitPattern: word))
    case .decimal: return .decimal(withBytes(row: row, column: column) { $0.loadUnaligned(as: Decimal.self) })
    case .string: return .string(withBytes(row: row, column: column) { String(decoding: $0, as: UTF8.self) })
    case .uri: return .uri(withBytes(row: row, column: column) { String(decoding: $0, as: UTF8.self) })
    case .uuid: return .uuid(UUID(uuid: withBytes(row: row, column: column) { $0.loadUnaligned(as: uuid_t.self) }))
    case .data, .transformable: return .data(withBytes(row: row, column: column) { Array($0) })
    case .toOne: return .reference(RowID(bits: word))
    case .object: return .null
    }
  }
}

extension ValueTable {
  /// Appends an expression's value, converted as a column of that kind would store it.
  package func append(_ value: PredicateValue, as kind: SlotKind?) {
    guard value != .null else { return appendNull() }
    switch kind {
    case .integer16, .integer32, .integer64:
      guard let whole = value.truncated else { return appendNull() }
      append(UInt64(bitPattern: whole), kind: kind ?? .integer64)
    case .boolean:
      guard let real = value.real else { return appendNull() }
      append(real != 0 ? 1 : 0, kind: .boolean)
    case .double, .float, .date:
      guard let real = value.real else { return appendNull() }
      append(real.bitPattern, kind: kind ?? .double)
    case .decimal:
      guard let decimal = value.exact else { return appendNull() }
      withUnsafeBytes(of: decimal) { append($0, kind: .decimal) }
    default: append(value, natively: kind)
    }
  }

  private func append(_ value: PredicateValue, natively kind: SlotKind?) {
    switch value {
    case .null, .list, .reference: appendNull()
    case .bool(let flag): append(flag ? 1 : 0, kind: .boolean)
    case .integer(let integer): append(UInt64(bitPattern: integer), kind: .integer64)
    case .real(let real): append(real.bitPattern, kind: .double)
    case .decimal(let decimal): withUnsafeBytes(of: decimal) { append($0, kind: .decimal) }
    case .date(let date): append(date.timeIntervalSinceReferenceDate.bitPattern, kind: .date)
    case .string(var text): text.withUTF8 { append(UnsafeRawBufferPointer($0), kind: kind == .uri ? .uri : .string) }
    case .url(let url):
      var text = url.absoluteString
      text.withUTF8 { append(UnsafeRawBufferPointer($0), kind: kind == .string ? .string : .uri) }
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { append($0, kind: .uuid) }
    case .data(let data): data.withUnsafeBytes { append($0, kind: kind == .transformable ? .transformable : .data) }
    case .row(let bits): append(bits, kind: .toOne)
    }
  }

  /// Appends a row of another table.
  package func append(row: Int, of other: ValueTable) {
    for column in 0..<width {
      guard let kind = other.kind(row: row, column: column) else {
        appendNull()
        continue
      }
      if kind.isOnHeap {
        other.withBytes(row: row, column: column) { append($0, kind: kind) }
      } else {
        append(other.word(row: row, column: column), kind: kind)
      }
    }
  }
}

extension PredicateValue {
  fileprivate var real: Double? {
    switch self {
    case .bool(let flag): flag ? 1 : 0
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .decimal(let decimal): NSDecimalNumber(decimal: decimal).doubleValue
    case .date(let date): date.timeIntervalSinceReferenceDate
    default: nil
    }
  }

  fileprivate var truncated: Int64? {
    if case .integer(let integer) = self { return integer }
    return real.flatMap { Int64(exactly: $0.rounded(.towardZero)) }
  }

  fileprivate var exact: Decimal? {
    switch self {
    case .decimal(let decimal): decimal
    case .integer(let integer): Decimal(integer)
    // The number's shortest decimal text is what was written.
    case .real(let real): Decimal(string: real.description)
    case .bool(let flag): flag ? 1 : 0
    default: nil
    }
  }
}
