import StrataSwiftSource

extension TypeResolver {
  /// Spells a type for use in an extension of a class, in another file than the class.
  func spelling(of type: SwiftType, inside scope: Scope, _ home: SourceModule) -> String {
    switch type {
    case .nominal(let nominal, let arguments):
      let name = spelling(of: nominal, inside: scope, home)
      let list = arguments.map { spelling(of: $0, inside: scope, home) }
      return list.isEmpty ? name : "\(name)<\(list.joined(separator: ", "))>"
    case .optional(let inner):
      let text = spelling(of: inner, inside: scope, home)
      if case .existential(let protocols, let isObject) = inner, !protocols.isEmpty || isObject { return "(\(text))?" }
      return "\(text)?"
    case .tuple(let elements):
      let list = elements.map { ($0.label.map { "\($0): " } ?? "") + spelling(of: $0.type, inside: scope, home) }
      return "(\(list.joined(separator: ", ")))"
    case .existential(let protocols, let isObject):
      if protocols.isEmpty { return isObject ? "AnyObject" : "Any" }
      let names = protocols.map { spelling(of: $0, inside: scope, home) } + (isObject ? ["AnyObject"] : [])
      return "any \(names.joined(separator: " & "))"
    case .metatype(let inner): return "\(spelling(of: inner, inside: scope, home)).Type"
    }
  }

  func spelling(of nominal: NominalType, inside scope: Scope, _ home: SourceModule) -> String {
    switch nominal.context {
    case .type(let outer), .extension(of: let outer, in: _):
      return "\(spelling(of: outer, inside: scope, home)).\(escaped(nominal.name))"
    case .module(let module):
      return isPlain(nominal, inside: scope, home: home)
        ? escaped(nominal.name) : "\(Self.shown(module)).\(escaped(nominal.name))"
    }
  }

  /// Whether the unqualified name means the type there.
  private func isPlain(_ nominal: NominalType, inside scope: Scope, home: SourceModule) -> Bool {
    guard let found = try? find([.init(name: nominal.name)], in: scope, home: home) else { return false }
    switch found {
    case .scope(let type, let module): return self.nominal(of: type, in: module) === nominal
    case .type(.nominal(let other, _)): return other === nominal
    case .type(.existential(let others, _)): return others.count == 1 && others[0] === nominal
    case .type: return false
    }
  }

  /// The module that programs import for a type's module.
  static func shown(_ module: String) -> String {
    switch module {
    case "StrataObjectGraph", "StrataManagedModel", "StrataFormats", "StrataFoundationGaps",
      "StrataStoreCoordination":
      "CoreData"
    case "FoundationEssentials": "Foundation"
    default: module
    }
  }
}
