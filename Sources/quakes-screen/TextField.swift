import StrataQuakes

/// A line of text that is being typed.
public struct TextField: Equatable, Sendable {
  /// No filter is longer, and every key redraws it.
  private static let maximumTextLength = 1000  // characters

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
    let room = Self.maximumTextLength - self.text.count
    before += Terminal.printable(text).prefix(max(0, room))
  }

  private mutating func removeWord() {
    while before.last == " " { before.removeLast() }
    while let last = before.last, last != " " { before.removeLast() }
  }

  /// The part of the text around the cursor that fits, and the column of the cursor in it.
  public func window(columns: Int) -> (text: String, cursor: Int) {
    var start = before[...]
    // The cursor needs a column too.
    while DisplayWidth.columns(String(start)) >= max(1, columns), !start.isEmpty { start.removeFirst() }
    return (String(start) + after, DisplayWidth.columns(String(start)))
  }
}
