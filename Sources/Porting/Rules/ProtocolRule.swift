/// Keeps protocols with `@objc` bound to classes without it, and finds those with optional members.
struct ProtocolRule {
  let code: CodeFragment
  let heads: [DeclarationHead]
  let facts: ModuleFacts

  /// Returns the tokens of the protocols that stay as they are.
  func apply(_ changes: inout FileEdits) -> [ClosedRange<Int>] {
    var left: [ClosedRange<Int>] = []
    for head in heads where head.keyword == "protocol" {
      guard head.attributes.contains(where: { $0.name == "objc" }), let name = head.name else { continue }
      guard let brace = (head.index..<code.tokens.count).first(where: { code[$0].text == "{" }),
        let end = code.closing(brace)
      else { continue }
      let members = heads.filter { brace < $0.index && $0.index < end }
      if members.contains(where: { $0.has("optional") }) {
        let reason = "The protocol '\(name)' has optional members; write a Swift protocol with default implementations"
        changes.remark(code[head.index], reason, .objectiveC)
        left.append(head.start...end)
      } else {
        bindToClasses(head, brace: brace, &changes)
      }
    }
    return left
  }

  private func bindToClasses(_ head: DeclarationHead, brace: Int, _ changes: inout FileEdits) {
    let name = code[head.index + 1]
    let end = name.bytes.upperBound + (name.kind == .escapedWord ? 1 : 0)
    guard code.sees(head.index + 2, ":") else {
      changes.insert(": AnyObject", at: end)
      changes.count(.protocolConstraint)
      return
    }
    let clause = (head.index + 3..<brace).prefix { code[$0].text != "where" }
    let isBound = clause.contains { index in
      let text = code[index].text
      return ["AnyObject", "class", "NSObjectProtocol"].contains(text) || facts.protocols.contains(text)
        || text.hasSuffix("Delegate")
    }
    guard !isBound, let last = clause.last else { return }
    changes.insert(", AnyObject", at: code[last].bytes.upperBound)
    changes.count(.protocolConstraint)
  }
}
