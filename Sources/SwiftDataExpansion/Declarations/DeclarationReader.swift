import StrataSwiftSource

/// Reads the declarations that the compiler passes to a macro.
///
/// It skips the bodies of functions and does not check what the compiler has checked already.
struct DeclarationReader {
  var cursor: TokenCursor
  private var conditions = ConditionalBlocks()
  /// The declaration whose attributes and modifiers are being read; nil between declarations.
  private var pending: Declaration?

  /// The first declaration of a text.
  static func declaration(in text: String) -> Declaration? {
    var reader = DeclarationReader(cursor: TokenCursor(Array(text.utf8)))
    return reader.readMembers().first
  }

  private init(cursor: TokenCursor) { self.cursor = cursor }

  // MARK: Members

  /// Reads up to the bracket that closes the members of a type, and past it.
  private mutating func readMembers() -> [Declaration] {
    var members: [Declaration] = []
    while !cursor.isAtEnd {
      switch cursor.token.kind {
      case .punctuator(UInt8(ascii: "}")):
        cursor.advance()
        return members
      case .directive:
        conditions.read(cursor.text(cursor.token))
        cursor.advance()
      case .punctuator(UInt8(ascii: "@")): readAttribute()
      case .word where readModifier(): break
      default: if let member = readMember() { members.append(member) }
      }
    }
    return members
  }

  private mutating func begin() {
    if pending == nil {
      pending = Declaration(offset: cursor.token.bytes.lowerBound, conditions: conditions.texts)
    }
  }

  /// Reads a declaration from its keyword on; skips one token or pair of brackets of anything else.
  private mutating func readMember() -> Declaration? {
    begin()
    defer { pending = nil }
    guard let content = readContent() else { return nil }
    pending?.content = content
    return pending
  }

  private mutating func readContent() -> Declaration.Content? {
    switch cursor.token.kind {
    case .punctuator(UInt8(ascii: "#")): return readMacro()
    case .punctuator(UInt8(ascii: "{")), .punctuator(UInt8(ascii: "(")), .punctuator(UInt8(ascii: "[")):
      cursor.skipBrackets()
      return nil
    case .punctuator(UInt8(ascii: ".")):
      // A member may be named like a keyword.
      cursor.advance()
    case .word:
      let word = cursor.text(cursor.token)
      switch word {
      case "var", "let": return .variable(readVariable(isConstant: word == "let"))
      case "class", "struct", "enum", "actor", "protocol", "extension":
        if let type = readType(word) { return .type(type) }
      case "init":
        cursor.advance()
        return .initializer
      default: break
      }
    default: break
    }
    cursor.advance()
    return nil
  }

  // MARK: Attributes and modifiers

  private mutating func readAttribute() {
    begin()
    let offset = cursor.token.bytes.lowerBound
    cursor.advance()
    guard let name = readPath() else { return }
    if cursor.token.isPunctuator("<"), cursor.isAdjacent { cursor.skipGenerics() }
    let arguments = cursor.token.isPunctuator("(") && cursor.isAdjacent ? readArguments() : ""
    pending?.attributes.append(Attribute(name: name, arguments: arguments, offset: offset))
  }

  /// Reads `SwiftData.Attribute`.
  private mutating func readPath() -> String? {
    guard var path = cursor.consumeName() else { return nil }
    while cursor.token.isPunctuator("."), cursor.isAdjacent {
      cursor.advance()
      if let name = cursor.consumeName() { path += ".\(name)" }
    }
    return path
  }

  /// Reads what is in brackets.
  private mutating func readArguments() -> String {
    let start = cursor.index + 1
    cursor.skipBrackets()
    return text(start..<max(start, cursor.index - 1))
  }

  /// Reads a modifier; returns false if the word is not one.
  private mutating func readModifier() -> Bool {
    let (word, next) = (cursor.text(cursor.token), cursor.peek())
    let isFollowed = next.kind == .word
    if let level = AccessLevel(word) {
      begin()
      if !next.isPunctuator("(") { pending?.access = level }
    } else if word == "class", isFollowed, TokenCursor.mayFollowClass(cursor.text(next)) {
      begin()
      pending?.modifiers.insert("class")
    } else if TokenCursor.modifiers.contains(word) {
      begin()
      pending?.modifiers.insert(word)
    } else {
      return false
    }
    cursor.advance()
    if cursor.token.isPunctuator("(") { cursor.skipBrackets() }
    return true
  }

  // MARK: Types and macros

  private mutating func readType(_ keyword: String) -> TypeDeclaration? {
    guard [.word, .escapedWord].contains(cursor.peek().kind) else { return nil }
    let outer = pending
    defer { pending = outer }
    pending = nil
    cursor.advance()
    var type = TypeDeclaration(keyword: keyword, name: readPath() ?? "")
    if cursor.token.isPunctuator("<") {
      type.isGeneric = true
      cursor.skipGenerics()
    }
    if cursor.consume(":") {
      repeat { type.inherited.append(readTypeText()) } while cursor.consume(",")
    }
    while !cursor.isAtEnd, !cursor.token.isPunctuator("{"), !cursor.token.isPunctuator("}") { cursor.advance() }
    if cursor.consume("{") { type.members = readMembers() }
    return type
  }

  private mutating func readMacro() -> Declaration.Content? {
    cursor.advance()
    guard let name = readPath() else { return nil }
    var call = MacroCall(name: name)
    if cursor.token.isPunctuator("<"), cursor.isAdjacent {
      let start = cursor.index
      cursor.skipGenerics()
      call.generics = text(start..<cursor.index)
    }
    if cursor.token.isPunctuator("("), cursor.isAdjacent { call.arguments = readArguments() }
    return .macro(call)
  }
}
