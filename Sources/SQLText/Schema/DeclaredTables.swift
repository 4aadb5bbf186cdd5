/// The tables of a file and their columns. Where a file's names differ from those that the rules give, the file's
/// count.
package struct DeclaredTables: Sendable {
  struct Column: Sendable {
    var name: String
    var type: String
  }

  private let declarations: [String: String]

  /// - Parameter declarations: the CREATE TABLE statements, by table.
  package init(_ declarations: [String: String] = [:]) { self.declarations = declarations }

  var isEmpty: Bool { declarations.isEmpty }

  func contains(_ table: String) -> Bool { declarations[table] != nil }

  var names: [String] { declarations.keys.sorted() }

  /// The columns of a table in the order of its declaration; empty for a missing table.
  func columns(of table: String) -> [Column] { declarations[table].map(Self.columns) ?? [] }

  /// The parts between the outer parentheses of CREATE TABLE, except those that begin with a constraint's keyword.
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

/// Reads the comma-separated parts of a declaration.
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

  /// Does not move if nothing is quoted here. A doubled quote reads as two adjacent quoted texts.
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
