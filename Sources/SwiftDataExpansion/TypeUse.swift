import StrataSwiftSource

/// A macro that is attached to a type.
struct TypeUse {
  let declaration: Declaration
  let type: TypeDeclaration
  /// The conformances that the macro may add and the type does not have yet, without module names.
  let missingConformances: Set<String>
  /// The type's name outside of the types around it.
  let qualifiedName: String
  /// `public ` or `package ` for members that implement a protocol; or empty.
  let access: String

  init?(_ use: MacroUse) {
    guard let declaration = DeclarationReader.declaration(in: use.declaration),
      case .type(let type) = declaration.content
    else { return nil }
    (self.declaration, self.type, qualifiedName) = (declaration, type, use.extendedType)
    missingConformances = Self.conformances(of: use.conformances)
    access = Self.access(of: declaration, in: use.context)
  }

  private static func conformances(of text: String) -> Set<String> {
    guard case .type(let type)? = DeclarationReader.declaration(in: text)?.content else { return [] }
    return Set(type.inherited.compactMap { $0.split(separator: ".").last.map(String.init) })
  }

  /// Members of an extension have its access level by default.
  private static func access(of declaration: Declaration, in context: [String]) -> String {
    var level = declaration.access
    if level == nil, let outer = context.first.flatMap(DeclarationReader.declaration),
      case .type(let type) = outer.content, type.keyword == "extension"
    {
      level = outer.access
    }
    return switch level {
    case .public, .open: "public "
    case .package: "package "
    default: ""
    }
  }

  func diagnostic(_ message: String) -> Expansion.Diagnostic { .init(message, at: declaration.offset) }
}

extension TypeUse {
  /// The conformances of a model.
  var modelExtensions: Expansion {
    guard type.keyword == "class", !type.isGeneric else { return Expansion() }
    var parts = [("SwiftData", "PersistentModel"), ("Observation", "Observable")]
      .filter { missingConformances.contains($0.1) }
      .map { "extension \(qualifiedName): nonisolated \($0.0).\($0.1) {\n}" }
    if missingConformances.contains("Sendable") {
      let message = """
        PersistentModels are not Sendable, consider utilizing a ModelActor or use \(qualifiedName)'s persistentModelID \
        instead
        """
      parts.append(
        """
        @available(swift, deprecated: 5.9, message: "\(message)")
        @available(*, unavailable, message: "\(message)")
        extension \(qualifiedName): Sendable {
        }
        """)
    }
    return Expansion(parts.joined(separator: "\n\n"))
  }

  /// The members of a model actor.
  var modelActorMembers: Expansion {
    guard type.keyword == "actor" else {
      let message = "'@ModelActor' cannot be applied to \(type.keyword) type '\(type.name)'"
      return Expansion(diagnostics: [diagnostic(message)])
    }
    return Expansion(
      """
      \(access)nonisolated let modelExecutor: any SwiftData.ModelExecutor

      \(access)nonisolated let modelContainer: SwiftData.ModelContainer

      \(access)init(modelContainer: SwiftData.ModelContainer) {
        let modelContext = SwiftData.ModelContext(modelContainer)
        self.modelExecutor = SwiftData.DefaultSerialModelExecutor(modelContext: modelContext)
        self.modelContainer = modelContainer
      }
      """)
  }

  var modelActorExtension: Expansion {
    guard type.keyword == "actor", missingConformances.contains("ModelActor") else { return Expansion() }
    return Expansion("extension \(qualifiedName): SwiftData.ModelActor {\n}")
  }
}
