/// The attributes, modifiers, keyword and name of a declaration.
struct DeclarationHead {
  struct Attribute {
    var name: String
    /// The text in brackets.
    var argument: String?
    /// The indexes of its tokens.
    var tokens: Range<Int>
  }

  /// The index of the first attribute or modifier, or of the keyword.
  var start: Int
  var attributes: [Attribute] = []
  /// The modifiers with their indexes.
  var modifiers: [(word: String, index: Int)] = []
  /// `class`, `func`, `import`; nil if no declaration follows the attributes.
  var keyword: String?
  /// The index of the keyword.
  var index: Int
  var name: String?
  /// The keyword of the declaration whose body this is in; nil at file level and in functions.
  var scope: String?

  func has(_ modifier: String) -> Bool { modifiers.contains { $0.word == modifier } }
}

/// Finds the declarations of a fragment.
struct DeclarationScanner {
  private let code: CodeFragment
  private var index = 0
  private var heads: [DeclarationHead] = []
  /// The keywords of the types whose bodies are open; nil for other braces.
  private var scopes: [String?] = []
  /// The keyword of a type whose body has not begun.
  private var pending: String?

  static func heads(in code: CodeFragment) -> [DeclarationHead] {
    var scanner = DeclarationScanner(code: code)
    scanner.run()
    return scanner.heads
  }

  private init(code: CodeFragment) { self.code = code }

  private static let types: Set<String> = ["class", "struct", "enum", "protocol", "extension", "actor"]
  private static let keywords: Set<String> = types.union([
    "func", "var", "let", "init", "deinit", "subscript", "case", "typealias", "associatedtype", "import", "macro",
  ])
  private static let modifiers: Set<String> = [
    "private", "fileprivate", "internal", "package", "public", "open", "static", "final", "override", "lazy", "weak",
    "unowned", "dynamic", "nonisolated", "required", "convenience", "mutating", "nonmutating", "optional", "indirect",
    "prefix", "infix", "postfix", "distributed", "isolated", "borrowing", "consuming",
  ]

  private mutating func run() {
    while code[index].kind != .end {
      switch code[index].text {
      case "{" where code[index].kind != .literal:
        scopes.append(pending)
        pending = nil
        index += 1
      case "}" where code[index].kind != .literal:
        _ = scopes.popLast()
        index += 1
      default: if !head() { index += 1 }
      }
    }
  }

  /// Reads a declaration's head; returns false if none begins here.
  private mutating func head() -> Bool {
    guard !code.sees(index - 1, ".") || !code.isAdjacent(index) else { return false }
    var head = DeclarationHead(start: index, index: index, scope: scopes.last ?? nil)
    let start = index
    while readPrefix(of: &head) {}
    head.index = index
    let token = code[index]
    if token.kind == .word, Self.keywords.contains(token.text), !code.sees(index + 1, ":"), !code.sees(index + 1, ",") {
      head.keyword = token.text
      if code[index + 1].isName { head.name = code[index + 1].text }
      if Self.types.contains(token.text) { pending = token.text }
      index += 1
    } else if head.attributes.isEmpty {
      index = start
      return false
    }
    heads.append(head)
    return true
  }

  /// Reads an attribute or a modifier.
  private mutating func readPrefix(of head: inout DeclarationHead) -> Bool {
    let token = code[index]
    if code.sees(index, "@"), code[index + 1].isName, code.isAdjacent(index + 1) {
      readAttribute(of: &head)
      return true
    }
    guard token.kind == .word else { return false }
    let isClassMember = token.text == "class" && isBeforeMember(index + 1)
    guard Self.modifiers.contains(token.text) || isClassMember, !code.sees(index + 1, ":") else { return false }
    head.modifiers.append((token.text, index))
    index += 1
    if code.sees(index, "("), let end = code.closing(index) { index = end + 1 }
    return true
  }

  /// Whether `class` before this token is a modifier.
  private func isBeforeMember(_ index: Int) -> Bool {
    ["func", "var", "let", "subscript"].contains(code[index].text)
      || (Self.modifiers.contains(code[index].text) && code[index].kind == .word
        && (Self.keywords.contains(code[index + 1].text) || Self.modifiers.contains(code[index + 1].text)))
  }

  private mutating func readAttribute(of head: inout DeclarationHead) {
    let start = index
    var name = code[index + 1].text
    index += 2
    while code.sees(index, "."), code.isAdjacent(index), code[index + 1].isName {
      name = code[index + 1].text
      index += 2
    }
    var argument: String?
    if code.sees(index, "("), code.isAdjacent(index), let end = code.closing(index) {
      argument = code.tokens[index + 1..<end].map(\.text).joined()
      index = end + 1
    }
    head.attributes.append(.init(name: name, argument: argument, tokens: start..<index))
  }
}
