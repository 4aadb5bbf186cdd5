extension SwiftLexer {
  // MARK: Strings

  /// Skips a string literal from its first quotation mark, with its interpolations.
  mutating func skipString(pounds: Int) {
    let isLong = sees("\"\"\"") && !endsOnLine(pounds: pounds)
    position += isLong ? 3 : 1
    while position < source.count {
      switch byte() {
      case UInt8(ascii: "\""):
        if isLong, !sees("\"\"\"") {
          position += 1
        } else {
          position += isLong ? 3 : 1
          if skipPounds(pounds) { return }
        }
      case UInt8(ascii: "\\"):
        position += 1
        guard skipPounds(pounds) else { continue }
        if byte() == UInt8(ascii: "(") { skipExpression() } else if byte() != UInt8(ascii: "\n") { position += 1 }
      case UInt8(ascii: "\n"):
        // The compiler reports an unterminated string.
        if !isLong { return }
        newLine()
      default: position += 1
      }
    }
  }

  /// Whether a raw string that begins with three quotation marks ends on the same line, as `#"""#` does. Then it is not
  /// a multiline string.
  private func endsOnLine(pounds: Int) -> Bool {
    guard pounds > 0 else { return false }
    var distance = 2
    while position + distance < source.count, byte(distance) != UInt8(ascii: "\n"), byte(distance) != UInt8(ascii: "\r")
    {
      let isEnd = (1...pounds).allSatisfy { byte(distance + $0) == UInt8(ascii: "#") }
      if byte(distance) == UInt8(ascii: "\""), isEnd { return true }
      distance += 1
    }
    return false
  }

  /// Skips as many `#` as the literal began with; if there are fewer, skips none and returns false.
  private mutating func skipPounds(_ count: Int) -> Bool {
    for distance in 0..<count where byte(distance) != UInt8(ascii: "#") { return false }
    position += count
    return true
  }

  /// Skips an interpolation from its opening bracket.
  private mutating func skipExpression() {
    let start = position + 1
    interpolationDepth += 1
    defer {
      interpolationDepth -= 1
      let end = max(start, min(position, source.count) - 1)
      if interpolationDepth == 0, end < source.count { interpolations.append(start..<end) }
    }
    var depth = 0
    while position < source.count {
      switch byte() {
      case UInt8(ascii: "("):
        depth += 1
        position += 1
      case UInt8(ascii: ")"):
        depth -= 1
        position += 1
        if depth == 0 { return }
      case UInt8(ascii: "\""): skipString(pounds: 0)
      case UInt8(ascii: "#"):
        var pounds = 1
        while byte(pounds) == UInt8(ascii: "#") { pounds += 1 }
        position += pounds
        if byte() == UInt8(ascii: "\"") { skipString(pounds: pounds) }
      case UInt8(ascii: "/") where sees("/*"): skipComment()
      case UInt8(ascii: "\n"): newLine()
      default: position += 1
      }
    }
  }

  // MARK: Regular expressions

  /// Whether a slash begins a regular expression: no operand before it, no space after it, and closed on the same line.
  var startsRegex: Bool {
    guard position + 1 < source.count, !" \t\n=".utf8.contains(byte(1)) else { return false }
    guard mayStandBeforeRegex(tokens.last) else { return false }
    var index = position + 1
    while index < source.count, source[index] != UInt8(ascii: "\n") {
      if source[index] == UInt8(ascii: "\\") { index += 1 } else if source[index] == UInt8(ascii: "/") { return true }
      index += 1
    }
    return false
  }

  private func mayStandBeforeRegex(_ token: Token?) -> Bool {
    guard let token else { return true }
    switch token.kind {
    case .punctuator(let punctuator): return "=(,[{:;!&|?<>+-*".utf8.contains(punctuator)
    case .word:
      let word = source[token.bytes]
      return ["return", "in", "case", "try", "await", "where"].contains { $0.utf8.elementsEqual(word) }
    case .directive: return true
    case .escapedWord, .literal, .end: return false
    }
  }

  mutating func skipRegex() {
    position += 1
    while position < source.count, byte() != UInt8(ascii: "\n") {
      let character = byte()
      position += character == UInt8(ascii: "\\") ? 2 : 1
      if character == UInt8(ascii: "/") { return }
    }
  }

  /// Skips `#/…/#`, which may contain line breaks and slashes.
  mutating func skipExtendedRegex(pounds: Int) {
    position += pounds + 1
    while position < source.count {
      let character = byte()
      if character == UInt8(ascii: "\n") {
        newLine()
        continue
      }
      position += character == UInt8(ascii: "\\") ? 2 : 1
      if character == UInt8(ascii: "/"), skipPounds(pounds) { return }
    }
  }
}
