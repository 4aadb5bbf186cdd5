import StrataQuakes

/// A line of text that is being typed.
public struct TextField: Codable, Equatable, Sendable {
  /// No filter is longer, and every key redraws it. A character can have any number of bytes.
  private static let (maximumCharacters, maximumBytes) = (1000, 4000)
  /// The part of a paste that is read. More does not fit, whatever it is.
  private static let maximumRead = 4 * maximumCharacters

  private var before: String
  private var after = ""

  public init(_ text: String = "") {
    before = text
  }

  public var text: String { before + after }

  /// Handles a key that changes the text or moves the cursor.
  ///
  /// - Returns: whether it is such a key.
  public mutating func handle(_ key: Key) -> Bool {
    switch key {
    case .character(let character): insert(String(character))
    case .paste(let text): insert(text)
    case .backspace: _ = before.popLast()
    case .delete: if !after.isEmpty { after.removeFirst() }
    case .left: if let character = before.popLast() { after.insert(character, at: after.startIndex) }
    case .right: if !after.isEmpty { before.append(after.removeFirst()) }
    case .home, .control("a"): (before, after) = ("", text)
    case .end, .control("e"): (before, after) = (text, "")
    case .control("u"): before = ""
    case .control("k"): after = ""
    case .control("w"): removeWord()
    default: return false
    }
    return true
  }

  private mutating func insert(_ text: String) {
    var bytes = Self.maximumBytes - before.utf8.count - after.utf8.count
    guard bytes > 0, case let room = Self.maximumCharacters - before.count - after.count, room > 0 else { return }
    let read = text.unicodeScalars.prefix(Self.maximumRead)
    for character in Terminal.printable(String(read)).prefix(room) {
      bytes -= character.utf8.count
      guard bytes >= 0 else { return }
      before.append(character)
    }
  }

  private mutating func removeWord() {
    while before.last == " " { before.removeLast() }
    while let last = before.last, last != " " { before.removeLast() }
  }

  /// The part of the text around the cursor that fits, and the column of the cursor in it.
  public func window(columns: Int) -> (text: String, cursor: Int) {
    var (start, cursor) = (before.endIndex, 0)
    while start > before.startIndex {
      let former = before.index(before: start)
      let width = DisplayWidth.columns(before[former])
      // The cursor needs a column too.
      guard cursor + width < columns else { break }
      (start, cursor) = (former, cursor + width)
    }
    return (before[start...] + after, cursor)
  }
}
