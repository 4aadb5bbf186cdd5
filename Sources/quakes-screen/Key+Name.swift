/// Keys as people read and write them: `q`, `Enter`, `Ctrl-L`.
extension Key {
  /// The first name is the one that is shown.
  private static let names: [(key: Key, names: [String])] = [
    (.enter, ["Enter", "Return"]), (.escape, ["Esc", "Escape"]), (.character(" "), ["Space"]), (.tab, ["Tab"]),
    (.backTab, ["Shift-Tab"]), (.backspace, ["Backspace"]), (.delete, ["Del", "Delete"]), (.up, ["↑", "Up"]),
    (.down, ["↓", "Down"]), (.left, ["←", "Left"]), (.right, ["→", "Right"]), (.pageUp, ["PgUp", "PageUp"]),
    (.pageDown, ["PgDn", "PageDown"]), (.home, ["Home"]), (.end, ["End"]),
  ]

  /// Terminals send the bytes of other keys for these: Backspace, Tab and Enter.
  private static let takenLetters: Set<Character> = ["h", "i", "j", "m"]

  public var name: String {
    if let known = Self.names.first(where: { $0.key == self }) { return known.names[0] }
    return switch self {
    case .character(let character): String(character)
    case .control(let letter): "Ctrl-\(letter.uppercased())"
    default: "?"
    }
  }

  /// - Parameter name: one character, or a name in small or capital letters.
  /// - Returns: nil if there is no such key.
  public init?(name: String) {
    let small = name.lowercased()
    if let known = Self.names.first(where: { $0.names.contains { $0.lowercased() == small } }) {
      self = known.key
    } else if name.count == 1, let character = name.first, !character.isWhitespace {
      self = .character(character)
    } else if small.hasPrefix("ctrl-"), small.count == 6, let letter = small.last, "a"..."z" ~= letter,
      !Self.takenLetters.contains(letter)
    {
      self = .control(letter)
    } else {
      return nil
    }
  }
}
