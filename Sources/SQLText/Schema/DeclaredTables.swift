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

  package func contains(_ table: String) -> Bool { declarations[table] != nil }

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
  var position = 0

  mutating func enter() -> Bool {
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "(") {
        position += 1
        return true
      }
      if !skipQuoted() { position += 1 }
    }
    return false
  }

  /// The first two words of the next part; nil at the end.
  mutating func part() -> (name: String?, isQuoted: Bool, type: String?)? {
    guard position < bytes.count else { return nil }
    skipSpace()
    let isQuoted = position < bytes.count && Self.closing(bytes[position]) != nil
    let name = word()
    skipSpace()
    let type = word()
    var depth = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")") where depth == 0:
        position = bytes.count
        return (name, isQuoted, type)
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        position += 1
        return (name, isQuoted, type)
      default: if skipQuoted() { continue }
      }
      position += 1
    }
    return (name, isQuoted, type)
  }

  /// The closing quote for an opening one; nil for other characters.
  private static func closing(_ quote: UInt8) -> UInt8? {
    switch quote {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): quote
    case UInt8(ascii: "["): UInt8(ascii: "]")
    default: nil
    }
  }

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] <= 32 { position += 1 }
  }

  /// Does not move if nothing is quoted here. A doubled quote reads as two adjacent quoted texts.
  private mutating func skipQuoted() -> Bool {
    guard let end = Self.closing(bytes[position]) else { return false }
    position += 1
    while position < bytes.count, bytes[position] != end { position += 1 }
    position = min(position + 1, bytes.count)
    return true
  }

  private mutating func word() -> String? {
    guard position < bytes.count else { return nil }
    let start = position
    if let end = Self.closing(bytes[start]) { return String(decoding: quotedWord(until: end), as: UTF8.self) }
    while position < bytes.count, Self.isPlain(bytes[position]) { position += 1 }
    return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// The text within quotes, of which those that are doubled are a part.
  private mutating func quotedWord(until end: UInt8) -> [UInt8] {
    var word: [UInt8] = []
    while true {
      let start = position
      _ = skipQuoted()
      word += bytes[start + 1..<max(start + 1, position - 1)]
      guard position < bytes.count, bytes[position] == end, bytes[start] == end else { return word }
      word.append(end)
    }
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
