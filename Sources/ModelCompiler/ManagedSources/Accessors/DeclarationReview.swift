import StrataSwiftSource

/// Decides which `@NSManaged` declarations get accessors.
///
/// A mistake that the compiler reports at its line gets no accessors, which would repeat the error in other words, and
/// no error of this program's.
struct DeclarationReview {
  enum Verdict {
    case accepted
    /// The compiler reports the mistake, or a declaration before this one does.
    case reported
    case refused(AccessorRefusal)
    /// The class has no accessors because of a mistake that the compiler reports if it is one.
    case doubted(AccessorRefusal)
  }

  private let resolver: TypeResolver
  private let brokenClasses: Set<String>
  private var members: Set<String> = []
  private var refusedTypes: Set<ObjectIdentifier> = []

  init(_ resolver: TypeResolver) {
    self.resolver = resolver
    brokenClasses = resolver.brokenClasses
  }

  mutating func verdict(on declaration: ManagedDeclaration) -> Verdict {
    if case .malformed = declaration.form { return .reported }
    let scope = declaration.scope
    if case .extension = scope.kind, scope.extended == nil, !resolver.mayImportMore(scope) { return .reported }
    guard let type = scope.typeKind == nil ? scope.extendedScope : scope else { return .accepted }
    if resolver.isRepeated(type) { return .reported }
    switch resolver.ancestry(of: type) {
    case .managed, .unknown:
      return isRepeated(declaration, of: type) || collectsBroken(declaration) ? .reported : .accepted
    case .other where type.typeKind == .class:
      return refuse(type, .refused(AccessorRefusal("the class '\(type.path)' does not inherit from NSManagedObject")))
    case .other, .invalid: return .reported
    case .broken(let unresolved): return refuse(type, .doubted(AccessorRefusal(unresolved)))
    }
  }

  /// One error for a class.
  private mutating func refuse(_ type: Scope, _ verdict: Verdict) -> Verdict {
    refusedTypes.insert(ObjectIdentifier(type)).inserted ? verdict : .reported
  }

  private mutating func isRepeated(_ declaration: ManagedDeclaration, of type: Scope) -> Bool {
    let list = declaration.parameters.map { "\($0.map { "\($0.label ?? "_"): \($0.type)" })" } ?? ""
    return !members.insert(resolver.memberName(declaration.name + list, of: type, declaration.conditions)).inserted
  }

  /// Whether a type is a collection of objects of a class without a valid superclass: such a class is not hashable.
  private func collectsBroken(_ declaration: ManagedDeclaration) -> Bool {
    guard !brokenClasses.isEmpty else { return false }
    return declaration.types.contains { syntax in
      (try? resolver.resolve(syntax, in: declaration.scope, home: resolver.module)).map(collectsBroken) ?? false
    }
  }

  private func collectsBroken(_ type: SwiftType) -> Bool {
    switch type {
    case .nominal(_, let arguments):
      arguments.contains { argument in
        if case .nominal(let element, _) = argument, brokenClasses.contains(element.path) { return true }
        return collectsBroken(argument)
      }
    case .optional(let inner), .metatype(let inner): collectsBroken(inner)
    case .tuple(let elements): elements.contains { collectsBroken($0.type) }
    case .existential: false
    }
  }
}

extension ManagedDeclaration {
  /// A function's parameters; nil for a property.
  fileprivate var parameters: [Parameter]? { if case .function(let list, _) = form { list } else { nil } }

  fileprivate var types: [TypeSyntax] {
    if case .property(let type) = form { [type] } else { parameters?.map(\.type) ?? [] }
  }
}

extension AccessorFile {
  /// An error at a declaration, unless the compiler reports one there.
  func error(_ refusal: AccessorRefusal, for declaration: ManagedDeclaration, in file: SourceFile) -> String {
    guard refusal.isMissing else { return plainError(refusal, for: declaration, in: file) }
    switch declaration.form {
    case .property where !(declaration.access ?? declaration.scope.accessOfMembers).isOfTheFile:
      // If the property has no valid type, an expression with it has no errors of its own.
      return check(
        "func accessor(_ value: some Any) {}", then: "accessor(\(escaped(declaration.name)))", refusal, declaration,
        in: file)
    case .function where !resolver.mayImportMore(declaration.scope): return ""
    default: return plainError(refusal, for: declaration, in: file)
    }
  }

  /// An error at a declaration if its class turns out to be one of managed objects.
  func doubt(_ refusal: AccessorRefusal, about declaration: ManagedDeclaration, in file: SourceFile) -> String {
    // The first statement chooses a function by the superclass, and the second one is an error for one of the two.
    let code =
      "func accessors() {} }; func kind(_: NSManagedObject) -> Managed { Managed() }; "
      + "struct Other { func accessors() {} }; func kind(_: AnyObject) -> Other { Other() }"
    return check(
      code, then: "let found = kind(self); found.accessors()", refusal, declaration, in: file,
      before: "struct Managed { ")
  }

  private func check(
    _ code: String, then statement: String, _ refusal: AccessorRefusal, _ declaration: ManagedDeclaration,
    in file: SourceFile, before: String = ""
  ) -> String {
    let text = message(refusal, for: declaration)
    let location = "#sourceLocation(file: \"\(quoted(file.path))\", line: \(declaration.line))"
    return conditional(
      declaration.conditions,
      text: """
        extension \(className(of: declaration)) {
          private func _check\(declaration.line)_\(plain(declaration.name))() {
        \(location)
            \(before)@available(*, unavailable, message: "\(text)") \(code)
        \(location)
            \(statement)
        #sourceLocation()
          }
        }

        """)
  }

  private func plainError(_ refusal: AccessorRefusal, for declaration: ManagedDeclaration, in file: SourceFile)
    -> String
  {
    conditional(
      declaration.conditions,
      text: """
        #sourceLocation(file: "\(quoted(file.path))", line: \(declaration.line))
        #error("\(message(refusal, for: declaration))")
        #sourceLocation()

        """)
  }

  private func message(_ refusal: AccessorRefusal, for declaration: ManagedDeclaration) -> String {
    let name = declaration.name.isEmpty ? "" : "'\(declaration.name)': "
    return "CoreDataModel: \(quoted(name + refusal.reason))"
  }

  func quoted(_ text: String) -> String {
    text.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
      .split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
  }
}
