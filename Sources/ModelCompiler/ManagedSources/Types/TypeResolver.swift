import StrataSwiftSource

/// Resolves type names as the compiler does: in the type and its enclosing ones, in the module, then in the file's
/// imports.
package final class TypeResolver {
  let module: SourceModule
  private let imported: [String: ImportedModule]
  /// Provides the sources of a module that the target depends on; called once per module.
  private let readModule: (String) -> SourceModule?
  private var readModules: [String: SourceModule?] = [:]
  /// Extensions of other modules' types, by type.
  private var foreignExtensions: [ObjectIdentifier: [Scope]] = [:]
  /// The types of the module that it declares twice.
  private(set) lazy var repeatedTypes = findRepeatedTypes()
  /// The properties that a class of the module declares twice, as `memberName` describes them.
  private(set) lazy var repeatedProperties = findRepeatedProperties()

  /// The reason a type could not be resolved, for a diagnostic.
  struct Unresolved: Error {
    var reason: String
    /// Whether no type with the name was found. If it does not exist, the compiler reports that.
    var isMissing = false
  }

  /// The result of a lookup.
  enum Found {
    case scope(Scope, SourceModule)
    case type(SwiftType)
  }

  package init(
    _ module: SourceModule, imported: [ImportedModule], readModule: @escaping (String) -> SourceModule?
  ) {
    self.module = module
    self.imported = Dictionary(
      (imported + [.swift, .coreData]).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.readModule = readModule
    bindExtensions(of: module)
  }

  /// The sources of a module, parsed on first use; nil if unavailable.
  package func sources(of name: String) -> SourceModule? {
    if name == module.name { return module }
    if let known = readModules[name] { return known }
    let read = readModule(name)
    readModules[name] = .some(read)
    if let read { bindExtensions(of: read) }
    return read
  }

  /// Whether the types of a module are known: from its sources, or from a list.
  func knowsTypes(of name: String) -> Bool { imported[name] != nil || sources(of: name) != nil }

  /// The module that a scope's source file belongs to.
  func home(of scope: Scope) -> SourceModule? {
    if module.file(of: scope) != nil { return module }
    return readModules.values.lazy.compactMap { $0 }.first { $0.file(of: scope) != nil }
  }

  // MARK: Extensions

  /// Binds each extension to its type. An extension may extend a type declared in another one, so this takes rounds.
  private func bindExtensions(of module: SourceModule) {
    var open = module.files.flatMap(\.extensions)
    var progress = true
    while progress, !open.isEmpty {
      progress = false
      open.removeAll { scope in
        guard case .extension(of: let type) = scope.kind, bind(scope, to: type, in: module) else { return false }
        progress = true
        return true
      }
    }
  }

  private func bind(_ scope: Scope, to type: TypeSyntax, in module: SourceModule) -> Bool {
    guard case .named(let components) = type, let file = module.file(of: scope),
      let found = try? find(components, in: file.scope, home: module)
    else { return false }
    switch found {
    case .scope(let type, let home):
      scope.extended = nominal(of: type, in: home)
      scope.extendedScope = type
      if home === module { type.extensions.append(scope) } else { addForeign(scope) }
      return true
    case .type(.nominal(let nominal, _)):
      scope.extended = nominal
      addForeign(scope)
      return true
    case .type: return false
    }
  }

  private func addForeign(_ scope: Scope) {
    guard let extended = scope.extended else { return }
    foreignExtensions[ObjectIdentifier(extended), default: []].append(scope)
  }

  // MARK: Nominal types

  /// The nominal type of a declaration.
  func nominal(of scope: Scope, in module: SourceModule) -> NominalType? {
    if let known = scope.nominal { return known }
    guard let kind = scope.typeKind, let context = scope.parent.flatMap({ context(of: $0, in: module) }) else {
      return nil
    }
    let made = NominalType(
      scope.name, kind: kind, in: context,
      discriminator: scope.needsDiscriminator ? module.discriminator(of: scope) : nil)
    scope.nominal = made
    return made
  }

  /// The context in symbols of a declaration in a scope.
  func context(of scope: Scope, in module: SourceModule) -> NominalType.Context? {
    switch scope.kind {
    case .file: return .module(module.name)
    case .type: return nominal(of: scope, in: module).map(NominalType.Context.type)
    case .extension:
      guard let extended = scope.extended else { return nil }
      return extended.module == module.name ? .type(extended) : .extension(of: extended, in: module.name)
    }
  }

  // MARK: Names

  /// Looks up a name from where it is written.
  func find(
    _ components: [TypeSyntax.Component], in scope: Scope, home: SourceModule, depth: Int = 0
  ) throws(Unresolved) -> Found {
    guard let first = components.first, depth < 32 else { throw Unresolved(reason: "the type cannot be read") }
    var (found, index) = (try lookUp(first.name, in: scope, home: home, depth: depth), 1)
    if found == nil, components.count > 1 {
      // The first component may be a module name.
      found = try topLevel(components[1].name, of: first.name, depth: depth)
      index = 2
    }
    guard var found else {
      throw Unresolved(
        reason: "cannot find the type '\(first.name)': declare it in this target or in a Swift target that this one "
          + "depends on and the file imports, or use one of Foundation's", isMissing: true)
    }
    for component in components[index...] {
      guard let inner = try member(component.name, of: found, depth: depth) else {
        throw Unresolved(reason: "cannot find '\(component.name)' in '\(first.name)'", isMissing: true)
      }
      found = inner
    }
    return found
  }

  private func lookUp(
    _ name: String, in scope: Scope, home: SourceModule, depth: Int
  ) throws(Unresolved) -> Found? {
    var enclosing: Scope? = scope
    while let here = enclosing {
      if let found = try memberOfScope(name, in: here, home: home, depth: depth) { return found }
      enclosing = here.parent
    }
    if let found = try topLevel(name, of: home.name, depth: depth) { return found }
    for module in home.file(of: scope)?.findings.imports ?? [] {
      if let found = try topLevel(name, of: module.module, depth: depth) { return found }
    }
    return try topLevel(name, of: "Swift", depth: depth)
  }

  private func memberOfScope(
    _ name: String, in scope: Scope, home: SourceModule, depth: Int
  ) throws(Unresolved) -> Found? {
    if let found = try own(name, in: scope, home: home, depth: depth) { return found }
    switch scope.kind {
    case .file: return nil
    case .type: return try member(name, of: .scope(scope, home), depth: depth)
    case .extension(of: let type):
      guard case .named(let components) = type, let file = home.file(of: scope), depth < 32 else { return nil }
      guard let extended = try? find(components, in: file.scope, home: home, depth: depth + 1) else { return nil }
      return try member(name, of: extended, depth: depth)
    }
  }

  /// Looks up a name in a scope itself.
  private func own(
    _ name: String, in scope: Scope, home: SourceModule, depth: Int
  ) throws(Unresolved) -> Found? {
    if let type = scope.types[name]?.first { return .scope(type, home) }
    guard let alias = scope.aliases[name] else { return nil }
    return try follow(alias, in: scope, home: home, depth: depth)
  }

  private func follow(
    _ alias: TypeAlias, in scope: Scope, home: SourceModule, depth: Int
  ) throws(Unresolved) -> Found {
    if alias.isGeneric { throw Unresolved(reason: "the alias '\(alias.name)' is generic") }
    if case .named(let components) = alias.type, components.allSatisfy({ $0.arguments.isEmpty }) {
      return try find(components, in: scope, home: home, depth: depth + 1)
    }
    return .type(try resolve(alias.type, in: scope, home: home, depth: depth + 1))
  }

  /// Looks up a nested type: in a declaration, its extensions and its superclasses.
  private func member(_ name: String, of found: Found, depth: Int) throws(Unresolved) -> Found? {
    guard depth < 32 else { return nil }
    switch found {
    case .scope(let type, let home):
      for scope in [type] + type.extensions + foreign(type.nominal) {
        if let found = try own(name, in: scope, home: self.home(of: scope) ?? home, depth: depth) { return found }
      }
      guard type.typeKind == .class, let parent = type.inherits.first, case .named(let components) = parent,
        let outside = type.parent, let superclass = try? find(components, in: outside, home: home, depth: depth + 1)
      else { return nil }
      return try member(name, of: superclass, depth: depth + 1)
    case .type(.nominal(let nominal, _)):
      for scope in foreign(nominal) {
        if let found = try own(name, in: scope, home: home(of: scope) ?? module, depth: depth) { return found }
      }
      return nil
    case .type: return nil
    }
  }

  /// The extensions of another module's type.
  func foreign(_ nominal: NominalType?) -> [Scope] {
    nominal.flatMap { foreignExtensions[ObjectIdentifier($0)] } ?? []
  }

  private func topLevel(_ name: String, of moduleName: String, depth: Int) throws(Unresolved) -> Found? {
    if let known = imported[moduleName] {
      if let type = known.types[name] { return .type(plain(type)) }
      if let type = known.aliases[name] { return .type(type) }
      // CoreData re-exports Foundation.
      return moduleName == "CoreData" ? try topLevel(name, of: "Foundation", depth: depth) : nil
    }
    guard let sources = sources(of: moduleName), depth < 32 else { return nil }
    if let type = sources.types[name]?.first { return .scope(type, sources) }
    if let (alias, scope) = sources.aliases[name] { return try follow(alias, in: scope, home: sources, depth: depth) }
    for module in sources.shownModules where module != moduleName {
      if let found = try topLevel(name, of: module, depth: depth + 1) { return found }
    }
    return nil
  }

  func plain(_ nominal: NominalType) -> SwiftType {
    nominal.kind == .protocol ? .existential([nominal], isObject: false) : .nominal(nominal, [])
  }
}

extension Scope {
  /// Whether the symbol needs the file's discriminator: the outermost file-private declaration carries it.
  fileprivate var needsDiscriminator: Bool { formalAccess.isOfTheFile && parent?.isInsidePrivate != true }

  /// The access level as written, or as given by the enclosing scope.
  var formalAccess: AccessLevel { access ?? parent?.accessOfMembers ?? .internal }

  /// The access level of members without one of their own.
  var accessOfMembers: AccessLevel {
    guard case .extension = kind, let access else { return .internal }
    return access == .private ? .fileprivate : access
  }

  /// Whether this or an enclosing type is private to its file.
  var isInsidePrivate: Bool {
    switch kind {
    case .file: false
    case .type: formalAccess.isOfTheFile || parent?.isInsidePrivate == true
    case .extension: extended?.isInsidePrivate == true
    }
  }
}

extension NominalType {
  /// Whether the type is private to a file.
  var isInsidePrivate: Bool {
    if discriminator != nil { return true }
    return switch context {
    case .module: false
    case .type(let outer), .extension(of: let outer, in: _): outer.isInsidePrivate
    }
  }
}
