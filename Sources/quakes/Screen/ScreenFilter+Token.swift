extension ScreenFilter {
  /// A word of a filter: `mag>=5`, `type:"quarry blast"`, `tonga`.
  struct Token: Equatable {
    /// The whole, without quotation marks.
    var text: String
    /// In lower case; empty without a sign.
    var name = ""
    /// One of `>=`, `<=`, `>`, `<`, `=` and `:`; nil for a word to search for.
    var sign: String?
    var value = ""
    /// Whether it begins with a quotation mark, so that it is searched for whatever it is.
    var isQuoted = false

    /// Spaces separate words, except in quotation marks. A mark that is not closed reaches to the end.
    static func tokens(of text: String) -> [Token] {
      var tokens: [Token] = []
      var rest = text[...]
      while true {
        rest = rest.drop { $0.isWhitespace }
        guard !rest.isEmpty else { return tokens }
        tokens.append(take(from: &rest))
      }
    }

    private static func take(from rest: inout Substring) -> Token {
      let isQuoted = rest.first == "\""
      var (text, isInside) = ("", false)
      while let character = rest.first, isInside || !character.isWhitespace {
        if character == "\"" { isInside.toggle() } else { text.append(character) }
        rest.removeFirst()
      }
      var token = Token(text: text, isQuoted: isQuoted)
      if !isQuoted { token.findSign() }
      return token
    }

    private mutating func findSign() {
      let name = text.prefix { $0.isLetter || $0 == "_" }
      let rest = text[name.endIndex...]
      guard !name.isEmpty, let sign = [">=", "<=", ">", "<", "=", ":"].first(where: rest.hasPrefix) else { return }
      (self.name, self.sign, value) = (name.lowercased(), sign, String(rest.dropFirst(sign.count)))
    }
  }
}
