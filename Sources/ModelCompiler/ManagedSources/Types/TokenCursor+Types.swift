import StrataSwiftSource

extension TokenCursor {
  mutating func consumeType() -> TypeSyntax {
    let isExistential = word == "any"
    if isExistential { advance() }
    if word == "some" { return .unsupported("an opaque type") }
    while token.isPunctuator("@") || ["inout", "borrowing", "consuming", "sending", "isolated"].contains(word) {
      if consume("@") { advance() } else { return .unsupported("a parameter with a convention of its own") }
    }
    var members = [consumePostfixType()]
    while consume("&") { members.append(consumePostfixType()) }
    if token.isPunctuator("-"), peek().isPunctuator(">") || ["throws", "async"].contains(word) {
      return .unsupported("a function")
    }
    return members.count == 1 && !isExistential ? members[0] : joined(members)
  }

  /// `any P?` means `(any P)?`; an existential of an existential stays as it is.
  private func joined(_ members: [TypeSyntax]) -> TypeSyntax {
    if members.count == 1, case .optional(let inner) = members[0] { return .optional(.joined([inner])) }
    return .joined(members)
  }

  private mutating func consumePostfixType() -> TypeSyntax {
    var type = consumePlainType()
    while true {
      if token.isPunctuator("?") || token.isPunctuator("!"), isAdjacent {
        advance()
        type = .optional(type)
      } else if token.isPunctuator("."), ["Type", "Protocol"].contains(text(peek())) {
        index += 2
        type = .metatype(type)
      } else {
        return type
      }
    }
  }

  private mutating func consumePlainType() -> TypeSyntax {
    if consume("[") {
      let first = consumeType()
      if consume(":") {
        let second = consumeType()
        return consume("]") ? .dictionary(first, second) : .unsupported("a type that cannot be read")
      }
      return consume("]") ? .array(first) : .unsupported("a type that cannot be read")
    }
    if token.isPunctuator("(") { return consumeTuple() }
    guard name != nil else { return .unsupported("a type that cannot be read") }
    return consumeNamedType()
  }

  private mutating func consumeNamedType() -> TypeSyntax {
    var components: [TypeSyntax.Component] = []
    repeat {
      guard let name = consumeName() else { return .unsupported("a type that cannot be read") }
      var component = TypeSyntax.Component(name: name)
      if consume("<") {
        repeat { component.arguments.append(consumeType()) } while consume(",")
        guard consume(">") else { return .unsupported("a type that cannot be read") }
      }
      components.append(component)
    } while token.isPunctuator(".") && peek().kind != .end && !["Type", "Protocol"].contains(text(peek()))
      && consume(".")
    return .named(components)
  }

  private mutating func consumeTuple() -> TypeSyntax {
    _ = consume("(")
    var elements: [TypeSyntax.Element] = []
    while !isAtEnd, !consume(")") {
      var label: String?
      if name != nil, peek().isPunctuator(":") {
        label = consumeName()
        _ = consume(":")
      } else if name != nil, peek().kind == .word, peek(2).isPunctuator(":") {
        label = consumeName()
        advance()
        _ = consume(":")
      }
      elements.append(.init(label: label == "_" ? nil : label, type: consumeType()))
      if !consume(","), !token.isPunctuator(")") { return .unsupported("a type that cannot be read") }
    }
    return elements.count == 1 && elements[0].label == nil ? elements[0].type : .tuple(elements)
  }
}
