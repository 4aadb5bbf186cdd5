import StrataSwiftSource

/// A member of a class that key-value coding calls by its name where there is Objective-C, and nothing calls here.
struct UncalledDeclaration {
  var name: String
  var isFunction: Bool
  /// unowned, because the file's findings own it.
  unowned var scope: Scope
  var line: Int
}

extension DeclarationParser {
  /// Records `func validateTitle(_:) throws` or `static func keyPathsForValuesAffectingTitle()` of a class, outside of
  /// conditional compilation.
  mutating func noteUncalled(in scope: Scope) {
    switch scope.kind {
    case .type(.class), .extension: break
    default: return
    }
    var cursor = cursor
    let isFunction = cursor.word == "func"
    cursor.advance()
    let line = cursor.token.line
    guard conditionTexts.isEmpty, !prefix.modifiers.contains("override"), let name = cursor.consumeName() else {
      return
    }
    let isOfClass = prefix.isClassMember || prefix.modifiers.contains("static")
    let isUncalled =
      isOfClass
      ? UncalledMember.key(in: name, after: UncalledMember.dependence) != nil
      : isFunction && UncalledMember.key(in: name, after: UncalledMember.validation) != nil
        && cursor.takesOneValueAndThrows()
    guard isUncalled else { return }
    findings.uncalled.append(UncalledDeclaration(name: name, isFunction: isFunction, scope: scope, line: line))
  }

  mutating func noteMentions(in range: Range<Int>) {
    for token in cursor.tokens[range] where token.kind == .word && token.bytes.count > UncalledMember.validation.count {
      let text = cursor.source[token.bytes]
      guard text.starts(with: UncalledMember.validation.utf8) || text.starts(with: UncalledMember.dependence.utf8)
      else { continue }
      findings.mentioned.insert(cursor.text(token))
    }
  }
}

extension TokenCursor {
  /// Whether a function's parameters and effects are `(_ value: Type) throws`.
  fileprivate mutating func takesOneValueAndThrows() -> Bool {
    guard consume("("), consumeName() == "_", consumeName() != nil, consume(":") else { return false }
    if word == "inout" { advance() }
    _ = consumeType()
    return consume(")") && word == "throws"
  }
}

/// A member of a class that nothing calls, as `UncalledDeclaration`, for the check of models.
package struct UncalledMember {
  /// The class, qualified with its module: `Books.Book`.
  package var type: String
  /// `validateTitle(_:)`
  package var name: String
  /// The method of managed objects that takes its place.
  package var replacement: String
  /// The key with a capital; nil if it need not be a property of the model.
  package var validatedKey: String?
  package var file: String
  /// From 1.
  package var line: Int

  static let validation = "validate"
  static let dependence = "keyPathsForValuesAffecting"

  /// The key in the name of a member; nil if it has another name.
  static func key(in name: String, after prefix: String) -> String? {
    guard name.hasPrefix(prefix) else { return nil }
    let key = name.dropFirst(prefix.count)
    return key.first?.isLowercase == false && key != "Value" ? String(key) : nil
  }
}

extension AccessorFile {
  /// The members of the module's classes that nothing calls, in source order. Those that the program itself mentions are
  /// left out.
  package var uncalled: [UncalledMember] {
    let mentioned = resolver.module.files.reduce(into: Set()) { $0.formUnion($1.findings.mentioned) }
    return resolver.module.files.flatMap { file in
      file.findings.uncalled.filter { !mentioned.contains($0.name) }.map { declaration in
        let key = UncalledMember.key(in: declaration.name, after: UncalledMember.validation)
        return UncalledMember(
          type: generator.path(of: declaration.scope),
          name: declaration.name + (key != nil ? "(_:)" : declaration.isFunction ? "()" : ""),
          replacement: key == nil ? "keyPathsForValuesAffectingValue(forKey:)" : "validateValue(_:forKey:)",
          validatedKey: key, file: file.path, line: declaration.line)
      }
    }
  }
}
