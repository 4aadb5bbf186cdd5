import Foundation

/// Parses a format string with its arguments into a tree.
///
///     predicate   = conjunction { ("OR" | "||") conjunction }
///     conjunction = negation { ("AND" | "&&") negation }
///     negation    = ("NOT" | "!") negation | "(" predicate ")" | constant | %@ (a predicate) | comparison
///     constant    = "TRUEPREDICATE" | "FALSEPREDICATE"
///     comparison  = ["ANY" | "SOME" | "ALL" | "NONE"] expression operator [options] expression
///     operator    = "=" | "==" | "!=" | "<>" | "<" | "<=" | "=<" | ">" | ">=" | "=>" | "BETWEEN" | "IN"
///                 | "CONTAINS" | "BEGINSWITH" | "ENDSWITH" | "LIKE" | "MATCHES"
///     options     = "[" { "c" | "d" | "n" } "]"
///     expression  = disjoined { ("UNION" | "INTERSECT" | "MINUS") disjoined }
///     disjoined   = exclusive { "|" exclusive }
///     exclusive   = conjoined { "^" conjoined }
///     conjoined   = shifted { "&" shifted }
///     shifted     = sum { ("<<" | ">>") sum }
///     sum         = product { ("+" | "-") product }
///     product     = signed { ("*" | "/") signed }
///     signed      = ("-" | "+" | "~") signed | power
///     power       = postfix [ "**" signed ]
///     postfix     = primary { "." path | "[" index "]" }
///     index       = "FIRST" | "LAST" | "SIZE" | expression
///     primary     = "(" expression ")" | "{" [ expression { "," expression } ] "}" | "SELF" | $variable | path
///                 | number | string | "TRUE" | "YES" | "FALSE" | "NO" | "NULL" | "NIL" | "*" | "ANYKEY"
///                 | %@ | %d | %f | %c | %s | call
///     path        = element { "." element }        element = name | #name | @name | %K
///     call        = "CAST" "(" expression "," string ")"
///                 | "TERNARY" "(" predicate "," expression "," expression ")"
///                 | "SUBQUERY" "(" expression "," $variable "," predicate ")"
///                 | "FUNCTION" "(" expression "," string { "," expression } ")"
///                 | "FETCH" "(" expression "," expression [ "," ("YES" | "NO") ] ")"
///                 | selector "(" [ expression { "," expression } ] ")"
///     selector    = name { ":" [ name ] }          `sum:`, `add:to:`, `now`; `sum` is `sum:`
///     number      = digits [ "." digits ] [ "e" ["+" | "-"] digits ] | 0x… | 0o… | 0b…
///
/// Keywords are case-insensitive. The grammar follows Apple's "Predicate Format String Syntax", which gives no
/// precedence for the bitwise operators: they bind as in C among themselves, and tighter than all comparisons. A
/// leading bracket in a chain of one operator is not a predicate of its own, as in Apple's parser: `(a AND b) AND c`
/// has three subpredicates.
package struct PredicateParser {
  let format: String
  let tokens: [PredicateToken]
  var arguments: [Any?]
  var position = 0
  private var depth = 0
  /// The operators so far that take what stands before them as their left side, in the outermost comparison.
  var chained = 0
  var isInComparison = false
  var nextArgument = 0
  /// The contents of the brackets parsed so far.
  private var brackets: [Bracket: BracketContent] = [:]

  /// The opening position of a bracket, and its context.
  private struct Bracket: Hashable { var position: Int, depth: Int, isInComparison: Bool }

  private struct BracketContent {
    var result: Result<PredicateNode, PredicateSyntaxError>
    var position: Int
    var nextArgument: Int
    var chained: Int
  }

  /// Parses a format string.
  /// - Parameter arguments: the arguments for `%@`, `%K`, `%d` and the others, in order; extra ones are ignored.
  /// - Throws: `PredicateSyntaxError` with the column, what was expected and what was found.
  package static func tree(
    _ format: String, arguments: [Any?] = []
  ) throws(PredicateSyntaxError) -> PredicateNode {
    try parsed(format, arguments) { reader throws(PredicateSyntaxError) in
      let node = try reader.predicate()
      guard case .end = reader.token.kind else { throw reader.unexpected("AND, OR or the end") }
      return node
    }
  }

  /// Parses a format string that is an expression, not a predicate.
  package static func expression(
    _ format: String, arguments: [Any?] = []
  ) throws(PredicateSyntaxError) -> ExpressionNode {
    try parsed(format, arguments) { reader throws(PredicateSyntaxError) in
      let node = try reader.expression()
      guard case .end = reader.token.kind else { throw reader.unexpected("an operator or the end") }
      return node
    }
  }

  var token: PredicateToken { tokens[position] }

  mutating func advance() { position = min(position + 1, tokens.count - 1) }

  func unexpected(_ expectation: String) -> PredicateSyntaxError {
    PredicateSyntaxError(
      format: format, column: token.column, problem: "expected \(expectation), found \(token.text)")
  }

  mutating func consume(_ keyword: PredicateKeyword) -> Bool {
    guard tokens[position].keyword == keyword else { return false }
    advance()
    return true
  }

  func isSymbol(_ symbol: String) -> Bool {
    guard case .symbol(let found) = tokens[position].kind else { return false }
    return found == symbol
  }

  mutating func consume(symbol: String) -> Bool {
    guard isSymbol(symbol) else { return false }
    advance()
    return true
  }

  /// Deeper nesting could exhaust a thread's stack, which is 512 kB in a queue: here, or later when the tree is
  /// evaluated, printed or freed.
  private static let maximumDepth = 100
  /// Operators that bind to the left nest as deep as their chain is long, but with less of the stack for each. Those of
  /// comparisons within a comparison nest in it; those of other comparisons are its siblings.
  private static let maximumChain = 100

  /// The levels that a SUBQUERY counts as: translated to SQL and evaluated, it takes several times the stack of a bracket.
  static let subqueryLevels = 6

  /// Parses what stands inside of something else.
  /// - Parameter levels: the number of levels it counts as, of the maximum depth.
  mutating func nested<Node>(
    levels: Int = 1, _ body: (inout PredicateParser) throws(PredicateSyntaxError) -> Node
  ) throws(PredicateSyntaxError) -> Node {
    guard depth + levels <= Self.maximumDepth else {
      throw unexpected("at most \(Self.maximumDepth) levels of brackets and signs")
    }
    depth += levels
    defer { depth -= levels }
    return try body(&self)
  }

  /// Counts an operator that takes what stands before it as its left side.
  mutating func countChained() throws(PredicateSyntaxError) {
    chained += 1
    if chained > Self.maximumChain { throw unexpected("at most \(Self.maximumChain) operators between values") }
  }

  mutating func expect(symbol: String) throws(PredicateSyntaxError) {
    guard consume(symbol: symbol) else { throw unexpected("\"\(symbol)\"") }
  }
}

/// The logic around comparisons.
extension PredicateParser {
  mutating func predicate() throws(PredicateSyntaxError) -> PredicateNode {
    var members = [try conjunction()]
    while consume(.or) || consume(symbol: "||") { members.append(try conjunction()) }
    if members.count > 1, case .or(let first) = members[0] { members.replaceSubrange(0..<1, with: first) }
    return members.count == 1 ? members[0] : .or(members)
  }

  private mutating func conjunction() throws(PredicateSyntaxError) -> PredicateNode {
    var members = [try negation()]
    while consume(.and) || consume(symbol: "&&") { members.append(try negation()) }
    if members.count > 1, case .and(let first) = members[0] { members.replaceSubrange(0..<1, with: first) }
    return members.count == 1 ? members[0] : .and(members)
  }

  private mutating func negation() throws(PredicateSyntaxError) -> PredicateNode {
    if consume(.not) || consume(symbol: "!") {
      return .not(try nested { parser throws(PredicateSyntaxError) in try parser.negation() })
    }
    if consume(.truepredicate) { return .constant(true) }
    if consume(.falsepredicate) { return .constant(false) }
    if let node = try argumentPredicate() { return node }
    if isSymbol("(") {
      return try nested { parser throws(PredicateSyntaxError) in try parser.parenthesisedOnce() }
    }
    return try comparison()
  }

  /// Parses a bracket, unless that was done: brackets in brackets would be parsed twice for each around them, and so a
  /// short text for ever.
  private mutating func parenthesisedOnce() throws(PredicateSyntaxError) -> PredicateNode {
    let bracket = Bracket(position: position, depth: depth, isInComparison: isInComparison)
    if let known = brackets[bracket] {
      (position, nextArgument, chained) = (known.position, known.nextArgument, chained + known.chained)
      return try known.result.get()
    }
    let before = chained
    let result: Result<PredicateNode, PredicateSyntaxError>
    do throws(PredicateSyntaxError) { result = .success(try parenthesised()) } catch { result = .failure(error) }
    brackets[bracket] = BracketContent(
      result: result, position: position, nextArgument: nextArgument, chained: max(0, chained - before))
    return try result.get()
  }

  /// A bracket may enclose a predicate or the left side of a comparison; what follows it tells.
  private mutating func parenthesised() throws(PredicateSyntaxError) -> PredicateNode {
    let start = (position, nextArgument)
    do throws(PredicateSyntaxError) {
      return try comparison()
    } catch let comparisonError {
      (position, nextArgument) = start
      advance()
      do throws(PredicateSyntaxError) {
        let node = try predicate()
        try expect(symbol: ")")
        return node
      } catch let predicateError {
        throw comparisonError.column > predicateError.column ? comparisonError : predicateError
      }
    }
  }
}

/// The stack that parsing takes.
extension PredicateParser {
  /// Deeper formats may not fit the stack of a queue, which is 512 kB: a level takes 7 kB in a debug build.
  private static let shallowDepth = 20
  private static let deepStack = 8 << 20

  /// Parses a format, on a stack of its own if it may nest deeply.
  private static func parsed<Node>(
    _ format: String, _ arguments: [Any?],
    _ body: @escaping (inout PredicateParser) throws(PredicateSyntaxError) -> Node
  ) throws(PredicateSyntaxError) -> Node {
    var reader = PredicateParser(
      format: format, tokens: try PredicateLexer.tokens(of: format), arguments: arguments)
    if reader.tokens.lazy.filter({ $0.mayNest }).prefix(shallowDepth).count < shallowDepth { return try body(&reader) }
    // This thread waits, so that only one of the two uses the parser at any time.
    nonisolated(unsafe) let deep = reader
    nonisolated(unsafe) let parse = body
    nonisolated(unsafe) var result: Result<Node, PredicateSyntaxError>?
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      var reader = deep
      do throws(PredicateSyntaxError) {
        result = .success(try parse(&reader))
      } catch {
        result = .failure(error)
      }
      done.signal()
    }
    thread.stackSize = deepStack
    thread.start()
    done.wait()
    guard let result else { preconditionFailure("The thread ended without a result.") }
    return try result.get()
  }
}

extension PredicateToken {
  /// Whether a part of the format may begin here that is parsed inside of another.
  fileprivate var mayNest: Bool {
    switch kind {
    case .symbol(let symbol): ["(", "{", "[", "!", "-", "+", "~", "**"].contains(symbol)
    case .word: keyword == .not
    default: false
    }
  }
}
