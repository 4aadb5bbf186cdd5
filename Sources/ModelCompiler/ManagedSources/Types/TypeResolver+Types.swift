import StrataSwiftSource

extension TypeResolver {
  /// Resolves a type written in a scope.
  func resolve(
    _ type: TypeSyntax, in scope: Scope, home: SourceModule, depth: Int = 0
  ) throws(Unresolved) -> SwiftType {
    guard depth < 32 else { throw Unresolved(reason: "the type refers to itself") }
    switch type {
    case .named(let components): return try named(components, in: scope, home: home, depth: depth)
    case .optional(let inner): return .optional(try resolve(inner, in: scope, home: home, depth: depth))
    case .array(let element):
      return try standard("Array", arguments: [resolve(element, in: scope, home: home, depth: depth)])
    case .dictionary(let key, let value):
      let pair = [
        try resolve(key, in: scope, home: home, depth: depth), try resolve(value, in: scope, home: home, depth: depth),
      ]
      return try standard("Dictionary", arguments: pair)
    case .tuple(let elements):
      var members: [(label: String?, type: SwiftType)] = []
      for element in elements {
        members.append((element.label, try resolve(element.type, in: scope, home: home, depth: depth)))
      }
      return .tuple(members)
    case .joined(let members): return try joined(members, in: scope, home: home, depth: depth)
    case .metatype(let inner): return .metatype(try resolve(inner, in: scope, home: home, depth: depth))
    case .unsupported(let what): throw Unresolved(reason: "the type is \(what), which accessors do not support")
    }
  }

  private func standard(_ name: String, arguments: [SwiftType]) throws(Unresolved) -> SwiftType {
    guard let nominal = ImportedModule.swift.types[name] else { throw Unresolved(reason: "no type '\(name)'") }
    return .nominal(nominal, arguments)
  }

  private func named(
    _ components: [TypeSyntax.Component], in scope: Scope, home: SourceModule, depth: Int
  ) throws(Unresolved) -> SwiftType {
    if components.dropLast().contains(where: { !$0.arguments.isEmpty }) {
      throw Unresolved(reason: "the type is nested in a generic one, which accessors do not support")
    }
    var arguments: [SwiftType] = []
    for argument in components.last?.arguments ?? [] {
      arguments.append(try resolve(argument, in: scope, home: home, depth: depth + 1))
    }
    switch try find(components, in: scope, home: home, depth: depth) {
    case .type(.nominal(let nominal, let given)):
      if nominal.letter == "q", let wrapped = arguments.first { return .optional(wrapped) }
      return .nominal(nominal, given.isEmpty ? arguments : given)
    case .type(let type): return type
    case .scope(let type, let module):
      guard let nominal = nominal(of: type, in: module) else {
        throw Unresolved(reason: "the type '\(type.name)' is declared in an extension of a type that cannot be found")
      }
      if type.isGeneric, arguments.isEmpty { throw Unresolved(reason: "the type '\(type.name)' lacks type arguments") }
      return nominal.kind == .protocol ? plain(nominal) : .nominal(nominal, arguments)
    }
  }

  private func joined(
    _ members: [TypeSyntax], in scope: Scope, home: SourceModule, depth: Int
  ) throws(Unresolved) -> SwiftType {
    var (protocols, isObject) = ([NominalType](), false)
    for member in members {
      guard case .existential(let more, let object) = try resolve(member, in: scope, home: home, depth: depth) else {
        throw Unresolved(reason: "the type composes a class with protocols, which accessors do not support")
      }
      protocols += more
      isObject = isObject || object
    }
    return .existential(protocols.sorted { $0.name < $1.name }, isObject: isObject)
  }
}
