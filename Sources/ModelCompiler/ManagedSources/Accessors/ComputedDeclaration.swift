import StrataSwiftSource

/// A property that a class computes or stores itself: its name is all that generated code needs.
struct ComputedDeclaration {
  /// The known facts about a stored property's type: generated code must be able to form a key path to it.
  struct Storage {
    /// The written type; nil if the initial value decides.
    var type: TypeSyntax?
    /// Whether Objective-C could represent the type, or the initial value begins with a literal.
    var isPlain: Bool
  }

  var name: String
  /// unowned, because the file's findings own it.
  unowned var scope: Scope
  var access: AccessLevel?
  /// The conditions of the enclosing `#if` blocks, outermost first.
  var conditions: [String]
  /// nil for a computed property.
  var storage: Storage?
  /// Whether key-value coding may call it for a property of the model with its name. One that asks key-value coding for
  /// that property wants the stored value, and one of the main actor cannot be called on another queue.
  var isAccessor = false
}

extension DeclarationParser {
  /// Records a computed or stored property of a class, unless another file cannot name it or not without further
  /// conditions.
  func noteComputed(in scope: Scope) -> ComputedDeclaration? {
    switch scope.kind {
    case .type(.class), .extension: break
    default: return nil
    }
    guard !prefix.isClassMember,
      prefix.modifiers.isDisjoint(with: ["static", "distributed"]), prefix.access?.isOfTheFile != true,
      Self.areHarmless(prefix.attributes)
    else { return nil }
    var cursor = cursor
    cursor.advance()
    guard let name = cursor.consumeName() else { return nil }
    let type = cursor.consume(":") ? cursor.consumeType() : nil
    var property = ComputedDeclaration(name: name, scope: scope, access: prefix.access, conditions: conditionTexts)
    if cursor.token.isPunctuator("{"), !cursor.isObserved {
      property.isAccessor = !cursor.asksForValue(ofKey: name) && !prefix.attributes.contains("MainActor")
      return type != nil && cursor.readsAtOnce() ? property : nil
    }
    guard case .type = scope.kind else { return nil }
    property.storage = .init(type: type, isPlain: isObjectiveC(in: scope) || cursor.isInitializedByLiteral)
    return property
  }

  private func isObjectiveC(in scope: Scope) -> Bool {
    prefix.attributes.contains("objc") || scope.attributes.contains("objcMembers")
  }

  /// Whether the attributes let any code read the property: no availability, no wrapper, no macro, no actor but the main
  /// one.
  static func areHarmless(_ attributes: [String]) -> Bool {
    let harmless: Set<String> = [
      "objc", "nonobjc", "objcMembers", "inlinable", "inline", "usableFromInline", "MainActor",
      "discardableResult", "dynamicMemberLookup",
    ]
    return attributes.allSatisfy(harmless.contains)
  }
}

extension TokenCursor {
  /// Whether brackets contain property observers.
  fileprivate var isObserved: Bool {
    [1, 2].contains { peek($0).kind == .word && ["willSet", "didSet"].contains(text(peek($0))) }
  }

  /// Whether `= 0`, `= "text"` or `= false` follows.
  fileprivate var isInitializedByLiteral: Bool {
    guard token.isPunctuator("=") else { return false }
    let value = peek()
    return value.kind == .literal || value.kind == .word && ["true", "false"].contains(text(value))
  }

  /// Whether a body in brackets is a getter that is neither async nor throwing.
  fileprivate func readsAtOnce() -> Bool {
    var (depth, distance) = (0, 0)
    while peek(distance).kind != .end {
      let token = peek(distance)
      if token.isPunctuator("{") || token.isPunctuator("(") || token.isPunctuator("[") { depth += 1 }
      if token.isPunctuator("}") || token.isPunctuator(")") || token.isPunctuator("]") { depth -= 1 }
      if depth == 0 { return true }
      if depth == 1, token.kind == .word, text(token) == "get", ["async", "throws"].contains(text(peek(distance + 1))) {
        return false
      }
      distance += 1
    }
    return false
  }
}

extension TokenCursor {
  /// Whether a body in brackets calls `value(forKey:)` or `setValue(_:forKey:)` with a name.
  fileprivate func asksForValue(ofKey name: String) -> Bool {
    var (calls, depth, distance) = ([String](), 0, 0)
    while peek(distance).kind != .end {
      let token = peek(distance)
      if token.isPunctuator("{") { depth += 1 }
      if token.isPunctuator("}") { depth -= 1 }
      if depth == 0 { return false }
      if token.isPunctuator("(") { calls.append(text(peek(distance - 1))) }
      if token.isPunctuator(")") { _ = calls.popLast() }
      if token.kind == .word, text(token) == "forKey", text(peek(distance + 2)) == "\"\(name)\"",
        let call = calls.last, ["value", "setValue"].contains(call)
      {
        return true
      }
      distance += 1
    }
    return false
  }
}

/// The part of the accessor file that registers the properties that the program's managed object classes compute or store
/// themselves.
struct ComputedList {
  /// The statement that registers them, or an empty text.
  private(set) var call = ""

  init(_ resolver: TypeResolver) {
    var lines = ""
    for file in resolver.module.files {
      for property in file.findings.computed where resolver.canFormKeyPath(to: property) {
        guard let type = resolver.managedClass(of: property),
          !resolver.isRepeated(property.name, of: property.scope, property.conditions)
        else { continue }
        let isAccessor = property.isAccessor && !resolver.isOnMainActor(property) ? "" : ", isAccessor: false"
        let line = """
                list.append(_ComputedProperty("\(property.name)", \\\(type).\(escaped(property.name))\(isAccessor)))

          """
        lines += conditional(property.conditions, text: line)
      }
    }
    if lines.isEmpty { return }
    call = """
          NSManagedObject._registerComputedProperties {
            var list: [_ComputedProperty] = []
      \(lines)      return list
          }

      """
  }
}

/// Returns lines that are compiled under conditions, outermost first.
func conditional(_ conditions: [String], text: String) -> String {
  conditions.map { "#if \($0)\n" }.joined() + text + conditions.map { _ in "#endif\n" }.joined()
}

extension TypeResolver {
  /// The spelling of a property's class; nil unless it is a managed object class that another file can name.
  fileprivate func managedClass(of property: ComputedDeclaration) -> String? {
    let scope = property.scope
    guard !scope.isInsidePrivate, !scope.isGeneric, !scope.accessOfMembers.isOfTheFile,
      DeclarationParser.areHarmless(scope.attributes)
    else { return nil }
    guard let type = scope.typeKind == nil ? scope.extendedScope : scope, !isRepeated(type),
      root(of: type)?.name == "NSManagedObject", let nominal = scope.extended ?? nominal(of: scope, in: module)
    else { return nil }
    return spelling(of: nominal, inside: scope.file, module)
  }

  /// Whether a key path can lead to a property. A stored one counts if Objective-C could represent its type: a type of
  /// Swift or Foundation, a class or a protocol. Others may not be copyable.
  func canFormKeyPath(to property: ComputedDeclaration) -> Bool {
    guard let storage = property.storage, !storage.isPlain else { return true }
    guard let type = storage.type, let home = home(of: property.scope) else { return false }
    return (try? resolve(type, in: property.scope, home: home)).map(isRepresentable) ?? false
  }

  private func isRepresentable(_ type: SwiftType) -> Bool {
    switch type {
    case .nominal(let nominal, let arguments):
      (nominal.kind == .class || ["Swift", "Foundation", "FoundationEssentials"].contains(nominal.module))
        && arguments.allSatisfy(isRepresentable)
    case .optional(let inner): isRepresentable(inner)
    case .existential, .metatype: true
    case .tuple: false
    }
  }

  /// Whether the main actor isolates a property's class or extension: a background context must not run the property.
  fileprivate func isOnMainActor(_ property: ComputedDeclaration) -> Bool {
    let scope = property.scope
    let type = scope.typeKind == nil ? scope.extendedScope : scope
    let scopes = [scope] + (type.flatMap { line(of: $0) }?.scopes ?? [])
    return scopes.contains { $0.attributes.contains("MainActor") }
  }

  /// The class without available sources that a class inherits from, through classes that are not private to a file.
  func root(of type: Scope) -> NominalType? { line(of: type)?.root }

  /// A class and its superclasses with available sources, from itself on, and the superclass of the last.
  /// - Parameter isOnlyNamed: whether the caller only names the class. Then its attributes may be any but `@available`, for
  ///   instance macros.
  func line(of type: Scope, isOnlyNamed: Bool = false) -> (scopes: [Scope], root: NominalType)? {
    var scopes = [type]
    while let last = scopes.last, scopes.count < 32 {
      let attributes = last.attributes
      let isUsable = isOnlyNamed ? !attributes.contains("available") : DeclarationParser.areHarmless(attributes)
      guard last.typeKind == .class, !last.isGeneric, isUsable, let parent = last.inherits.first,
        case .named(let components) = parent, let outside = last.parent, let home = home(of: last),
        let found = try? find(components, in: outside, home: home)
      else { return nil }
      switch found {
      case .scope(let superclass, _): scopes.append(superclass)
      case .type(.nominal(let nominal, _)): return (scopes, nominal)
      case .type: return nil
      }
    }
    return nil
  }
}
