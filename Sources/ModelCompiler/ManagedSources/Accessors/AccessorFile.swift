/// Generates the Swift file with a module's accessors.
package struct AccessorFile {
  let resolver: TypeResolver
  let generator: AccessorGenerator

  package init(_ resolver: TypeResolver) {
    self.resolver = resolver
    generator = AccessorGenerator(resolver: resolver)
  }

  /// The part of the file for one class.
  private struct Section {
    var keysName: String
    var keys: [String] = []
    var extensionName: String
    /// The class, qualified with its module.
    var path: String
    var members: [Made] = []
  }

  /// A declaration with its accessors.
  private struct Made {
    var declaration: ManagedDeclaration
    var accessors: [Accessor]
  }

  /// The file's text; deterministic.
  package var text: String {
    var text = "// Made by CoreDataModel from the @NSManaged declarations of the target's sources.\n"
    var (made, errors) = ([Made](), "")
    var review = DeclarationReview(resolver)
    let files = resolver.module.files.filter { !$0.findings.managed.isEmpty }
    for file in files {
      for declaration in file.findings.managed {
        switch review.verdict(on: declaration) {
        case .accepted:
          do throws(AccessorRefusal) {
            made.append(Made(declaration: declaration, accessors: try generator.accessors(of: declaration)))
          } catch {
            errors += self.error(error, for: declaration, in: file)
          }
        case .reported: break
        case .refused(let refusal): errors += error(refusal, for: declaration, in: file)
        case .doubted(let refusal): errors += doubt(refusal, about: declaration, in: file)
        }
      }
    }
    let calls = [ClassList(resolver).call, ManagedPropertyList(resolver).call, ComputedList(resolver).call]
    if files.isEmpty, calls.allSatisfy(\.isEmpty) { return text }
    text += imports(of: files, made) + errors
    let sections = sections(made)
    for section in sections { text += self.text(of: section) }
    return text + RegistrationRecord("registerClasses", calls: calls).text
  }

  // MARK: Imports

  /// The imports of the files with declarations, and Core Data.
  ///
  /// An import is public if one of the target's files makes it so and a public accessor uses a type of the module: with
  /// internal imports by default the compiler requires that, and it warns of unneeded public ones.
  private func imports(of files: [SourceFile], _ made: [Made]) -> String {
    let shown = made.flatMap(\.accessors).filter(\.isPublic).reduce(into: Set<String>()) { $0.formUnion($1.modules) }
    let written = files.filter { !$0.path.hasSuffix("/CoreDataModel+Classes.swift") }.flatMap(\.findings.imports)
    var lines: Set<String> = ["import CoreData\n", "import Foundation\n"]
    for declaration in written where declaration.module != resolver.module.name {
      let isNarrower = !shown.contains(declaration.module) && declaration.text.hasPrefix("public ")
      let text = isNarrower ? String(declaration.text.dropFirst(7)) : declaration.text
      lines.insert(conditional(declaration.conditions, text: "\(text)\n"))
    }
    // The widest import of a module wins; the compiler warns about a narrower one next to it.
    return lines.filter { !lines.contains("public \($0)") }.sorted().joined()
  }

  // MARK: Classes

  private func sections(_ made: [Made]) -> [Section] {
    var sections: [Section] = []
    var numbers: [String: Int] = [:]
    for member in made {
      let declaration = member.declaration
      let keys = generator.propertyKeys(of: declaration)
      guard let keysName = generator.keys(of: declaration), !keys.isEmpty else { continue }
      let number = numbers[keysName] ?? sections.count
      if number == sections.count {
        numbers[keysName] = number
        sections.append(
          Section(keysName: keysName, extensionName: className(of: declaration), path: generator.path(of: declaration)))
      }
      for key in keys where !sections[number].keys.contains(key) { sections[number].keys.append(key) }
      sections[number].members.append(member)
    }
    return sections
  }

  func className(of declaration: ManagedDeclaration) -> String {
    let scope = declaration.scope
    let nominal = scope.extended ?? resolver.nominal(of: scope, in: resolver.module)
    return nominal.map { resolver.spelling(of: $0, inside: scope.file, resolver.module) } ?? scope.path
  }

  private func text(of section: Section) -> String {
    var text = "\nprivate enum \(section.keysName) {\n"
    for key in section.keys { text += "  nonisolated static let \(keyName(key)) = _ManagedKey(\"\(quoted(key))\")\n" }
    text += "}\n\nextension \(section.extensionName) {\n"
    for member in section.members {
      text += conditional(member.declaration.conditions, text: member.accessors.map { "\($0.text)\n" }.joined())
    }
    return text + "}\n"
  }
}
