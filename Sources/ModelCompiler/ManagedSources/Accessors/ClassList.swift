import StrataSwiftSource

/// The part of the accessor file that registers the classes that programs name in models: managed objects, entity migration
/// policies and value transformers.
struct ClassList {
  /// The statement that registers them, or an empty text.
  private(set) var call = ""

  init(_ resolver: TypeResolver) {
    let lines = resolver.classes.compactMap { Self.line($0, resolver) }
    if lines.isEmpty { return }
    call = """
          _registerClasses {
            var list: [_RegisteredClass] = []
      \(lines.joined())      return list
          }

      """
  }

  private static func line(_ type: Scope, _ resolver: TypeResolver) -> String? {
    guard !type.isInsidePrivate, let (scopes, root) = resolver.line(of: type, isOnlyNamed: true),
      let nominal = resolver.nominal(of: type, in: resolver.module)
    else { return nil }
    let name = resolver.spelling(of: nominal, inside: type.file, resolver.module)
    var arguments = "\"\(nominal.path)\", \(name).self"
    switch root.name {
    case "NSManagedObject":
      // A macro may add the override.
      let hasMacro = !DeclarationParser.areHarmless(type.attributes)
      if type.overridesValueValidation || hasMacro { arguments += ", validatesValues: true" }
      if type.overridesSaveHooks || hasMacro { arguments += ", hasSaveHooks: true" }
    case "NSEntityMigrationPolicy": break
    case "ValueTransformer", "NSSecureUnarchiveFromDataTransformer":
      // Another attribute may isolate the initializer to an actor.
      let isMade = scopes.allSatisfy { $0.isMadeWithoutArguments && DeclarationParser.areHarmless($0.attributes) }
      if isMade { arguments += ", make: { \(name)() }" }
    default: return nil
    }
    return conditional(type.conditions, text: "      list.append(_RegisteredClass(\(arguments)))\n")
  }
}

extension TypeResolver {
  /// The classes of the module, in source order.
  var classes: [Scope] { classes(of: module) }

  private func classes(of module: SourceModule) -> [Scope] {
    func classes(in scope: Scope) -> [Scope] {
      scope.inner.flatMap { ($0.typeKind == .class && !isRepeated($0) ? [$0] : []) + classes(in: $0) }
    }
    return module.files.flatMap { classes(in: $0.scope) }
  }

  /// The names of a module's managed object classes, whatever their attributes.
  func managedClassNames(of module: SourceModule) -> [String] {
    classes(of: module).filter { line(of: $0, isOnlyNamed: true)?.root.name == "NSManagedObject" }.map(\.name)
  }

  /// The managed object classes of the module that a generated file can name, in source order.
  var managedClasses: [Scope] { classes.filter { !$0.isInsidePrivate && root(of: $0)?.name == "NSManagedObject" } }
}

extension DeclarationParser {
  /// Records `init` of a class: whether the class can be made without arguments.
  mutating func noteInitializer(in scope: Scope) {
    guard case .type(.class) = scope.kind, !prefix.modifiers.contains("convenience") else { return }
    let isPlain = cursor.peek().isPunctuator("(") && cursor.peek(2).isPunctuator(")")
    if isPlain, prefix.access?.isOfTheFile != true, conditionTexts == scope.conditions {
      scope.hasPlainInitializer = true
    } else {
      scope.hasOtherInitializer = true
    }
  }

  /// Records an override of a method that validates an object, or of `awake(fromSnapshotEvents:)`.
  func noteFunction(in scope: Scope) {
    let next = cursor.peek()
    guard prefix.modifiers.contains("override"), next.kind == .word else { return }
    switch cursor.text(next) {
    case "validateValue": scope.overridesValueValidation = true
    case "validateForInsert", "validateForUpdate", "validateForDelete", "awake": scope.overridesSaveHooks = true
    default: break
    }
  }
}

extension Scope {
  fileprivate var isMadeWithoutArguments: Bool { hasPlainInitializer || !hasOtherInitializer }
}
