extension DisplayWidth {
  /// Breaks a text as `wrapped(_:to:)` does; of what is more than some lines, only the beginning.
  public static func wrapped(_ text: String, to limit: Int, maximum: Int) -> [String] {
    let lines = wrapped(text, to: limit)
    guard lines.count > maximum, maximum > 0 else { return lines }
    let rest = lines[(maximum - 1)...].joined(separator: " ")
    return lines.prefix(maximum - 1) + [fitted(rest, to: limit)]
  }

  /// Breaks a text between words into lines of at most some columns; a word that is longer is broken too.
  ///
  /// - Returns: at least one line.
  public static func wrapped(_ text: String, to limit: Int) -> [String] {
    guard limit > 1, columns(text) > limit else { return [text] }
    var (lines, used) = ([""], 0)
    for word in text.split(separator: " ") {
      let width = columns(String(word))
      if used > 0, used + 1 + width <= limit {
        lines[lines.count - 1] += " " + word
        used += 1 + width
        continue
      }
      if used > 0 { (lines, used) = (lines + [""], 0) }
      for character in word {
        let width = columns(character)
        if used + width > limit { (lines, used) = (lines + [""], 0) }
        lines[lines.count - 1].append(character)
        used += width
      }
    }
    return lines
  }
}
