/// The tables that a file has, with their columns: where names in a file can be others than the rules give, the file's
/// are the ones that count.
package struct DeclaredTables: Sendable {
  struct Column: Sendable {
    var name: String
    var type: String
  }

  private let texts: [String: String]

  /// - Parameter texts: the statements that made the tables, by the names of the tables.
  package init(_ texts: [String: String] = [:]) { self.texts = texts }

  var isEmpty: Bool { texts.isEmpty }

  func contains(_ table: String) -> Bool { texts[table] != nil }

  var names: [String] { texts.keys.sorted() }

  /// The columns of a table in the order of its declaration; empty if it is not there.
  func columns(of table: String) -> [Column] { texts[table].map(Self.columns) ?? [] }

  /// What stands between the outer parentheses of `CREATE TABLE`: each part that does not begin with the word of a
  /// constraint is a column.
  private static func columns(_ text: String) -> [Column] {
    var text = text
    return text.withUTF8 { bytes in
      var columns: [Column] = []
      var reader = DeclarationReader(bytes: bytes)
      guard reader.enter() else { return [] }
      while let words = reader.part() {
        guard let name = words.name, words.isQuoted || !constraints.contains(name.uppercased()) else { continue }
        columns.append(Column(name: name, type: words.type ?? ""))
      }
      return columns
    }
  }

  private static let constraints: Set<String> = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]
}

/// Goes through the parts of a declaration that commas divide.
private struct DeclarationReader {
  let bytes: UnsafeBufferPointer<UInt8>
  var place = 0

  mutating func enter() -> Bool {
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "(") {
        place += 1
        return true
      }
      if !skipQuoted() { place += 1 }
    }
    return false
  }

  /// The first two words of the next part; nil at the end.
  mutating func part() -> (name: String?, isQuoted: Bool, type: String?)? {
    guard place < bytes.count else { return nil }
    skipSpace()
    let isQuoted = place < bytes.count && Self.quotes[bytes[place]] != nil
    let name = word()
    skipSpace()
    let type = word()
    var depth = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")") where depth == 0:
        place = bytes.count
        return (name, isQuoted, type)
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        place += 1
        return (name, isQuoted, type)
      default: if skipQuoted() { continue }
      }
      place += 1
    }
    return (name, isQuoted, type)
  }

  private static let quotes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "`"): UInt8(ascii: "`"),
    UInt8(ascii: "["): UInt8(ascii: "]"),
  ]

  private mutating func skipSpace() {
    while place < bytes.count, bytes[place] <= 32 { place += 1 }
  }

  /// Stays where it is if nothing is quoted here. A quote within one is doubled, which reads as two texts side by side.
  private mutating func skipQuoted() -> Bool {
    guard let end = Self.quotes[bytes[place]] else { return false }
    place += 1
    while place < bytes.count, bytes[place] != end { place += 1 }
    place = min(place + 1, bytes.count)
    return true
  }

  private mutating func word() -> String? {
    guard place < bytes.count else { return nil }
    let start = place
    if skipQuoted() {
      return String(decoding: bytes[start + 1..<max(start + 1, place - 1)], as: UTF8.self)
    }
    while place < bytes.count, Self.isPlain(bytes[place]) { place += 1 }
    return start == place ? nil : String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
