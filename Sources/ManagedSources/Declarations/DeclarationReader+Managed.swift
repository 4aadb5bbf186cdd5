extension DeclarationReader {
  /// Parses the names of a `@NSManaged var` with their types: `a, b: Int, c: String?`.
  mutating func readProperties(in scope: Scope) {
    cursor.advance()
    var untyped: [ManagedDeclaration] = []
    repeat {
      let line = cursor.token.line
      guard let name = cursor.takeName() else {
        return note("", .unsupported("a pattern after @NSManaged var: write each name with its type"), scope, line)
      }
      untyped.append(declaration(name, .unsupported("no type is written"), scope, line))
      guard cursor.take(":") else { continue }
      let type = cursor.takeType()
      for var property in untyped {
        property.form = .property(type)
        findings.managed.append(property)
      }
      untyped = []
    } while cursor.take(",")
    findings.managed += untyped
  }

  /// Parses a `@NSManaged func` up to its result type.
  mutating func readFunction(in scope: Scope) {
    let line = prefix.start?.line ?? cursor.token.line
    cursor.advance()
    guard let name = cursor.takeName() else { return }
    if cursor.token.isMark("<") { return note(name, .unsupported("a generic function"), scope, line) }
    guard cursor.take("(") else { return note(name, .unsupported("a function that cannot be read"), scope, line) }
    var parameters: [ManagedDeclaration.Parameter] = []
    while !cursor.isAtEnd, !cursor.take(")") {
      guard let parameter = takeParameter() else {
        return note(name, .unsupported("a function that cannot be read"), scope, line)
      }
      parameters.append(parameter)
      guard cursor.take(",") || cursor.token.isMark(")") else {
        return note(name, .unsupported("a parameter with a default or of variable number"), scope, line)
      }
    }
    if ["async", "throws"].contains(cursor.word) {
      return note(name, .unsupported("a function that throws or waits"), scope, line)
    }
    var result: TypeSyntax?
    if cursor.token.isMark("-"), cursor.peek().isMark(">") {
      cursor.index += 2
      result = cursor.takeType()
    }
    note(name, .function(parameters, result: result), scope, line)
  }

  private mutating func takeParameter() -> ManagedDeclaration.Parameter? {
    guard let label = cursor.takeName() else { return nil }
    let name = cursor.takeName() ?? label
    guard cursor.take(":") else { return nil }
    return .init(label: label == "_" ? nil : label, name: name, type: cursor.takeType())
  }

  private mutating func note(_ name: String, _ form: ManagedDeclaration.Form, _ scope: Scope, _ line: Int) {
    findings.managed.append(declaration(name, form, scope, line))
  }

  private func declaration(
    _ name: String, _ form: ManagedDeclaration.Form, _ scope: Scope, _ line: Int
  ) -> ManagedDeclaration {
    ManagedDeclaration(
      name: name, form: prefix.isClassMember ? .unsupported("a member of the class itself") : form, scope: scope,
      access: prefix.access, setterAccess: prefix.setterAccess,
      isUsableFromInline: prefix.attributes.contains("usableFromInline"), selector: prefix.selector,
      conditions: conditionTexts, line: line)
  }
}
