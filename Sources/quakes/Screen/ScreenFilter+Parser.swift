import StrataQuakes

extension ScreenFilter {
  /// Reads words as conditions: words next to each other must all match, and of the parts between `or` at least one.
  struct Parser {
    private var tokens: ArraySlice<Token>
    private var depth = 0
    /// Bounds the query: longer filters come from pasted text.
    private static let (maximumTokens, maximumDepth) = (300, 20)

    init(_ tokens: [Token]) { self.tokens = tokens[...] }

    mutating func filter() throws(Problem) -> Conditions {
      guard tokens.count <= Self.maximumTokens else {
        throw Problem(text: "a filter has at most \(Self.maximumTokens) words, not \(tokens.count)")
      }
      return try alternatives()
    }

    /// Up to the end, or to the parenthesis that closes them.
    private mutating func alternatives() throws(Problem) -> Conditions {
      var parts = [try conjunction()]
      while take(.or) { parts.append(try conjunction()) }
      guard parts.count > 1 else { return parts[0] }
      guard !parts.contains(Conditions()) else {
        throw Problem(text: "or needs a filter on both sides, as in tonga or fiji; quote \"or\" to search for it")
      }
      for part in parts { try check(part) }
      return Conditions(combinations: [.any(parts)])
    }

    private mutating func conjunction() throws(Problem) -> Conditions {
      var (conditions, texts, isAfterFilter) = (Conditions(), [String](), false)
      while let token = tokens.first, token != .or, token != .close {
        if case .word(let word) = token, word.isSearched {
          tokens.removeFirst()
          // As in "mag>=5 and felt", not as in "Bosnia and Herzegovina".
          let isJoining = !word.isQuoted && word.text.lowercased() == "and" && (isAfterFilter || isBeforeFilter)
          if !isJoining { texts.append(word.text) }
          isAfterFilter = isJoining
        } else {
          try takeFilter(into: &conditions)
          isAfterFilter = true
        }
      }
      if !texts.isEmpty { conditions.fixed.text = texts.joined(separator: " ") }
      return conditions
    }

    private var isBeforeFilter: Bool {
      switch tokens.first {
      case .word(let word): !word.isSearched
      case .open, .not, .minus: true
      case .close, .or, nil: false
      }
    }

    private mutating func takeFilter(into conditions: inout Conditions) throws(Problem) {
      switch tokens.removeFirst() {
      case .word(let word) where word.sign == "!=":
        var other = word
        other.sign = "="
        var part = Conditions()
        try part.apply(other)
        try exclude(part, from: &conditions)
      case .word(let word): try conditions.apply(word)
      case .not: try exclude(try operand(hasAllWords: true), from: &conditions)
      case .minus: try exclude(try operand(hasAllWords: false), from: &conditions)
      default:
        let group = try group()
        try check(group)
        conditions.combinations.append(.any([group]))
      }
    }

    private func exclude(_ part: Conditions, from conditions: inout Conditions) throws(Problem) {
      try check(part)
      conditions.combinations.append(.not(part))
    }

    /// - Parameter hasAllWords: whether words that follow a word to search for belong to it.
    private mutating func operand(hasAllWords: Bool) throws(Problem) -> Conditions {
      var part = Conditions()
      guard let token = tokens.first, token != .or, token != .close else {
        throw Problem(text: "not needs a filter after it, as in not type:explosion; quote \"not\" to search for it")
      }
      guard case .word(let word) = token, word.isSearched else {
        if token == .open {
          tokens.removeFirst()
          return try group()
        }
        try deepen { (parser) throws(Problem) in try parser.takeFilter(into: &part) }
        return part
      }
      var texts: [String] = []
      while case .word(let word)? = tokens.first, word.isSearched, hasAllWords || texts.isEmpty {
        texts.append(word.text)
        tokens.removeFirst()
      }
      part.fixed.text = texts.joined(separator: " ")
      return part
    }

    /// Reads the rest of a group, up to its closing parenthesis.
    private mutating func group() throws(Problem) -> Conditions {
      var group = Conditions()
      try deepen { (parser) throws(Problem) in group = try parser.alternatives() }
      guard take(.close) else {
        throw Problem(text: "( needs a ) after it, as in (tonga or fiji) mag>=5; quote it to search for it")
      }
      guard group != Conditions() else {
        throw Problem(text: "( needs a filter before its ), as in (tonga or fiji) mag>=5; quote it to search for it")
      }
      return group
    }

    private mutating func deepen(_ body: (inout Parser) throws(Problem) -> Void) throws(Problem) {
      depth += 1
      guard depth <= Self.maximumDepth else {
        throw Problem(text: "at most \(Self.maximumDepth) parentheses and exclusions can be in each other")
      }
      try body(&self)
      depth -= 1
    }

    private func check(_ part: Conditions) throws(Problem) {
      guard let word = part.wordOfWhole else { return }
      throw Problem(
        text: "\(word) is for all that is listed: put it before the others, as in near:Tokyo (mag>=5 or felt)")
    }

    private mutating func take(_ token: Token) -> Bool {
      guard tokens.first == token else { return false }
      tokens.removeFirst()
      return true
    }
  }
}
