/// A computed property of a class: its name is all that generated code needs.
struct ComputedDeclaration {
  var name: String
  /// unowned, because the file's findings own it.
  unowned var scope: Scope
  var access: AccessLevel?
  /// The conditions of the enclosing `#if` blocks, outermost first.
  var conditions: [String]
}

extension DeclarationParser {
  /// Records a computed property of a class, unless another file cannot name it or not without further conditions.
  func noteComputed(in scope: Scope) -> ComputedDeclaration? {
    switch scope.kind {
    case .type(.class), .extension: break
    default: return nil
    }
    guard !prefix.isClassMember,
      prefix.modifiers.isDisjoint(with: ["static", "lazy", "weak", "unowned", "distributed"]),
      prefix.access?.isOfTheFile != true, Self.areHarmless(prefix.attributes)
    else { return nil }
    var cursor = cursor
    cursor.advance()
    guard let name = cursor.consumeName(), cursor.consume(":") else { return nil }
    _ = cursor.consumeType()
    guard cursor.token.isPunctuator("{"), cursor.readsAtOnce() else { return nil }
    return ComputedDeclaration(name: name, scope: scope, access: prefix.access, conditions: conditionTexts)
  }

  /// Whether the attributes let any code read the property: no availability, no wrapper, no actor but the main one.
  static func areHarmless(_ attributes: [String]) -> Bool {
    let harmless: Set<String> = [
      "objc", "nonobjc", "objcMembers", "inlinable", "inline", "usableFromInline", "MainActor",
      "discardableResult", "dynamicMemberLookup",
    ]
    return attributes.allSatisfy(harmless.contains)
  }
}

extension TokenCursor {
  /// Whether a body in brackets is a getter that is neither async nor throwing, and not a property observer.
  fileprivate func readsAtOnce() -> Bool {
    var (depth, distance) = (0, 0)
    while peek(distance).kind != .end {
      let token = peek(distance)
      if token.isPunctuator("{") || token.isPunctuator("(") || token.isPunctuator("[") { depth += 1 }
      if token.isPunctuator("}") || token.isPunctuator(")") || token.isPunctuator("]") { depth -= 1 }
      if depth == 0 { return true }
      if depth == 1, token.kind == .word {
        let word = text(token)
        if distance == 1 || distance == 2, ["willSet", "didSet"].contains(word) { return false }
        if word == "get", ["async", "throws"].contains(text(peek(distance + 1))) { return false }
      }
      distance += 1
    }
    return false
  }
}

/// The part of the accessor file that registers the computed properties of the program's managed object classes.
struct ComputedList {
  private(set) var text = ""

  init(_ resolver: TypeResolver) {
    var lines = ""
    for file in resolver.module.files {
      for property in file.findings.computed {
        guard let type = resolver.managedClass(of: property) else { continue }
        let line = "      list.append(_ComputedProperty(\"\(property.name)\", \\\(type).\(escaped(property.name))))\n"
        lines +=
          property.conditions.map { "#if \($0)\n" }.joined() + line
          + property.conditions.map { _ in "#endif\n" }.joined()
      }
    }
    if lines.isEmpty { return }
    text = """

      #if compiler(>=6.3)
        // The loader calls the functions in this section before main.
        @section(".init_array") @used
        nonisolated private let registerComputedProperties: @convention(c) () -> Void = {
          NSManagedObject._registerComputedProperties {
            var list: [_ComputedProperty] = []
      \(lines)      return list
          }
        }
      #endif

      """
  }
}

extension TypeResolver {
  /// The spelling of a property's class; nil unless it is a managed object class that another file can name.
  fileprivate func managedClass(of property: ComputedDeclaration) -> String? {
    let scope = property.scope
    guard !scope.isInsidePrivate, !scope.isGeneric, !scope.accessOfMembers.isOfTheFile,
      DeclarationParser.areHarmless(scope.attributes)
    else { return nil }
    guard let type = scope.typeKind == nil ? scope.extendedScope : scope, isManaged(type),
      let nominal = scope.extended ?? nominal(of: scope, in: module)
    else { return nil }
    return spelling(of: nominal, inside: scope.file, module)
  }

  /// Whether a class inherits from `NSManagedObject` through classes that are not private to a file.
  private func isManaged(_ type: Scope, depth: Int = 0) -> Bool {
    guard type.typeKind == .class, !type.isGeneric, depth < 32, DeclarationParser.areHarmless(type.attributes),
      let parent = type.inherits.first, case .named(let components) = parent, let outside = type.parent,
      let home = home(of: type), let found = try? find(components, in: outside, home: home)
    else { return false }
    switch found {
    case .scope(let superclass, _): return isManaged(superclass, depth: depth + 1)
    case .type(.nominal(let nominal, _)): return nominal.name == "NSManagedObject"
    case .type: return false
    }
  }
}
