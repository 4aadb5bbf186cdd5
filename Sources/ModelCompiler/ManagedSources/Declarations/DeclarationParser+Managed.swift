import StrataSwiftSource

extension DeclarationParser {
  /// Parses the names of a `@NSManaged var` with their types: `a, b: Int, c: String?`.
  mutating func parseProperties(in scope: Scope) {
    cursor.advance()
    var untyped: [ManagedDeclaration] = []
    repeat {
      let line = cursor.token.line
      guard let name = cursor.consumeName() else {
        return note(
          "", form: .unsupported("a pattern after @NSManaged var: write each name with its type"), in: scope, line: line
        )
      }
      untyped.append(declaration(name, form: .malformed, in: scope, line: line))
      guard cursor.consume(":") else { continue }
      let type = cursor.consumeType()
      for property in untyped {
        findings.managed.append(
          declaration(property.name, form: .property(type), in: scope, line: property.line))
      }
      untyped = []
    } while cursor.consume(",")
    findings.managed += untyped
  }

  /// Parses a `@NSManaged func` up to its result type.
  mutating func parseFunction(in scope: Scope) {
    let line = prefix.start?.line ?? cursor.token.line
    cursor.advance()
    guard let name = cursor.consumeName() else { return }
    if cursor.token.isPunctuator("<") {
      return note(name, form: .unsupported("a generic function"), in: scope, line: line)
    }
    guard cursor.consume("(") else { return note(name, form: .malformed, in: scope, line: line) }
    var parameters: [ManagedDeclaration.Parameter] = []
    while !cursor.isAtEnd, !cursor.consume(")") {
      guard let parameter = consumeParameter() else {
        return note(name, form: .malformed, in: scope, line: line)
      }
      parameters.append(parameter)
      guard cursor.consume(",") || cursor.token.isPunctuator(")") else {
        let isMore = cursor.token.isPunctuator("=") || cursor.token.isPunctuator(".")
        let what = ManagedDeclaration.Form.unsupported("a parameter with a default or of variable number")
        return note(name, form: isMore ? what : .malformed, in: scope, line: line)
      }
    }
    if ["async", "throws"].contains(cursor.word) {
      return note(name, form: .unsupported("a function that throws or waits"), in: scope, line: line)
    }
    var result: TypeSyntax?
    if cursor.token.isPunctuator("-"), cursor.peek().isPunctuator(">") {
      cursor.index += 2
      result = cursor.consumeType()
    }
    note(name, form: .function(parameters, result: result), in: scope, line: line)
  }

  private mutating func consumeParameter() -> ManagedDeclaration.Parameter? {
    guard let label = cursor.consumeName() else { return nil }
    let name = cursor.consumeName() ?? label
    guard cursor.consume(":") else { return nil }
    return .init(label: label == "_" ? nil : label, name: name, type: cursor.consumeType())
  }

  private mutating func note(_ name: String, form: ManagedDeclaration.Form, in scope: Scope, line: Int) {
    findings.managed.append(declaration(name, form: form, in: scope, line: line))
  }

  private func declaration(
    _ name: String, form: ManagedDeclaration.Form, in scope: Scope, line: Int
  ) -> ManagedDeclaration {
    ManagedDeclaration(
      name: name, form: prefix.isClassMember || prefix.modifiers.contains("static") ? .malformed : form, scope: scope,
      access: prefix.access, setterAccess: prefix.setterAccess,
      isUsableFromInline: prefix.attributes.contains("usableFromInline"), selector: prefix.selector,
      conditions: conditionTexts, line: line)
  }
}
