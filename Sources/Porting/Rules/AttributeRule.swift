/// Puts `@objc`, `@objc(Name)` and `@objcMembers` into conditional blocks of their own.
///
/// Swift accepts an `#if` around attributes of a declaration since 5.8 (SE-0367).
struct AttributeRule {
  private let code: CodeFragment
  private let source: SourceText
  private let facts: ModuleFacts

  static let names: Set<String> = ["objc", "objcMembers"]

  static func apply(to code: LiveCode, _ facts: ModuleFacts, _ changes: inout FileEdits) {
    for fragment in code.fragments {
      let rule = AttributeRule(code: fragment, source: code.source, facts: facts)
      let heads = DeclarationScanner.heads(in: fragment)
      let left = ProtocolRule(code: fragment, heads: heads, facts: facts).apply(&changes)
      for head in heads where head.attributes.contains(where: { names.contains($0.name) }) {
        guard !left.contains(where: { $0.contains(head.index) }) else { continue }
        rule.apply(to: head, &changes)
      }
    }
  }

  private func apply(to head: DeclarationHead, _ changes: inout FileEdits) {
    let attributes = head.attributes.filter { Self.names.contains($0.name) }
    let first = code[attributes[0].tokens.lowerBound]
    guard let keyword = head.keyword else {
      changes.remark(first, "The name that an accessor has in Objective-C cannot be conditional", .objectiveC)
      return
    }
    guard !["case", "import"].contains(keyword), code.literal == nil, canMove(attributes[0], of: head) else {
      changes.remark(first, "'@objc' is not possible here", .objectiveC)
      return
    }
    changes.count(.attribute, attributes.count)
    leaveName(of: head, &changes)
    let runs = runs(of: attributes)
    if runs.allSatisfy(isAlone) { wrapLines(of: runs, &changes) } else { split(runs, attributes, &changes) }
  }

  /// Lists a class that the model knows by its name in Objective-C, which Linux does not have.
  private func leaveName(of head: DeclarationHead, _ changes: inout FileEdits) {
    guard head.keyword == "class", let name = head.name,
      let other = head.attributes.first(where: { $0.name == "objc" })?.argument, other != name,
      facts.modelNames.contains(other)
    else { return }
    let reason = "The model names the class '\(other)', as Objective-C does: on Linux its name is '\(name)'"
    changes.remark(code[head.index], reason, .classes)
  }

  /// Whether the attribute is where the compiler accepts one: before all modifiers, and not behind another declaration.
  private func canMove(_ attribute: DeclarationHead.Attribute, of head: DeclarationHead) -> Bool {
    let index = attribute.tokens.lowerBound
    if head.modifiers.contains(where: { $0.index < index }) { return false }
    return head.start < index || source.isFirstOnLine(code[index].bytes.lowerBound)
      || ["{", "}", ";", ":"].contains(code[index - 1].text)
  }

  // MARK: Attributes on lines of their own

  private func bytes(_ attribute: DeclarationHead.Attribute) -> Range<Int> {
    code[attribute.tokens.lowerBound].bytes.lowerBound..<code[attribute.tokens.upperBound - 1].bytes.upperBound
  }

  /// The bytes of the attributes; those with nothing but white space between them are together.
  private func runs(of attributes: [DeclarationHead.Attribute]) -> [Range<Int>] {
    attributes.map(bytes).reduce(into: []) { runs, bytes in
      let white: Set = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n")]
      if let last = runs.last, source.bytes[last.upperBound..<bytes.lowerBound].allSatisfy(white.contains) {
        runs[runs.count - 1] = last.lowerBound..<bytes.upperBound
      } else {
        runs.append(bytes)
      }
    }
  }

  /// Whether nothing else is on the lines.
  private func isAlone(_ run: Range<Int>) -> Bool {
    source.isFirstOnLine(run.lowerBound) && source.isLastOnLine(run.upperBound)
  }

  private func wrapLines(of runs: [Range<Int>], _ changes: inout FileEdits) {
    for run in runs {
      let (ending, indent) = (source.lineEnding(run.lowerBound), source.indentation(run.lowerBound))
      changes.insert("#if canImport(ObjectiveC)" + ending + indent, at: run.lowerBound)
      changes.insert(ending + indent + "#endif", at: source.lineEnd(run.upperBound))
    }
  }

  // MARK: Attributes in front of other words

  /// Puts the attributes on lines of their own, where the first of them is.
  private func split(
    _ runs: [Range<Int>], _ attributes: [DeclarationHead.Attribute], _ changes: inout FileEdits
  ) {
    let removals = runs.map(removal)
    let anchor = runs[0].lowerBound
    let (ending, indent) = (source.lineEnding(anchor), source.indentation(anchor))
    let words = attributes.map { source.text(bytes($0)) }.joined(separator: " ")
    var block = ["#if canImport(ObjectiveC)", words, "#endif"].joined(separator: ending + indent)
    var start = removals[0].lowerBound
    if !source.isFirstOnLine(anchor) {
      start = min(start, source.blanksStart(anchor))
      block = ending + indent + block
    }
    // An attribute that ends its line leaves the line break.
    if source.lineEnd(removals[0].upperBound) != removals[0].upperBound { block += ending + indent }
    changes.replace(start..<removals[0].upperBound, with: block)
    for removal in removals.dropFirst() { changes.replace(removal, with: "") }
  }

  /// The attribute with the blanks after it, or before it if it ends the line.
  private func removal(of bytes: Range<Int>) -> Range<Int> {
    let end = source.skippingBlanks(bytes.upperBound)
    let endsLine = source.lineEnd(end) == end && !source.isFirstOnLine(bytes.lowerBound)
    return (endsLine ? source.blanksStart(bytes.lowerBound) : bytes.lowerBound)..<end
  }
}
