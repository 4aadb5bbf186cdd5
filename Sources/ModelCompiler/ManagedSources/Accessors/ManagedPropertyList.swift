import StrataSwiftSource

/// The part of the accessor file that registers the key paths of the properties of the program's managed object classes, by
/// which a key path such as `\Book.author?.name` has a name. A property that the class computes or stores itself may be an
/// accessor of the model's property with its name.
struct ManagedPropertyList {
  /// The statement that registers them, or an empty text.
  private(set) var call = ""

  private let resolver: TypeResolver
  private let members: [ObjectIdentifier: [Member]]
  private let classes: [String: Scope]

  /// A property of a class.
  private struct Member {
    /// The name in the model.
    var key: String
    var name: String
    var access: AccessLevel
    var conditions: [String]
    /// The type of a `@NSManaged` property.
    var type: TypeSyntax?
    var scope: Scope
  }

  init(_ resolver: TypeResolver) {
    self.resolver = resolver
    let types = resolver.managedClasses
    let homes = types.flatMap { resolver.line(of: $0)?.scopes ?? [] }.compactMap(resolver.home)
    var modules: [ObjectIdentifier: SourceModule] = [:]
    for home in homes { modules[ObjectIdentifier(home)] = home }
    members = Self.byClass(modules.values.flatMap(\.files), resolver)
    classes = Dictionary(
      types.compactMap { type in resolver.nominal(of: type, in: resolver.module).map { ($0.path, type) } },
      uniquingKeysWith: { first, _ in first })
    let lines = types.map(lines)
    if lines.isEmpty { return }
    call = """
          NSManagedObject._registerManagedProperties {
            var list: [_ManagedProperties] = []
      \(lines.joined())      return list
          }

      """
  }

  private static func byClass(_ files: [SourceFile], _ resolver: TypeResolver) -> [ObjectIdentifier: [Member]] {
    var members: [ObjectIdentifier: [Member]] = [:]
    func add(_ member: Member) {
      guard let type = member.scope.typeKind == nil ? member.scope.extendedScope : member.scope,
        !resolver.isRepeated(member.name, of: member.scope, member.conditions)
      else { return }
      members[ObjectIdentifier(type), default: []].append(member)
    }
    for declaration in files.flatMap(\.findings.managed) {
      guard case .property(let type) = declaration.form else { continue }
      let access = declaration.access ?? declaration.scope.accessOfMembers
      add(
        Member(
          key: declaration.propertyKey, name: declaration.name, access: access, conditions: declaration.conditions,
          type: type, scope: declaration.scope))
    }
    for property in files.flatMap(\.findings.computed)
    where DeclarationParser.areHarmless(property.scope.attributes) && resolver.canFormKeyPath(to: property) {
      let access = property.access ?? property.scope.accessOfMembers
      add(
        Member(
          key: property.name, name: property.name, access: access, conditions: property.conditions,
          scope: property.scope))
    }
    return members
  }

  private func lines(of type: Scope) -> String {
    guard let nominal = resolver.nominal(of: type, in: resolver.module) else { return "" }
    let name = resolver.spelling(of: nominal, inside: type.file, resolver.module)
    let objectID = Path(name: "-", members: ["objectID"])
    var paths = [objectID]
    var text = ""
    for member in members(of: type) {
      var own = [Path(name: member.key, members: [member.name])]
      // Behind an optional, Swift composes no key path with a property that is never nil.
      for inner in target(of: member).map(members) ?? [] where inner.conditions.isEmpty {
        own.append(Path(name: "\(member.key).\(inner.key)", members: [member.name, inner.name]))
      }
      let conditions = member.conditions.filter { !type.conditions.contains($0) }
      if conditions.isEmpty { paths += own } else { text += conditional(conditions, text: statement(own, of: name)) }
    }
    // The object itself has no key path through an optional; any stands for it.
    text += statement(paths, of: name, direct: ["\\\(name).self"], chained: ["\\\(name).self"])
    return conditional(type.conditions, text: text)
  }

  private struct Path {
    var name: String
    var members: [String]

    func text(from root: String) -> String { "\\\(root).\(members.map(escaped).joined(separator: "."))" }
  }

  private func statement(
    _ paths: [Path], of type: String, direct: [String] = [], chained: [String] = []
  ) -> String {
    let names = direct.map { _ in "-" } + paths.map(\.name)
    let separator = ",\n            "
    return """
            list.append(
              _ManagedProperties(
                "\(names.joined(separator: " "))",
                [
                  \((direct + paths.map { $0.text(from: type) }).joined(separator: separator)),
                ],
                [
                  \((chained + paths.map { $0.text(from: "Optional<\(type)>.self?") }).joined(separator: separator)),
                ]))

      """
  }

  /// The properties of a class and its superclasses that a generated file can name.
  private func members(of type: Scope) -> [Member] {
    var names: Set<String> = []
    return (resolver.line(of: type)?.scopes ?? []).flatMap { scope in
      let isOwn = resolver.home(of: scope) === resolver.module
      let found = (members[ObjectIdentifier(scope)] ?? []).filter { member in
        guard !names.contains(member.name) else { return false }
        return isOwn ? !member.access.isOfTheFile : member.access >= .public && member.conditions.isEmpty
      }
      names.formUnion(found.map(\.name))
      return found
    }
  }

  /// The class of a to-one relationship whose type is not optional.
  private func target(of member: Member) -> Scope? {
    guard member.conditions.isEmpty, let type = member.type, let home = resolver.home(of: member.scope),
      case .nominal(let nominal, _)? = try? resolver.resolve(type, in: member.scope, home: home)
    else { return nil }
    return classes[nominal.path]
  }
}
