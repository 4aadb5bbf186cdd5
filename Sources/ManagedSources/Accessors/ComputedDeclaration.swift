/// A property that a class computes: a name, and nothing else that generated code would have to know.
struct ComputedDeclaration {
  var name: String
  /// Lives as long as the findings of its file.
  unowned var scope: Scope
  var access: AccessLevel?
  /// The conditions of the `#if` blocks around it, outermost first.
  var conditions: [String]
}

extension DeclarationReader {
  /// Notes a computed property of a class; what cannot be named in another file, or not without more ado, is left out.
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
    guard let name = cursor.takeName(), cursor.take(":") else { return nil }
    _ = cursor.takeType()
    guard cursor.token.isMark("{"), cursor.readsAtOnce() else { return nil }
    return ComputedDeclaration(name: name, scope: scope, access: prefix.access, conditions: conditionTexts)
  }

  /// Whether attributes leave a property to be read anywhere: no availability, no wrapper, no actor but the main one.
  static func areHarmless(_ attributes: [String]) -> Bool {
    let harmless: Set<String> = [
      "objc", "nonobjc", "objcMembers", "inlinable", "inline", "usableFromInline", "MainActor",
      "discardableResult", "dynamicMemberLookup",
    ]
    return attributes.allSatisfy(harmless.contains)
  }
}

extension TokenCursor {
  /// Whether a body in brackets is that of a getter which neither waits nor throws, and no observer of a stored property.
  fileprivate func readsAtOnce() -> Bool {
    var (depth, place) = (0, 0)
    while peek(place).kind != .end {
      let token = peek(place)
      if token.isMark("{") || token.isMark("(") || token.isMark("[") { depth += 1 }
      if token.isMark("}") || token.isMark(")") || token.isMark("]") { depth -= 1 }
      if depth == 0 { return true }
      if depth == 1, token.kind == .word {
        let word = text(token)
        if place == 1 || place == 2, ["willSet", "didSet"].contains(word) { return false }
        if word == "get", ["async", "throws"].contains(text(peek(place + 1))) { return false }
      }
      place += 1
    }
    return false
  }
}

/// The part of the accessor file that tells the program which properties its classes of managed objects compute.
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
        // The loader calls what stands in this section, before main.
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
  /// How the class of a property is written, if it is one of managed objects that another file can name.
  fileprivate func managedClass(of property: ComputedDeclaration) -> String? {
    let scope = property.scope
    guard !scope.isInsidePrivate, !scope.isGeneric, !scope.accessOfMembers.isOfTheFile,
      DeclarationReader.areHarmless(scope.attributes)
    else { return nil }
    guard let type = scope.typeKind == nil ? scope.extendedScope : scope, isManaged(type),
      let nominal = scope.extended ?? nominal(of: scope, in: module)
    else { return nil }
    return spelling(of: nominal, inside: scope.file, module)
  }

  /// Whether a class inherits from `NSManagedObject`, by classes that anybody may use.
  private func isManaged(_ type: Scope, depth: Int = 0) -> Bool {
    guard type.typeKind == .class, !type.isGeneric, depth < 32, DeclarationReader.areHarmless(type.attributes),
      let parent = type.inherits.first, case .named(let components) = parent, let outside = type.parent,
      let home = home(of: type), let found = try? find(components, in: outside, home)
    else { return false }
    switch found {
    case .scope(let superclass, _): return isManaged(superclass, depth: depth + 1)
    case .type(.nominal(let nominal, _)): return nominal.name == "NSManagedObject"
    case .type: return false
    }
  }
}
