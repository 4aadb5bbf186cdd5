/// A module whose sources were parsed.
package final class SourceModule {
  package let name: String
  private(set) var files: [SourceFile] = []
  private var fileNumbers: [ObjectIdentifier: Int] = [:]
  /// The top-level types and aliases by name.
  var types: [String: [Scope]] = [:]
  var aliases: [String: (alias: TypeAlias, scope: Scope)] = [:]
  /// The modules that this one re-exports (`@_exported`).
  private(set) var shownModules: [String] = []

  package init(name: String) { self.name = name }

  /// Parses a source file.
  /// - Parameters:
  ///   - path: for diagnostics; private names depend on its last component.
  package func add(_ source: [UInt8], path: String) {
    let fileName = path.split(separator: "/").last.map(String.init) ?? path
    let file = SourceFile(path: path, findings: DeclarationParser.findings(in: source, named: fileName))
    fileNumbers[ObjectIdentifier(file.scope)] = files.count
    files.append(file)
    types.merge(file.scope.types) { $0 + $1 }
    for alias in file.scope.aliases.values { aliases[alias.name] = (alias, file.scope) }
    for shown in file.findings.imports where shown.text.contains("@_exported") { shownModules.append(shown.module) }
  }

  /// Whether the module has a top-level class of a name.
  package func declaresClass(_ name: String) -> Bool { types[name]?.contains { $0.typeKind == .class } == true }

  /// The file and line of a top-level class that is declared on all platforms.
  func location(ofClass name: String) -> (path: String, line: Int)? {
    let found = types[name]?.first { $0.typeKind == .class && $0.conditions.isEmpty && !$0.isInsidePrivate }
    guard let found, let file = file(of: found) else { return nil }
    return (file.path, found.line)
  }

  /// Whether any type or alias of a name is declared in the module, at any level.
  package func mentionsType(_ name: String) -> Bool { files.contains { $0.scope.mentionsType(name) } }

  /// The file of a scope.
  func file(of scope: Scope) -> SourceFile? { fileNumbers[ObjectIdentifier(scope.file)].map { files[$0] } }

  /// Distinguishes the private names of a file from those of others.
  func discriminator(of scope: Scope) -> String { "_" + MD5.digits(of: name + scope.file.name) }
}

/// A source file and its declarations.
struct SourceFile {
  var path: String
  var findings: DeclarationParser.Findings

  var scope: Scope { findings.scope }

  /// The file's extensions, which are all at the top level.
  var extensions: [Scope] {
    scope.inner.filter { if case .extension = $0.kind { true } else { false } }
  }
}

extension Scope {
  fileprivate func mentionsType(_ name: String) -> Bool {
    types[name] != nil || aliases[name] != nil || inner.contains { $0.mentionsType(name) }
  }
}
