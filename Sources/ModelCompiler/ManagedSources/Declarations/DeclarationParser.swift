import StrataSwiftSource

/// Parses one source file's types, type aliases, imports and `@NSManaged` declarations.
struct DeclarationParser {
  /// The declarations of a file.
  struct Findings {
    var scope: Scope
    var imports: [ImportDeclaration] = []
    var managed: [ManagedDeclaration] = []
    var computed: [ComputedDeclaration] = []
    var uncalled: [UncalledDeclaration] = []
    /// The names that code in brackets mentions and that `uncalled` may contain.
    var mentioned: Set<String> = []
  }

  var cursor: TokenCursor
  var findings: Findings
  private var conditions = ConditionalBlocks()
  /// The attributes and modifiers read before the next declaration.
  var prefix = Prefix()

  /// Attributes and modifiers of a declaration.
  struct Prefix {
    var access: AccessLevel?
    var setterAccess: AccessLevel?
    var attributes: [String] = []
    var selector: String?
    var isClassMember = false
    /// Modifiers other than access levels.
    var modifiers: Set<String> = []
    /// The start of the declaration's text, and its line.
    var start: (byte: Int, line: Int)?

    var isManaged: Bool { attributes.contains("NSManaged") }
  }

  static func findings(in source: [UInt8], named name: String) -> Findings {
    var reader = DeclarationParser(source: source, name: name)
    reader.parseMembers(of: reader.findings.scope)
    return reader.findings
  }

  private init(source: [UInt8], name: String) {
    cursor = TokenCursor(source)
    findings = Findings(scope: Scope(.file, name: name, in: nil))
  }

  var conditionTexts: [String] { conditions.texts }

  // MARK: Members

  /// Parses up to the bracket that closes the scope.
  mutating func parseMembers(of scope: Scope) {
    while !cursor.isAtEnd {
      switch cursor.token.kind {
      case .punctuator(UInt8(ascii: "}")):
        cursor.advance()
        prefix = Prefix()
        return
      case .directive:
        // Attributes may be in a conditional block of their own, such as `@objc(Name)`.
        conditions.read(cursor.text(cursor.token))
        cursor.advance()
      case .punctuator(UInt8(ascii: "@")): parseAttribute()
      case .punctuator(UInt8(ascii: "{")), .punctuator(UInt8(ascii: "(")), .punctuator(UInt8(ascii: "[")): skipCode()
      case .punctuator(UInt8(ascii: ".")):
        // A member may be named like a keyword.
        cursor.advance()
        cursor.advance()
        prefix = Prefix()
      case .word: parseWord(cursor.text(cursor.token), in: scope)
      default:
        cursor.advance()
        prefix = Prefix()
      }
    }
  }

  private mutating func parseWord(_ word: String, in scope: Scope) {
    if parseModifier(word) { return }
    let read = prefix
    switch word {
    case "import": parseImport()
    case "class", "actor": parseType(.class, in: scope)
    case "struct": parseType(.structure, in: scope)
    case "enum": parseType(.enumeration, in: scope)
    case "protocol": parseType(.protocol, in: scope)
    case "extension": parseExtension(in: scope)
    case "typealias": parseAlias(in: scope)
    case "var" where read.isManaged: parseProperties(in: scope)
    case "var":
      if let computed = noteComputed(in: scope) { findings.computed.append(computed) }
      noteUncalled(in: scope)
      cursor.advance()
    case "let":
      if let stored = noteComputed(in: scope) { findings.computed.append(stored) }
      cursor.advance()
    case "func" where read.isManaged: parseFunction(in: scope)
    case "func":
      noteUncalled(in: scope)
      noteFunction(in: scope)
      cursor.advance()
    case "init":
      noteInitializer(in: scope)
      cursor.advance()
    default: cursor.advance()
    }
    prefix = Prefix()
  }

  /// Skips code that is not a declaration; classes in functions get no accessors.
  private mutating func skipCode() {
    let start = cursor.index
    cursor.skipBrackets()
    noteMentions(in: start..<cursor.index)
    for index in start..<cursor.index where cursor.tokens[index].isPunctuator("@") {
      let next = cursor.tokens[index + 1]
      guard next.kind == .word, cursor.text(next) == "NSManaged" else { continue }
      let message = "@NSManaged is not supported in a class inside a function: move the class out of it"
      findings.managed.append(
        ManagedDeclaration(
          name: "", form: .unsupported(message), scope: findings.scope, conditions: conditionTexts, line: next.line))
    }
    prefix = Prefix()
  }

  // MARK: Attributes and modifiers

  private mutating func noteStart() {
    if prefix.start == nil { prefix.start = (cursor.token.bytes.lowerBound, cursor.token.line) }
  }

  private mutating func parseAttribute() {
    noteStart()
    cursor.advance()
    guard var name = cursor.consumeName() else { return }
    while cursor.token.isPunctuator("."), cursor.isAdjacent {
      cursor.advance()
      name = cursor.consumeName() ?? name
    }
    if name == "available", isAvailabilityOfOthers { return cursor.skipBrackets() }
    prefix.attributes.append(name)
    guard cursor.token.isPunctuator("("), cursor.isAdjacent else { return }
    let start = cursor.token.bytes.upperBound
    cursor.skipBrackets()
    let end = cursor.peek(-1).bytes.lowerBound
    if name == "objc", start <= end { prefix.selector = String(decoding: cursor.source[start..<end], as: UTF8.self) }
  }

  /// Whether the `@available` attribute is about a platform of Apple, and so has no effect on Linux.
  private var isAvailabilityOfOthers: Bool {
    guard cursor.token.isPunctuator("("), cursor.peek().kind == .word else { return false }
    let platform = cursor.text(cursor.peek())
    let platforms: Set = ["iOS", "macOS", "OSX", "macCatalyst", "tvOS", "watchOS", "visionOS", "anyAppleOS"]
    return platforms.contains(platform) || platform.hasSuffix("ApplicationExtension")
  }

  /// Records a modifier; returns false if the word is not one.
  private mutating func parseModifier(_ word: String) -> Bool {
    let next = cursor.peek()
    if word == "class", next.kind == .word, TokenCursor.mayFollowClass(cursor.text(next)) {
      prefix.isClassMember = true
    } else if let level = AccessLevel(word) {
      noteStart()
      guard next.isPunctuator("("), cursor.text(cursor.peek(2)) == "set" else {
        prefix.access = level
        cursor.advance()
        return true
      }
      prefix.setterAccess = level
    } else if !TokenCursor.modifiers.contains(word) {
      return false
    } else {
      prefix.modifiers.insert(word)
    }
    noteStart()
    cursor.advance()
    if cursor.token.isPunctuator("("), ["set", "unsafe", "safe", "nonsending"].contains(cursor.text(cursor.peek())) {
      cursor.skipBrackets()
    }
    return true
  }
}
