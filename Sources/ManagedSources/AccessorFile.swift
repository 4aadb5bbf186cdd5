/// The Swift file with the accessors of a module.
package struct AccessorFile {
  private let resolver: TypeResolver
  private let maker: AccessorMaker

  package init(_ resolver: TypeResolver) {
    self.resolver = resolver
    maker = AccessorMaker(resolver: resolver)
  }

  /// A class's part of the file.
  private struct Section {
    var keysName: String
    var keys: [String] = []
    var extensionName: String
    var declarations: [ManagedDeclaration] = []
  }

  /// The file's text: the same for the same sources.
  package var text: String {
    let declarations = resolver.module.files.flatMap { file in file.findings.managed.map { ($0, file) } }
    var text = "// Made by CoreDataModel from the @NSManaged declarations of the target's sources.\n"
    if declarations.isEmpty { return text }
    text += imports(of: declarations.map(\.1))
    for (declaration, file) in declarations {
      if let refusal = refusal(of: declaration) { text += error(refusal, declaration, file) }
    }
    for section in sections(declarations.map(\.0)) { text += self.text(of: section) }
    return text
  }

  private func refusal(of declaration: ManagedDeclaration) -> Refusal? {
    do throws(Refusal) {
      _ = try maker.accessors(of: declaration)
      return nil
    } catch {
      return error
    }
  }

  /// A mistake that the compiler reports where the declaration stands.
  private func error(_ refusal: Refusal, _ declaration: ManagedDeclaration, _ file: SourceFile) -> String {
    let name = declaration.name.isEmpty ? "" : "'\(declaration.name)': "
    let text = """
      #sourceLocation(file: "\(quoted(file.path))", line: \(declaration.line))
      #error("CoreDataModel: \(quoted(name + refusal.reason))")
      #sourceLocation()

      """
    return conditional(declaration.conditions, text)
  }

  private func quoted(_ text: String) -> String {
    text.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
      .split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
  }

  private func conditional(_ conditions: [String], _ text: String) -> String {
    conditions.map { "#if \($0)\n" }.joined() + text + conditions.map { _ in "#endif\n" }.joined()
  }

  // MARK: Imports

  /// What the files that declare something import, as they write it: types in public declarations need a public import.
  private func imports(of files: [SourceFile]) -> String {
    var lines: [String] = []
    for file in files {
      for declaration in file.findings.imports where declaration.module != resolver.module.name {
        let line = conditional(declaration.conditions, "\(declaration.text)\n")
        if !lines.contains(line) { lines.append(line) }
      }
    }
    for module in ["CoreData", "Foundation"] {
      let isImported = files.contains { $0.findings.imports.contains { $0.module == module && $0.conditions.isEmpty } }
      if !isImported { lines.append("import \(module)\n") }
    }
    return lines.sorted().joined()
  }

  // MARK: Classes

  private func sections(_ declarations: [ManagedDeclaration]) -> [Section] {
    var sections: [Section] = []
    var numbers: [String: Int] = [:]
    for declaration in declarations where refusal(of: declaration) == nil {
      guard let keysName = maker.keys(of: declaration), let key = maker.key(of: declaration) else { continue }
      let number = numbers[keysName] ?? sections.count
      if number == sections.count {
        numbers[keysName] = number
        sections.append(Section(keysName: keysName, extensionName: className(of: declaration)))
      }
      if !sections[number].keys.contains(key) { sections[number].keys.append(key) }
      sections[number].declarations.append(declaration)
    }
    return sections
  }

  private func className(of declaration: ManagedDeclaration) -> String {
    let scope = declaration.scope
    let nominal = scope.extended ?? resolver.nominal(of: scope, in: resolver.module)
    return nominal.map { resolver.spelling(of: $0, inside: scope.file, resolver.module) } ?? scope.path
  }

  private func text(of section: Section) -> String {
    var text = "\nprivate enum \(section.keysName) {\n"
    for key in section.keys { text += "  nonisolated static let \(keyName(key)) = _ManagedKey(\"\(quoted(key))\")\n" }
    text += "}\n\nextension \(section.extensionName) {\n"
    for declaration in section.declarations {
      guard let accessors = try? maker.accessors(of: declaration) else { continue }
      text += conditional(declaration.conditions, accessors.map { "\($0.text)\n" }.joined())
    }
    return text + "}\n"
  }
}
