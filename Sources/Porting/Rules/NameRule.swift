/// Replaces names and literals that have another spelling on Linux.
struct NameRule {
  private let code: CodeFragment
  private let source: SourceText
  private let facts: ModuleFacts

  static func apply(to code: LiveCode, _ facts: ModuleFacts, _ changes: inout FileEdits) {
    for fragment in code.fragments {
      let rule = NameRule(code: fragment, source: code.source, facts: facts)
      for index in fragment.tokens.indices {
        rule.removeModule(index, &changes)
        rule.replaceCoercion(index, &changes)
        rule.replaceTypedLiteral(index, &changes)
        rule.replaceArgumentList(index, &changes)
        rule.replaceCoderClass(index, &changes)
      }
    }
  }

  /// `Foundation.ValueTransformer`: Linux has the class in Core Data.
  private func removeModule(_ index: Int, _ changes: inout FileEdits) {
    guard code.sees(index, "Foundation", "."), !code.sees(index - 1, "."), !isImported(index),
      CoreDataNames.moved.contains(code[index + 2].text)
    else { return }
    guard !facts.types.contains(code[index + 2].text) else {
      let reason = "'\(code[index + 2].text)' is not in Foundation on Linux, and the module has a type of that name"
      return changes.remark(code[index], reason, .imports)
    }
    changes.replace(code[index].bytes.lowerBound..<code[index + 2].bytes.lowerBound, with: "")
    changes.count(.name)
    changes.needsCoreData = true
  }

  /// `import class Foundation.ValueTransformer`
  private func isImported(_ index: Int) -> Bool {
    code.sees(index - 1, "import") || code.sees(index - 2, "import")
  }

  /// `Bundle(for: self.classForCoder)`: on Linux, test cases do not inherit from `NSObject`.
  private func replaceCoderClass(_ index: Int, _ changes: inout FileEdits) {
    guard code.sees(index, "Bundle", "(", "for", ":"), !code.sees(index - 1, ".") else { return }
    let end = code.sees(index + 4, "self", ".") ? index + 6 : index + 4
    guard code.sees(end, "classForCoder", ")") else { return }
    changes.replace(code[index + 4].bytes.lowerBound..<code[end].bytes.upperBound, with: "type(of: self)")
    changes.count(.name)
  }

  // MARK: Arguments of formats

  /// `withVaList(list) { NSPredicate(format: text, arguments: $0) }`
  private func replaceArgumentList(_ index: Int, _ changes: inout FileEdits) {
    guard code.sees(index, "withVaList", "("), let end = code.closing(index + 1) else { return }
    guard code.sees(end + 1, "{"), let last = code.closing(end + 1),
      code.tokens[end..<last].contains(where: { $0.text == "NSPredicate" })
    else { return }
    guard code.sees(end + 2, "NSPredicate", "(", "format", ":"), let close = code.closing(end + 3), close + 1 == last,
      code.sees(close - 4, ",", "arguments", ":", "$0"), end == index + 3
    else {
      let reason = "C arguments cannot hold Swift's objects; use 'NSPredicate(format:argumentArray:)'"
      return changes.remark(code[index], reason, .objectiveC)
    }
    let list = source.text(code[index + 1].bytes.upperBound..<code[end].bytes.lowerBound)
    changes.replace(code[index].bytes.lowerBound..<code[end + 2].bytes.lowerBound, with: "")
    changes.replace(code[close - 3].bytes.lowerBound..<code[close - 1].bytes.upperBound, with: "argumentArray: " + list)
    changes.replace(code[close].bytes.upperBound..<code[close + 1].bytes.upperBound, with: "")
    changes.count(.name)
  }

  // MARK: Array literals of sets

  /// `[book] as NSSet`
  private func replaceCoercion(_ index: Int, _ changes: inout FileEdits) {
    guard code.sees(index, "as", "NSSet"), code.sees(index - 1, "]"), let open = code.opening(index - 1),
      isArrayLiteral(open, index - 1), !isOperand(open - 1)
    else { return }
    changes.insert("NSSet(array: ", at: code[open].bytes.lowerBound)
    changes.replace(code[index - 1].bytes.upperBound..<code[index + 1].bytes.upperBound, with: ")")
    changes.count(.literal)
  }

  /// `let books: NSSet = [book]`
  private func replaceTypedLiteral(_ index: Int, _ changes: inout FileEdits) {
    let type = code[index + 1].text
    guard code.sees(index, ":"), ["NSSet", "NSMutableSet"].contains(type) else { return }
    let equals = code.sees(index + 2, "?") ? index + 3 : index + 2
    guard code.sees(equals, "=", "["), let close = code.closing(equals + 1), isArrayLiteral(equals + 1, close),
      endsExpression(close)
    else { return }
    changes.insert("\(type)(array: ", at: code[equals + 1].bytes.lowerBound)
    changes.insert(")", at: code[close].bytes.upperBound)
    changes.count(.literal)
  }

  private func isArrayLiteral(_ open: Int, _ close: Int) -> Bool {
    if open + 1 == close { return true }
    var index = open + 1
    while index < close {
      if code.sees(index, ":") { return false }
      let isBracket = ["(", "[", "{"].contains(code[index].text) && code[index].kind != .literal
      index = (isBracket ? code.closing(index) ?? index : index) + 1
    }
    return true
  }

  /// Whether a bracket after this token is a subscript or an argument.
  private func isOperand(_ index: Int) -> Bool {
    guard index >= 0 else { return false }
    let token = code[index]
    let keywords: Set<String> = ["return", "in", "case", "try", "await", "else", "throw", "where"]
    return (token.isName && !keywords.contains(token.text)) || [")", "]", "?", "!", "}", "."].contains(token.text)
      || token.kind == .literal
  }

  /// Whether the expression ends with the bracket: the next token is on another line or closes a block.
  private func endsExpression(_ close: Int) -> Bool {
    let next = code[close + 1]
    if next.kind == .end || ["}", ")", ",", ";"].contains(next.text) { return true }
    let isOnNextLine = source.lineEnd(code[close].bytes.upperBound) < next.bytes.lowerBound
    return isOnNextLine && (next.isName || next.text == "@") && next.text != "as"
  }
}
