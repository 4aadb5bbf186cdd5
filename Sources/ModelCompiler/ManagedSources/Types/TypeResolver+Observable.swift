import StrataSwiftSource

extension TypeResolver {
  /// Whether a class declares conformance to `Observable`, itself, in an extension or through a superclass.
  func isObservable(_ scope: Scope?, depth: Int = 0) -> Bool {
    guard let scope, depth < 32 else { return false }
    for part in [scope] + scope.extensions + foreign(scope.nominal) where part.inherits.contains(where: \.isObservable)
    {
      return true
    }
    guard let parent = scope.inherits.first, case .named(let components) = parent, let outside = scope.parent,
      let home = home(of: scope), case .scope(let superclass, _)? = try? find(components, in: outside, home: home)
    else { return false }
    return isObservable(superclass, depth: depth + 1)
  }
}

extension TypeSyntax {
  fileprivate var isObservable: Bool {
    guard case .named(let components) = self else { return false }
    return components.map(\.name) == ["Observable"] || components.map(\.name) == ["Observation", "Observable"]
  }
}
