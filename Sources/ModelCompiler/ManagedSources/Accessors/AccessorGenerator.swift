import StrataSwiftSource

/// Generates the accessors of `@NSManaged` declarations.
struct AccessorGenerator {
  let resolver: TypeResolver

  private var module: SourceModule { resolver.module }

  /// A declaration's accessors: getter and setter of a property, one for a function.
  func accessors(of declaration: ManagedDeclaration) throws(AccessorRefusal) -> [Accessor] {
    let context = try context(of: declaration)
    switch declaration.form {
    case .unsupported(let what): throw AccessorRefusal(what)
    case .malformed: return []
    case .property(let type): return try accessors(of: declaration, type: type, in: context)
    case .function(let parameters, let result):
      guard result == nil || result == .tuple([]) || result == .named([.init(name: "Void")]) else {
        throw AccessorRefusal(
          "no accessor can be generated for a @NSManaged function that returns a value: declare a property")
      }
      return [try method(declaration, parameters: parameters, in: context)]
    }
  }

  /// The common context of one class's accessors.
  struct ClassContext {
    var symbolContext: NominalType.Context
    var discriminator: String?
    var access: AccessLevel
    /// The class and its module, as a part of generated names.
    var namePart: String
    /// The name of the enumeration with the keys of the class's properties.
    var keys: String
    /// Whether the class is `Observable`: its getters report access.
    var isTracked: Bool
  }

  private func context(of declaration: ManagedDeclaration) throws(AccessorRefusal) -> ClassContext {
    let scope = declaration.scope
    if case .unsupported(let what) = declaration.form { throw AccessorRefusal(what) }
    guard let context = resolver.context(of: scope, in: module) else {
      throw AccessorRefusal("cannot find the class '\(scope.path)' that the extension extends")
    }
    if scope.isGeneric || scope.extendedScope?.isGeneric == true {
      throw AccessorRefusal("the class '\(scope.path)' is generic, which is not possible for a managed object")
    }
    if scope.isInsidePrivate {
      throw AccessorRefusal(
        "the class '\(scope.path)' is private to its file, so no accessor can be generated: make it internal")
    }
    let formal = declaration.access ?? scope.accessOfMembers
    let uniqueName = "\(module.name)_\(scope.path.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined())"
    return ClassContext(
      symbolContext: context, discriminator: formal.isOfTheFile ? module.discriminator(of: scope) : nil,
      access: max(.internal, min(formal, scope.effectiveAccess)), namePart: uniqueName, keys: "_Keys_\(uniqueName)",
      isTracked: resolver.isObservable(scope.typeKind == nil ? scope.extendedScope : scope))
  }

  // MARK: Properties

  private func accessors(
    of declaration: ManagedDeclaration, type syntax: TypeSyntax, in context: ClassContext
  ) throws(AccessorRefusal) -> [Accessor] {
    let type = try resolve(syntax, of: declaration)
    let spelling = resolver.spelling(of: type, inside: declaration.scope, module)
    let name = declaration.name
    let bodies = bodies(of: declaration, type: type, in: context)
    func symbol(_ suffix: String) -> String {
      Mangler.accessor(
        suffix, ofProperty: name, discriminator: context.discriminator, in: context.symbolContext, type: type)
    }
    let getter = Accessor(
      symbol: symbol("g"), access: context.access, isUsableFromInline: declaration.isUsableFromInline,
      signature: "_get_\(context.namePart)_\(plain(name))() -> \(spelling)",
      body: bodies.getter, modules: type.modules)
    let setter = Accessor(
      symbol: symbol("s"), access: max(.internal, min(context.access, declaration.setterAccess ?? .open)),
      isUsableFromInline: declaration.isUsableFromInline && declaration.setterAccess == nil,
      signature: "_set_\(context.namePart)_\(plain(name))(_ value: consuming \(spelling))", body: bodies.setter,
      modules: type.modules)
    return [getter, setter]
  }

  private func bodies(
    of declaration: ManagedDeclaration, type: SwiftType, in context: ClassContext
  ) -> (getter: String, setter: String) {
    func form(isPrimitive: Bool) -> ValueAccess {
      ValueAccess(type, isPrimitive: isPrimitive) { resolver.spelling(of: $0, inside: declaration.scope, module) }
    }
    func constant(_ key: String) -> String { "\(context.keys).\(keyName(key))" }
    let (own, key) = (form(isPrimitive: false), constant(declaration.propertyKey))
    let read = context.isTracked ? "_track(\(key)); return \(own.getter(key))" : own.getter(key)
    guard let primitiveKey = declaration.primitiveKey.map(constant) else { return (read, own.setter(key)) }
    // Only the object's entity knows whether `primitiveKind` is a property or the primitive value of `kind`.
    let primitive = form(isPrimitive: true)
    let condition = "if _isModeled(\(key))"
    return (
      "\(condition) { \(context.isTracked ? read : "return \(read)") }; return \(primitive.getter(primitiveKey))",
      "\(condition) { \(own.setter(key)) } else { \(primitive.setter(primitiveKey)) }"
    )
  }

  private func resolve(_ syntax: TypeSyntax, of declaration: ManagedDeclaration) throws(AccessorRefusal) -> SwiftType {
    do {
      let type = try resolver.resolve(syntax, in: declaration.scope, home: module)
      guard type.isVisible else {
        throw AccessorRefusal(
          "the type '\(syntax)' is private to its file, so no accessor can be generated: make it internal")
      }
      return type
    } catch let unresolved as TypeResolver.Unresolved {
      throw AccessorRefusal(unresolved)
    } catch let refusal as AccessorRefusal {
      throw refusal
    } catch {
      throw AccessorRefusal("\(error)")
    }
  }

  // MARK: Functions

  private func method(
    _ declaration: ManagedDeclaration, parameters: [ManagedDeclaration.Parameter], in context: ClassContext
  ) throws(AccessorRefusal) -> Accessor {
    guard let accessor = ToManyAccessor(declaration, parameters: parameters) else {
      throw AccessorRefusal(
        "'\(declaration.name)(\(parameters.map { "\($0.label ?? "_"):" }.joined()))' is not a relationship accessor: use "
          + "addToTags(_:), removeFromTags(_:) or, for ordered relationships, insertIntoTags(_:at:), "
          + "removeFromTags(at:) or replaceTags(at:with:)")
    }
    var types: [(label: String?, type: SwiftType)] = []
    for parameter in parameters { types.append((parameter.label, try resolve(parameter.type, of: declaration))) }
    guard let body = accessor.body(types.map(\.type), key: "\(context.keys).\(keyName(accessor.key))") else {
      throw AccessorRefusal(
        "the parameter types of '\(declaration.name)' fit no accessor: members are an object, NSSet, NSOrderedSet, Set or an "
          + "array; indexes are Int, NSIndexSet or IndexSet")
    }
    let list = zip(parameters, ["first", "second"]).map { parameter, name in
      let label = parameter.label.map(escaped) ?? "_"
      let type = types[name == "first" ? 0 : 1].type
      return "\(label) \(name): \(resolver.spelling(of: type, inside: declaration.scope, module))"
    }
    let symbol = Mangler.method(
      declaration.name, discriminator: context.discriminator, in: context.symbolContext, parameters: types)
    return Accessor(
      symbol: symbol, access: context.access, isUsableFromInline: declaration.isUsableFromInline,
      signature: "_do_\(context.namePart)_\(plain(declaration.name))(\(list.joined(separator: ", ")))", body: body,
      modules: types.reduce(into: []) { $0.formUnion($1.type.modules) })
  }

  /// The property keys that a declaration's accessors need; none if they cannot be generated.
  func propertyKeys(of declaration: ManagedDeclaration) -> [String] {
    switch declaration.form {
    case .property: [declaration.propertyKey, declaration.primitiveKey].compactMap(\.self)
    case .function(let parameters, _): [ToManyAccessor(declaration, parameters: parameters)?.key].compactMap(\.self)
    case .unsupported, .malformed: []
    }
  }

  /// The declaration's class, qualified with its module and enclosing types.
  func path(of declaration: ManagedDeclaration) -> String { path(of: declaration.scope) }

  func path(of scope: Scope) -> String {
    let nominal = scope.extended ?? resolver.nominal(of: scope, in: module)
    return nominal?.path ?? "\(module.name).\(scope.path)"
  }

  /// A property's content; nil for a function and if its type cannot be resolved.
  func content(of declaration: ManagedDeclaration) -> PropertyContent? {
    guard case .property(let syntax) = declaration.form, let type = try? resolve(syntax, of: declaration) else {
      return nil
    }
    return PropertyContent(type)
  }

  /// The name of the enumeration of keys that a declaration's accessors use.
  func keys(of declaration: ManagedDeclaration) -> String? { try? context(of: declaration).keys }
}

/// Turns a name into one that can be a part of another.
func plain(_ name: String) -> String {
  String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
}

/// The name of a property key's constant.
func keyName(_ name: String) -> String { "_\(plain(name))" }

extension ManagedDeclaration {
  /// The property's name in the model.
  var propertyKey: String { selector ?? name }

  /// The property that a primitive accessor accesses without notifications: `title` of `primitiveTitle`. nil for any
  /// other declaration. An entity that has a property with the declaration's own name takes precedence.
  var primitiveKey: String? {
    let key = propertyKey
    guard key.hasPrefix("primitive"), key.dropFirst(9).first?.isUppercase == true else { return nil }
    return key.dropFirst(9).lowercasedFirst
  }
}

extension Substring {
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}

extension Scope {
  /// The widest access that a member can effectively have.
  var effectiveAccess: AccessLevel {
    switch kind {
    case .file: .open
    case .type: min(formalAccess, parent?.effectiveAccess ?? .open)
    case .extension: extendedScope?.effectiveAccess ?? .open
    }
  }
}

extension SwiftType {
  /// The modules to import for the type.
  var modules: Set<String> {
    switch self {
    case .nominal(let nominal, let arguments):
      arguments.reduce(into: [TypeResolver.shown(nominal.module)]) { $0.formUnion($1.modules) }
    case .optional(let inner), .metatype(let inner): inner.modules
    case .tuple(let elements): elements.reduce(into: []) { $0.formUnion($1.type.modules) }
    case .existential(let protocols, _): Set(protocols.map { TypeResolver.shown($0.module) })
    }
  }

  /// Whether other files of the module can name the type.
  var isVisible: Bool {
    switch self {
    case .nominal(let nominal, let arguments): !nominal.isInsidePrivate && arguments.allSatisfy(\.isVisible)
    case .optional(let inner), .metatype(let inner): inner.isVisible
    case .tuple(let elements): elements.allSatisfy(\.type.isVisible)
    case .existential(let protocols, _): !protocols.contains(where: \.isInsidePrivate)
    }
  }
}
