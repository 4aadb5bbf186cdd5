/// Splits a Swift source into tokens, without comments.
///
/// It knows just enough of the language to find declarations: strings, comments, regular expressions and conditional
/// blocks, so that their contents are not taken for code.
package struct SwiftLexer {
  let source: [UInt8]
  var position = 0
  var line = 1
  package private(set) var tokens: [Token] = []
  /// The expressions in string literals, without the brackets around them. One inside another is not listed.
  package var interpolations: [Range<Int>] = []
  /// The number of interpolations around the current position.
  var interpolationDepth = 0

  package static func tokens(of source: [UInt8]) -> [Token] { SwiftLexer(reading: source).tokens }

  package init(reading source: [UInt8]) {
    self.init(source: source)
    run()
  }

  private init(source: [UInt8]) {
    self.source = source
    tokens.reserveCapacity(source.count / 5)
    // The shebang line of a script.
    if source.starts(with: Array("#!".utf8)) { skipLine() }
  }

  /// The byte at a distance from the current position; 0 outside of the source.
  func byte(_ distance: Int = 0) -> UInt8 {
    let index = position + distance
    return index >= 0 && index < source.count ? source[index] : 0
  }

  func sees(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard position + length <= source.count else { return false }
    return (0..<length).allSatisfy { text.utf8Start[$0] == source[position + $0] }
  }

  private mutating func run() {
    while position < source.count {
      let character = byte()
      switch character {
      case UInt8(ascii: "\n"): newLine()
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      case UInt8(ascii: "/") where sees("//"): skipLine()
      case UInt8(ascii: "/") where sees("/*"): skipComment()
      case UInt8(ascii: "/") where startsRegex: token(.literal) { $0.skipRegex() }
      case UInt8(ascii: "\""): token(.literal) { $0.skipString(pounds: 0) }
      case UInt8(ascii: "#"): pound()
      case UInt8(ascii: "`"): escapedWord()
      case _ where Self.startsWord(character): token(.word) { $0.skipWord() }
      case UInt8(ascii: "0")...UInt8(ascii: "9"): token(.literal) { $0.skipNumber() }
      default: token(.punctuator(character)) { $0.position += 1 }
      }
    }
    tokens.append(Token(kind: .end, bytes: source.count..<source.count, line: line))
  }

  mutating func newLine() {
    line += 1
    position += 1
  }

  private mutating func token(_ kind: Token.Kind, skip: (inout SwiftLexer) -> Void) {
    let (start, startLine) = (position, line)
    skip(&self)
    // A backslash may be the last character.
    position = min(position, source.count)
    tokens.append(Token(kind: kind, bytes: start..<position, line: startLine))
  }

  // MARK: Words and numbers

  static func startsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private mutating func skipWord() {
    while Self.startsWord(byte()) || Self.isDigit(byte()) { position += 1 }
  }

  private mutating func skipNumber() {
    skipWord()
    // A fraction is a dot followed by a digit. `1.description` and `1...2` end before the dot.
    if byte() == UInt8(ascii: "."), Self.isDigit(byte(1)) {
      position += 1
      skipWord()
    }
  }

  private mutating func escapedWord() {
    position += 1
    let start = position
    while position < source.count, byte() != UInt8(ascii: "`"), byte() != UInt8(ascii: "\n") { position += 1 }
    tokens.append(Token(kind: .escapedWord, bytes: start..<position, line: line))
    if byte() == UInt8(ascii: "`") { position += 1 }
  }

  // MARK: Comments

  mutating func skipLine() {
    while position < source.count, byte() != UInt8(ascii: "\n") { position += 1 }
  }

  /// Comments nest.
  mutating func skipComment() {
    var depth = 0
    while position < source.count {
      if sees("/*") {
        depth += 1
        position += 2
      } else if sees("*/") {
        depth -= 1
        position += 2
        if depth == 0 { return }
      } else if byte() == UInt8(ascii: "\n") {
        newLine()
      } else {
        position += 1
      }
    }
  }

  // MARK: Directives and raw literals

  private mutating func pound() {
    var pounds = 1
    while byte(pounds) == UInt8(ascii: "#") { pounds += 1 }
    switch byte(pounds) {
    case UInt8(ascii: "\""):
      token(.literal) {
        $0.position += pounds
        $0.skipString(pounds: pounds)
      }
    case UInt8(ascii: "/"): token(.literal) { $0.skipExtendedRegex(pounds: pounds) }
    default:
      if sees("#if ") || sees("#if(") || sees("#if\t") || sees("#elseif") || sees("#else") || sees("#endif") {
        token(.directive) { $0.skipDirective() }
      } else {
        token(.punctuator(UInt8(ascii: "#"))) { $0.position += 1 }
      }
    }
  }

  /// A condition ends with the line, unless brackets are still open, or at a comment.
  private mutating func skipDirective() {
    var depth = 0
    while position < source.count, !sees("//"), !sees("/*") {
      switch byte() {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "\n"):
        if depth <= 0 { return }
        line += 1
      default: break
      }
      position += 1
    }
  }
}
