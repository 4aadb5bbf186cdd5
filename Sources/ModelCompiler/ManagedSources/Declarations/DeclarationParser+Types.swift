import StrataSwiftSource

extension DeclarationParser {
  // MARK: Imports

  mutating func parseImport() {
    noteImport()
    cursor.advance()
  }

  private mutating func noteImport() {
    let start = prefix.start?.byte ?? cursor.token.bytes.lowerBound
    let kinds = ["class", "struct", "enum", "protocol", "typealias", "func", "var", "let"]
    cursor.advance()
    if let word = cursor.word, kinds.contains(word), cursor.peek().kind == .word { cursor.advance() }
    guard let module = cursor.name else { return }
    while cursor.peek().isPunctuator("."), cursor.peek(2).kind == .word || cursor.peek(2).kind == .escapedWord {
      cursor.index += 2
    }
    let end = cursor.token.bytes.upperBound + (cursor.token.kind == .escapedWord ? 1 : 0)
    let text = String(decoding: cursor.source[start..<end], as: UTF8.self)
    // Attributes may be on a line of their own.
    let line = text.split { $0 == "\n" || $0 == "\r\n" || $0 == " " }.joined(separator: " ")
    findings.imports.append(ImportDeclaration(module: module, text: line, conditions: conditionTexts))
  }

  // MARK: Types

  /// Parses a type from its keyword to the end of its members.
  mutating func parseType(_ kind: NominalKind, in parent: Scope) {
    let line = cursor.token.line
    cursor.advance()
    guard let name = cursor.consumeName() else { return }
    let scope = Scope(.type(kind), name: name, in: parent)
    scope.line = line
    scope.access = prefix.access
    scope.conditions = conditionTexts
    scope.attributes = prefix.attributes
    if cursor.token.isPunctuator("<") {
      scope.isGeneric = true
      cursor.skipGenerics()
    }
    parseInheritance(of: scope)
    guard cursor.token.isPunctuator("{") else { return }
    parent.types[name, default: []].append(scope)
    parseBody(of: scope)
  }

  mutating func parseExtension(in parent: Scope) {
    cursor.advance()
    guard cursor.name != nil else { return }
    let scope = Scope(.extension(of: cursor.consumeType()), name: "", in: parent)
    scope.access = prefix.access
    scope.attributes = prefix.attributes
    parseInheritance(of: scope)
    guard cursor.token.isPunctuator("{") else { return }
    parseBody(of: scope)
  }

  private mutating func parseBody(of scope: Scope) {
    cursor.advance()
    prefix = Prefix()
    parseMembers(of: scope)
  }

  private mutating func parseInheritance(of scope: Scope) {
    if cursor.consume(":") {
      repeat {
        while cursor.consume("@") { cursor.advance() }
        if cursor.consume("~") { _ = cursor.consumeType() } else { scope.inherits.append(cursor.consumeType()) }
      } while cursor.consume(",")
    }
    // Skip a where clause.
    guard cursor.word == "where" else { return }
    while !cursor.isAtEnd, !cursor.token.isPunctuator("{"), !cursor.token.isPunctuator("}") { cursor.advance() }
  }

  mutating func parseAlias(in scope: Scope) {
    cursor.advance()
    guard let name = cursor.consumeName() else { return }
    let isGeneric = cursor.token.isPunctuator("<")
    if isGeneric { cursor.skipGenerics() }
    guard cursor.consume("=") else { return }
    scope.aliases[name] = TypeAlias(name: name, type: cursor.consumeType(), isGeneric: isGeneric)
  }
}
