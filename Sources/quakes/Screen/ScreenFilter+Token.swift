extension ScreenFilter {
  /// A word of a filter, or what joins words.
  enum Token: Equatable {
    case word(Word)
    case open, close, or
    /// `not`, which excludes all words up to the next filter word.
    case not
    /// `-` before a word, which it excludes alone.
    case minus

    /// Spaces separate words, except in quotation marks. A mark that is not closed reaches to the end.
    static func tokens(of text: String) -> [Token] {
      var (tokens, rest, depth) = ([Token](), text[...], 0)
      while true {
        rest = rest.drop { $0.isWhitespace }
        guard let first = rest.first else { return tokens }
        let next = rest.dropFirst().first
        switch first {
        case "(":
          tokens.append(.open)
          depth += 1
          rest.removeFirst()
        case ")" where depth > 0:
          tokens.append(.close)
          depth -= 1
          rest.removeFirst()
        case "-" where next?.isLetter == true || next == "\"" || next == "(":
          tokens.append(.minus)
          rest.removeFirst()
        default: tokens.append(token(Word(takenFrom: &rest, isInParentheses: depth > 0)))
        }
      }
    }

    private static func token(_ word: Word) -> Token {
      guard !word.isQuoted else { return .word(word) }
      switch word.text.lowercased() {
      case "or": return .or
      case "not": return .not
      default: return .word(word)
      }
    }
  }

  /// `mag>=5`, `type:"quarry blast"`, `tonga`.
  struct Word: Equatable {
    /// The whole, without quotation marks.
    var text = ""
    /// In lower case; empty without a sign.
    var name = ""
    /// One of `>=`, `<=`, `!=`, `>`, `<`, `=` and `:`; nil for a word to search for.
    var sign: String?
    var value = ""
    /// Whether it begins with a quotation mark, so that it is searched for whatever it is.
    var isQuoted = false

    /// Takes the word at the start of a text.
    init(takenFrom rest: inout Substring, isInParentheses: Bool) {
      isQuoted = rest.first == "\""
      var isInside = false
      while let character = rest.first, isInside || !character.isWhitespace && !(isInParentheses && character == ")") {
        if character == "\"" { isInside.toggle() } else { text.append(character) }
        rest.removeFirst()
      }
      if !isQuoted { findSign() }
    }

    private mutating func findSign() {
      let name = text.prefix { $0.isLetter || $0 == "_" }
      let rest = text[name.endIndex...]
      let signs = [">=", "<=", "!=", "==", ">", "<", "=", ":"]
      guard !name.isEmpty, let sign = signs.first(where: rest.hasPrefix) else { return }
      (self.name, value) = (name.lowercased(), String(rest.dropFirst(sign.count)))
      self.sign = sign == "==" ? "=" : sign
    }
  }
}
