/// A module of which the sources were read.
package final class SourceModule {
  package let name: String
  private(set) var files: [SourceFile] = []
  private var fileNumbers: [ObjectIdentifier: Int] = [:]
  /// The types and aliases at the top level, by name.
  var types: [String: [Scope]] = [:]
  var aliases: [String: (alias: TypeAlias, scope: Scope)] = [:]
  /// The modules that those who import this one have as well.
  private(set) var shownModules: [String] = []

  package init(name: String) { self.name = name }

  /// Reads a source.
  /// - Parameters:
  ///   - path: where it lies, for messages; private names depend on its last part.
  package func add(_ source: [UInt8], path: String) {
    let fileName = path.split(separator: "/").last.map(String.init) ?? path
    let file = SourceFile(path: path, findings: DeclarationReader.findings(in: source, named: fileName))
    fileNumbers[ObjectIdentifier(file.scope)] = files.count
    files.append(file)
    types.merge(file.scope.types) { $0 + $1 }
    for alias in file.scope.aliases.values { aliases[alias.name] = (alias, file.scope) }
    for shown in file.findings.imports where shown.text.contains("@_exported") { shownModules.append(shown.module) }
  }

  /// Whether the module has a class of a name, at its top level.
  package func declaresClass(_ name: String) -> Bool { types[name]?.contains { $0.typeKind == .class } == true }

  /// Whether any type or alias of a name is declared in the module, at whatever place.
  package func mentionsType(_ name: String) -> Bool { files.contains { $0.scope.mentionsType(name) } }

  /// The file of a scope.
  func file(of scope: Scope) -> SourceFile? { fileNumbers[ObjectIdentifier(scope.file)].map { files[$0] } }

  /// What sets private names of a file apart from those of others.
  func discriminator(of scope: Scope) -> String { "_" + MD5.digits(of: name + scope.file.name) }
}

/// A source and what was found in it.
struct SourceFile {
  var path: String
  var findings: DeclarationReader.Findings

  var scope: Scope { findings.scope }

  /// The extensions of the file: they stand at its top level.
  var extensions: [Scope] {
    scope.inner.filter { if case .extension = $0.kind { true } else { false } }
  }
}

extension Scope {
  fileprivate func mentionsType(_ name: String) -> Bool {
    types[name] != nil || aliases[name] != nil || inner.contains { $0.mentionsType(name) }
  }
}
