import Foundation
import ManagedModel
import Predicates
import RowStore

/// IN.
extension ConditionWriter {
  func membership(
    _ left: Operand, _ right: Operand, _ options: ComparisonNode.Options, holds: Bool
  ) throws -> SQLStatement {
    switch right {
    case .constant(.null): return constant(!holds)
    case .constant(.list(let values)):
      return try membership(left, values, options, holds: holds)
    case .list(let operands):
      let conditions = try operands.map { try equality(left, $0, options, holds: holds) }
      return conditions.isEmpty ? constant(!holds) : joined(conditions[...], holds ? " OR " : " AND ")
    case .members(let members):
      return members.exists(holds, where: try equality(members.member, left, options, holds: true))
    default: throw unsupported("IN needs a list or a to-many key path on its right side.")
    }
  }

  private func membership(
    _ left: Operand, _ values: [PredicateValue], _ options: ComparisonNode.Options, holds: Bool
  ) throws -> SQLStatement {
    guard let text = left.text else { throw toManyWithoutQuantifier() }
    let bindings = try values.compactMap { try storedValue($0, with: left, options) }
    let holdsNull = values.contains { if case .null = $0 { true } else { false } }
    if bindings.isEmpty, holdsNull { return holds ? "\(text) IS NULL" : "\(text) IS NOT NULL" }
    if bindings.isEmpty { return constant(!holds) }
    let side = folded(text, left, options)
    let list = try list(of: bindings)
    guard holdsNull else { return settled("\(side) IN (\(list))", holds: holds) }
    return holds
      ? "(\(side) IN (\(list)) OR \(text) IS NULL)"
      : "(\(side) NOT IN (\(list)) AND \(text) IS NOT NULL)"
  }

  /// What stands in the brackets of IN. Lengths are rounded up, so that lists of about one length share a statement.
  private func list(of values: [StoredValue]) throws -> SQLStatement {
    if values.count > 500, let array = StoredValue.array(of: values) {
      return SQLStatement(dialect.membersOfJSON, [array])
    }
    guard values.count <= dialect.mostBindings else {
      throw unsupported(
        "a list of \(values.count) members is longer than \(dialect.mostBindings); fetch in several parts.")
    }
    var padded = values
    if values.count > 8, let last = values.last {
      let length = min(1 << (Int.bitWidth - (values.count - 1).leadingZeroBitCount), dialect.mostBindings)
      padded += repeatElement(last, count: length - values.count)
    }
    return SQLStatement(repeatElement("?", count: padded.count).joined(separator: ", "), padded)
  }

  /// The members of a list; nil if the operand is none.
  func members(of operand: Operand) -> [Operand]? {
    switch operand {
    case .constant(.list(let values)): values.map(Operand.constant)
    case .list(let operands): operands
    default: nil
    }
  }
}

extension StoredValue {
  /// One text with a JSON array of whole numbers or texts; nil if others are among them.
  ///
  /// SQLite puts the members into an index of its own before it looks them up there, which takes half as long if they come
  /// in about its order.
  fileprivate static func array(of values: [StoredValue]) -> StoredValue? {
    guard let order = roughOrder(of: values) else { return nil }
    var json: [UInt8] = []
    json.reserveCapacity(values.count * 16)
    for place in order {
      json.append(json.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
      switch values[place] {
      case .integer(let integer): json += String(integer).utf8
      case .text(let text): guard appendJSON(text, to: &json) else { return nil }
      case .null, .real, .blob: return nil
      }
    }
    json.append(UInt8(ascii: "]"))
    return .text(String(decoding: json, as: UTF8.self))
  }

  /// The places of values in the order of what their first eight bytes are.
  private static func roughOrder(of values: [StoredValue]) -> [Int]? {
    var keys: [(start: UInt64, place: Int)] = []
    keys.reserveCapacity(values.count)
    for (place, value) in values.enumerated() {
      switch value {
      case .integer(let integer): keys.append((UInt64(bitPattern: integer) ^ 1 << 63, place))
      case .text(let text): keys.append((start(of: text), place))
      case .null, .real, .blob: return nil
      }
    }
    keys.sort { $0.start < $1.start }
    return keys.map(\.place)
  }

  /// The first eight bytes of a text.
  private static func start(of text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { bytes in
      if bytes.count >= 8 { return UInt64(bigEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(as: UInt64.self)) }
      return bytes.enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(56 - 8 * $1.offset) }
    }
  }

  /// False if there is a NUL in the text, at which a text in JSON would end.
  private static func appendJSON(_ text: String, to json: inout [UInt8]) -> Bool {
    var text = text
    json.append(UInt8(ascii: "\""))
    defer { json.append(UInt8(ascii: "\"")) }
    return text.withUTF8 { bytes in
      if isPlain(bytes) {
        json.append(contentsOf: bytes)
        return true
      }
      if bytes.contains(0) { return false }
      appendEscaped(bytes, to: &json)
      return true
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// Whether nothing in a text needs an escape, eight bytes at a time.
  /// See https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let (ones, highs) = (UInt64(0x0101_0101_0101_0101), UInt64(0x8080_8080_8080_8080))
    let (quotes, slashes) = (ones * UInt64(UInt8(ascii: "\"")), ones * UInt64(UInt8(ascii: "\\")))
    let words = UnsafeRawBufferPointer(bytes)
    var place = 0
    while place + 8 <= words.count {
      let word = words.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let low = (word &- ones &* 0x20) & ~word
      let quote = ((word ^ quotes) &- ones) & ~(word ^ quotes)
      let slash = ((word ^ slashes) &- ones) & ~(word ^ slashes)
      if (low | quote | slash) & highs != 0 { return false }
      place += 8
    }
    return bytes[place...].allSatisfy(isPlain)
  }

  private static func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>, to json: inout [UInt8]) {
    for byte in bytes {
      if byte < 0x20 {
        json += String(format: "\\u%04x", byte).utf8
      } else {
        if !isPlain(byte) { json.append(UInt8(ascii: "\\")) }
        json.append(byte)
      }
    }
  }
}
