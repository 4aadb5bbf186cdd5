import StrataSwiftSource

extension TypeResolver {
  /// The relation of a type to `NSManagedObject`.
  enum Ancestry {
    case managed
    /// The type has another superclass, or none.
    case other
    /// A superclass does not exist, which the compiler reports.
    case broken(Unresolved)
    /// The compiler refuses the list of superclass and protocols.
    case invalid
    /// The declaration of a superclass depends on conditions, or its sources are not available.
    case unknown
  }

  func ancestry(of type: Scope) -> Ancestry {
    var (last, isConditional) = (type, false)
    for _ in 0..<32 {
      guard last.typeKind == .class else { return isConditional ? .unknown : .other }
      if last.inherits.dropFirst().contains(where: { isClass($0, in: last) }) { return .invalid }
      isConditional = isConditional || !last.conditions.isEmpty
      guard let parent = last.inherits.first else { return isConditional ? .unknown : .other }
      guard case .named(let components) = parent, let outside = last.parent, let home = home(of: last) else {
        return .unknown
      }
      do throws(Unresolved) {
        switch try find(components, in: outside, home: home) {
        case .scope(let superclass, _): last = superclass
        case .type(.nominal(let nominal, _)) where nominal.name == "NSManagedObject": return .managed
        case .type: return isConditional ? .unknown : .other
        }
      } catch {
        // A module that this target depends on has been compiled.
        let isCertain = error.isMissing && home === module && !isConditional && !mayImportMore(last)
        return isCertain ? .broken(error) : .unknown
      }
    }
    // The class inherits from itself.
    return .invalid
  }

  private func isClass(_ type: TypeSyntax, in scope: Scope) -> Bool {
    guard case .named(let components) = type, let outside = scope.parent, let home = home(of: scope),
      let found = try? find(components, in: outside, home: home)
    else { return false }
    return switch found {
    case .scope(let type, _): type.typeKind == .class
    case .type(.nominal(let nominal, _)): nominal.kind == .class
    case .type: false
    }
  }

  /// Whether the file of a scope imports a module whose classes are unknown.
  func mayImportMore(_ scope: Scope) -> Bool {
    let imports = home(of: scope)?.file(of: scope)?.findings.imports ?? []
    // A conditional import of an unknown module is one of another platform's.
    return imports.contains {
      $0.conditions.isEmpty && !Self.modulesWithoutClasses.contains($0.module) && !knowsTypes(of: $0.module)
    }
  }

  /// Modules of the toolchain, which have no managed object classes.
  private static let modulesWithoutClasses: Set<String> = [
    "Dispatch", "Distributed", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
    "FoundationXML", "Glibc", "Musl", "Observation", "RegexBuilder", "Synchronization", "Testing", "XCTest",
    "_Concurrency", "_StringProcessing",
  ]

  /// The types that the module declares more than once under the same conditions, so that their name is ambiguous.
  func findRepeatedTypes() -> Set<ObjectIdentifier> {
    var declared: [String: [Scope]] = [:]
    func note(_ scope: Scope) {
      if scope.typeKind != nil, !scope.isInsidePrivate {
        declared["\(scope.path) \(scope.conditions)", default: []].append(scope)
      }
      scope.inner.forEach(note)
    }
    module.files.forEach { note($0.scope) }
    return Set(declared.values.filter { $0.count > 1 }.joined().map(ObjectIdentifier.init))
  }

  func isRepeated(_ type: Scope) -> Bool { repeatedTypes.contains(ObjectIdentifier(type)) }

  /// The properties that a class declares more than once under the same conditions: no key path leads to them.
  func findRepeatedProperties() -> Set<String> {
    var (known, repeated) = (Set<String>(), Set<String>())
    func note(_ name: String, _ scope: Scope, _ conditions: [String]) {
      let name = memberName(name, of: scope, conditions)
      if !known.insert(name).inserted { repeated.insert(name) }
    }
    for file in module.files {
      for declaration in file.findings.managed {
        if case .property = declaration.form { note(declaration.name, declaration.scope, declaration.conditions) }
      }
      for property in file.findings.computed { note(property.name, property.scope, property.conditions) }
    }
    return repeated
  }

  /// A member with its class and conditions.
  func memberName(_ name: String, of scope: Scope, _ conditions: [String]) -> String {
    let type = scope.typeKind == nil ? scope.extendedScope ?? scope : scope
    return "\(ObjectIdentifier(type)) \(name) \(conditions)"
  }

  func isRepeated(_ property: String, of scope: Scope, _ conditions: [String]) -> Bool {
    !repeatedProperties.isEmpty && repeatedProperties.contains(memberName(property, of: scope, conditions))
  }

  /// The paths of the module's classes whose superclass does not exist.
  var brokenClasses: Set<String> {
    Set(
      classes.compactMap { type in
        if case .broken = ancestry(of: type) { nominal(of: type, in: module)?.path } else { nil }
      })
  }
}
