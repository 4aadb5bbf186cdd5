/// Splits a line of a table into its values, without blanks around them.
enum TableRow {
  /// Bytes. The longest known lines have a few hundred.
  static let maximumLineLength = 64 << 10

  /// - Returns: nil if a quote is not closed.
  static func values(of line: UnsafeRawBufferPointer, in format: EventFormat) -> [String]? {
    guard format == .csv else {
      return line.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map { trimmed($0) }
    }
    var values: [String] = []
    var rest = line[...]
    while true {
      if rest.first == quote {
        guard let value = quoted(&rest) else { return nil }
        values.append(value)
      } else {
        let value = rest.prefix { $0 != comma }
        values.append(trimmed(value))
        rest = rest[value.endIndex...]
      }
      guard rest.first == comma else { return rest.isEmpty ? values : nil }
      rest.removeFirst()
    }
  }

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")

  /// Removes a value in quotes; two quotes inside of it stand for one (RFC 4180).
  private static func quoted(_ rest: inout Slice<UnsafeRawBufferPointer>) -> String? {
    var bytes: [UInt8] = []
    repeat {
      if !bytes.isEmpty { bytes.append(quote) }
      rest.removeFirst()
      guard let end = rest.firstIndex(of: quote) else { return nil }
      bytes += rest[..<end]
      rest = rest[(end + 1)...]
    } while rest.first == quote
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    var bytes = bytes
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
