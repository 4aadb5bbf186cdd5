/// Replaces `#keyPath(Book.author.name)` by the text that it stands for.
struct KeyPathRule {
  private let code: CodeFragment
  private let source: SourceText
  private let facts: ModuleFacts

  static func apply(to code: LiveCode, _ facts: ModuleFacts, _ changes: inout FileEdits) {
    for fragment in code.fragments {
      let rule = KeyPathRule(code: fragment, source: code.source, facts: facts)
      for index in fragment.tokens.indices where fragment.sees(index, "#", "keyPath", "(") {
        rule.replace(index, &changes)
      }
    }
  }

  private func replace(_ index: Int, _ changes: inout FileEdits) {
    guard let end = code.closing(index + 2) else { return }
    let names = PropertyNames(code: code, facts: facts)
    switch names.key(of: index + 3..<end) {
    case .failure(let problem): changes.remark(code[index], "#keyPath: " + problem.reason, .objectiveC)
    case .success(let key):
      let bytes = code[index].bytes.lowerBound..<code[end].bytes.upperBound
      changes.count(.keyPath)
      if let literal = code.literal, literal.isFormat, isWhole(bytes, in: literal.expression) {
        // `"\(#keyPath(Book.title)) == %@"`: the format gets the text itself.
        changes.replace(literalStart(literal.expression)..<literal.expression.upperBound + 1, with: key)
      } else {
        changes.replace(bytes, with: "\"\(key)\"")
      }
    }
  }

  private func isWhole(_ bytes: Range<Int>, in expression: Range<Int>) -> Bool {
    let text = source.text(expression)
    return text.trimmingBlanks() == source.text(bytes)
  }

  /// The position of the backslash before an interpolated expression.
  private func literalStart(_ expression: Range<Int>) -> Int {
    source.bytes[..<expression.lowerBound].lastIndex(of: UInt8(ascii: "\\")) ?? expression.lowerBound
  }
}

extension String {
  fileprivate func trimmingBlanks() -> Substring {
    var text = self[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
