/// Replaces casts of requests to another result type, which never succeed without Objective-C.
struct RequestRule {
  private let code: CodeFragment
  private let source: SourceText
  private let facts: ModuleFacts

  /// A cast, `as! NSFetchRequest<Type>`.
  private struct Cast {
    /// The index of `as`.
    var index: Int
    var isForced: Bool
    /// The index after the type.
    var end: Int
    var type: String
  }

  static func apply(to code: LiveCode, _ facts: ModuleFacts, _ changes: inout FileEdits) {
    for fragment in code.fragments {
      RequestRule(code: fragment, source: code.source, facts: facts).apply(&changes)
    }
  }

  private func apply(_ changes: inout FileEdits) {
    for cast in code.tokens.indices.compactMap(cast) {
      let isDone =
        cast.isForced
        && (replaceCall(before: cast, &changes) || replaceVariable(before: cast, &changes))
      if isDone {
        changes.count(.request)
      } else if !isCopy(before: cast) {
        changes.remark(
          code[cast.index],
          "A request cannot be cast to another result type; make it with the type '\(cast.type)'", .requests)
      }
    }
  }

  private func cast(_ index: Int) -> Cast? {
    guard code.sees(index, "as") else { return nil }
    let mark = code[index + 1].text
    guard mark == "!" || mark == "?", code.sees(index + 2, "NSFetchRequest", "<"),
      let end = code.afterGenerics(index + 3)
    else { return nil }
    let type = source.text(code[index + 3].bytes.upperBound..<code[end - 1].bytes.lowerBound)
    return Cast(index: index, isForced: mark == "!", end: end, type: type)
  }

  /// A copy has the type of its original.
  private func isCopy(before cast: Cast) -> Bool { code.sees(cast.index - 3, "copy", "(", ")") }

  /// The cast with the blanks before it.
  private func removal(_ cast: Cast) -> Range<Int> {
    source.blanksStart(code[cast.index].bytes.lowerBound)..<code[cast.end - 1].bytes.upperBound
  }

  private func isAnyResult(_ type: String) -> Bool {
    type == "NSFetchRequestResult" || type == "any NSFetchRequestResult"
  }

  // MARK: Calls

  private func replaceCall(before cast: Cast, _ changes: inout FileEdits) -> Bool {
    guard code.sees(cast.index - 1, ")"), let open = code.opening(cast.index - 1) else { return false }
    if code.sees(open - 1, "fetchRequest"), open == cast.index - 2 {
      return replaceClassRequest(named: open - 1, cast, &changes)
    }
    return replaceInitializer(open, cast, &changes)
  }

  /// `Book.fetchRequest() as! NSFetchRequest<Note>`
  private func replaceClassRequest(named name: Int, _ cast: Cast, _ changes: inout FileEdits) -> Bool {
    guard !facts.hasOwnFetchRequest else { return false }
    var start = name
    while code.sees(start - 1, "."), code.isAdjacent(start), code[start - 2].isName { start -= 2 }
    guard !code.sees(start - 1, "."), isClass(start, before: name) else { return false }
    if isAnyResult(cast.type) {
      // The type selects the method of NSManagedObject.
      changes.replace(code[cast.index].bytes.lowerBound..<code[cast.index + 1].bytes.upperBound, with: "as")
      return true
    }
    let receiver = source.text(code[start].bytes.lowerBound..<code[name].bytes.lowerBound)
    let bytes = code[start].bytes.lowerBound..<code[cast.end - 1].bytes.upperBound
    changes.replace(bytes, with: "NSFetchRequest<\(cast.type)>(entityName: \(receiver)entity().name!)")
    return true
  }

  /// Whether the receiver is a class, or the class itself: a variable may be anything.
  private func isClass(_ start: Int, before name: Int) -> Bool {
    start == name || ["self", "Self"].contains(code[start].text) || code[start].text.first?.isUppercase == true
  }

  /// `NSFetchRequest<Book>(entityName: "Book") as! NSFetchRequest<Note>`
  private func replaceInitializer(_ open: Int, _ cast: Cast, _ changes: inout FileEdits) -> Bool {
    if code.sees(open - 1, "NSFetchRequest"), code.isAdjacent(open), !code.sees(open - 2, ".") {
      changes.insert("<\(cast.type)>", at: code[open - 1].bytes.upperBound)
    } else if let arguments = arguments(before: open) {
      changes.replace(arguments, with: cast.type)
    } else {
      return false
    }
    changes.replace(removal(cast), with: "")
    return true
  }

  /// The length in tokens up to which a result type is recognized, so that the search for its start is short.
  private static let maximumTypeLength = 12

  /// The bytes between the angle brackets of `NSFetchRequest<…>` before an index.
  private func arguments(before index: Int) -> Range<Int>? {
    guard code.sees(index - 1, ">") else { return nil }
    var start = index - 1
    while start > 1, !code.sees(start - 1, "NSFetchRequest", "<"), index - start < Self.maximumTypeLength { start -= 1 }
    guard code.sees(start - 1, "NSFetchRequest", "<"), code.afterGenerics(start) == index else { return nil }
    return code[start].bytes.upperBound..<code[index - 1].bytes.lowerBound
  }

  // MARK: Variables

  /// A local request that is used for nothing but its settings and such casts gets the type where it is declared.
  private func replaceVariable(before cast: Cast, _ changes: inout FileEdits) -> Bool {
    let name = code[cast.index - 1]
    guard name.kind == .word, !code.sees(cast.index - 2, "."), code.literal == nil,
      let declaration = declaration(of: name.text, before: cast.index - 1),
      isUsedOnly(forCastsTo: cast.type, name.text, from: declaration + 2),
      let arguments = typeArguments(ofDeclaration: declaration)
    else { return false }
    if !changes.edits.contains(where: { $0.range == arguments }) { changes.replace(arguments, with: cast.type) }
    changes.replace(removal(cast), with: "")
    return true
  }

  /// The index of the `let` or `var` that declares a name in the block around an index or in one around that.
  private func declaration(of name: String, before index: Int) -> Int? {
    var depth = 0
    for current in stride(from: index - 1, through: 0, by: -1) {
      switch code[current].text {
      case "}" where code[current].kind != .literal: depth += 1
      case "{" where code[current].kind != .literal: depth -= 1
      case "let", "var":
        guard depth <= 0, code.sees(current + 1, name) else { continue }
        let isPattern = ["if", "guard", "while", ",", "case", "for"].contains(code[current - 1].text)
        return isPattern && current > 0 ? nil : current
      case "func", "class", "struct", "extension": if depth < 0 { return nil }
      default: break
      }
    }
    return nil
  }

  private func isUsedOnly(forCastsTo type: String, _ name: String, from start: Int) -> Bool {
    var depth = 0
    for index in start..<code.tokens.count {
      let token = code[index]
      if token.text == "{", token.kind != .literal { depth += 1 }
      if token.text == "}", token.kind != .literal {
        depth -= 1
        if depth < 0 { return true }
      }
      guard token.isName, token.text == name, !code.sees(index - 1, "."), !code.sees(index + 1, ":") else { continue }
      if code.sees(index + 1, "."), code[index + 2].text != "execute" { continue }
      if let cast = cast(index + 1), cast.type == type, cast.isForced { continue }
      return false
    }
    return true
  }

  /// The bytes of the result type where a request is declared: its annotation's, or its initializer's.
  private func typeArguments(ofDeclaration index: Int) -> Range<Int>? {
    let start = index + 2
    if code.sees(start, ":", "NSFetchRequest", "<"), let end = code.afterGenerics(start + 2), code.sees(end, "=") {
      // The value has to be one that the annotation decides.
      guard isDecidedByAnnotation(end + 1) else { return nil }
      return code[start + 2].bytes.upperBound..<code[end - 1].bytes.lowerBound
    }
    guard code.sees(start, "=", "NSFetchRequest", "<"), let end = code.afterGenerics(start + 2), code.sees(end, "("),
      let close = code.closing(end), !code.sees(close + 1, "."), !code.sees(close + 1, "as")
    else { return nil }
    return code[start + 2].bytes.upperBound..<code[end - 1].bytes.lowerBound
  }

  /// `Book.fetchRequest()`, `.init(entityName: …)` or `NSFetchRequest(entityName: …)`.
  private func isDecidedByAnnotation(_ index: Int) -> Bool {
    if code.sees(index, "NSFetchRequest", "(") || code.sees(index, ".", "init", "(") { return true }
    return isClass(index, before: index + 2) && code.sees(index + 1, ".", "fetchRequest", "(", ")")
      && !code.sees(index + 5, "as")
      && !facts.hasOwnFetchRequest
  }
}
