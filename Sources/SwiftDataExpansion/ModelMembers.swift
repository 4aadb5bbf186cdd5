import StrataSwiftSource

/// The members that `@Model` adds to a class.
struct ModelMembers {
  private let use: TypeUse
  private let properties: [PersistedProperty]
  /// The class's name.
  private let name: String
  /// Whether the superclass is a model: then it holds the backing data.
  private let isSubclass: Bool

  init(_ use: TypeUse) {
    self.use = use
    properties = use.type.members.flatMap(PersistedProperty.properties)
    name = escaped(use.type.name)
    let names = ["PersistentModel", "SwiftData.PersistentModel"]
    isSubclass =
      !use.missingConformances.contains("PersistentModel") && !use.type.inherited.contains(where: names.contains)
  }

  var expansion: Expansion {
    switch use.type.keyword {
    case "class":
      if use.type.isGeneric { return refusal("generic type") }
      return Expansion(
        ([backingData, schemaMetadata] + keyPaths + [initializer, observation]).joined(separator: "\n\n"),
        diagnostics: diagnostics)
    case "enum": return Expansion()
    case let keyword: return refusal("\(keyword) type")
    }
  }

  private func refusal(_ kind: String) -> Expansion {
    Expansion(diagnostics: [use.diagnostic("'@Model' cannot be applied to \(kind) '\(use.type.name)'")])
  }

  // MARK: Diagnostics

  private var diagnostics: [Expansion.Diagnostic] {
    let hasInitializer = use.type.members.contains { if case .initializer = $0.content { true } else { false } }
    let missing = "@Model requires an initializer be provided for '\(use.type.name)'"
    return (hasInitializer ? [] : [use.diagnostic(missing)]) + use.type.members.flatMap(uninitialized)
  }

  /// The initializer for backing data has no value for transient properties.
  private func uninitialized(_ member: Declaration) -> [Expansion.Diagnostic] {
    guard let attribute = member.attribute("Transient"), case .variable(let variable) = member.content,
      !variable.isConstant, member.conditions.isEmpty, member.modifiers.isDisjoint(with: ["static", "class"])
    else { return [] }
    return variable.bindings.compactMap { binding in
      guard let name = binding.name, !binding.hasAccessors, binding.initialValue == nil,
        !["?", "!"].contains(binding.type?.last)
      else { return nil }
      let message = "@Transient requires non-optional property '\(name)' to have a default value"
      return .init(message, at: attribute.offset)
    }
  }

  // MARK: Members

  private var backingData: String {
    let names = PersistedProperty.names(in: use.type).map { "\"\($0)\"" }.joined(separator: ", ")
    let stored = """
      @Transient
      private nonisolated static let _$properties = SwiftData._PersistedProperties<\(name)>(\(names))

      @Transient
      @exclusivity(unchecked)
      private var _$backingData = SwiftData._ModelState<\(name)>(\(name)._$properties)
      """
    if isSubclass {
      return stored + """


        override public var persistentBackingData: any SwiftData.BackingData<Root> {
          get {
            _$backingData.join(super.persistentBackingData)
          }
          set {
            super.persistentBackingData = newValue
            _$backingData.replace(by: newValue)
          }
        }
        """
    }
    return stored + """


      public var persistentBackingData: any SwiftData.BackingData<\(name)> {
        get {
          _$backingData.backingData
        }
        set {
          _$backingData.replace(by: newValue)
        }
      }
      """
  }

  private var schemaMetadata: String {
    let entries =
      properties.map { ($0.metadata(in: name), $0.conditions) } + macroEntries("Index") + macroEntries("Unique")
    let body =
      entries.allSatisfy(\.1.isEmpty)
      ? (["return ["] + entries.map { "  \($0.0)," } + ["]"])
      : ["var metadata: [SwiftData.Schema.PropertyMetadata] = []"]
        + entries.flatMap { conditional("metadata.append(\($0.0))", $0.1) } + ["return metadata"]
    let head = "\(isSubclass ? "override " : "")\(use.access)class var schemaMetadata"
    return block("\(head): [SwiftData.Schema.PropertyMetadata]", body)
  }

  /// The entries for the uses of `#Index` and `#Unique`. Their key path only fills the place of a property's.
  private func macroEntries(_ macro: String) -> [(String, [String])] {
    use.type.members.compactMap { member in
      guard case .macro(let call) = member.content, [macro, "SwiftData.\(macro)"].contains(call.name) else {
        return nil
      }
      let entry =
        "SwiftData.Schema.PropertyMetadata(name: \"SwiftData.Schema.\(macro)\", "
        + "keypath: \\SwiftData.Schema.encodingVersion, defaultValue: nil, "
        + "metadata: SwiftData.Schema.\(macro)\(call.generics)(\(call.arguments)))"
      return (entry, member.conditions)
    }
  }

  /// The key paths by name, from a class or a subclass: key paths of an inherited property from different classes differ.
  private var keyPaths: [String] {
    if use.declaration.modifiers.contains("final"), !isSubclass { return [] }
    let inherited = isSubclass ? "\(use.type.inherited.first ?? "")._$keyPaths(from: type)" : "[:]"
    let body = properties.flatMap { property in
      conditional("keyPaths[\"\(property.name)\"] = \\_S.\(escaped(property.name))", property.conditions)
    }
    return [
      block(
        "\(use.access)static func _$keyPaths<_S: \(name)>(from type: _S.Type) -> [String: AnyKeyPath]",
        (body.isEmpty ? ["return \(inherited)"] : ["var keyPaths: [String: AnyKeyPath] = \(inherited)"] + body)
          + (body.isEmpty ? [] : ["return keyPaths"])),
      block(
        "\(isSubclass ? "override " : "")\(use.access)class var _persistedKeyPaths: [String: AnyKeyPath]",
        ["_$keyPaths(from: \(name).self)"]),
    ]
  }

  private var initializer: String {
    let isFinal = use.declaration.modifiers.contains("final")
    let head = "\(isFinal && !isSubclass ? "" : "required ")\(use.access)init"
    return block(
      "\(head)(backingData: any SwiftData.BackingData<\(isSubclass ? "Root" : name)>)",
      properties.flatMap { conditional("\($0.storage) = _SwiftDataNoType()", $0.conditions) }
        + [isSubclass ? "super.init(backingData: backingData)" : "self.persistentBackingData = backingData"])
  }

  private var observation: String {
    """
    private var _$observationRegistrar: Observation.ObservationRegistrar {
      _$backingData.registrar
    }

    internal func access<_M>(keyPath: KeyPath<\(name), _M>) {
      _$backingData.access(self, keyPath: keyPath, in: \(name)._$properties)
    }

    internal func withMutation<_M, _MR>(
      keyPath: KeyPath<\(name), _M>, _ mutation: () throws -> _MR
    ) rethrows -> _MR {
      try _$backingData.withMutation(of: self, keyPath: keyPath, in: \(name)._$properties, mutation)
    }

    struct _SwiftDataNoType {
    }
    """
  }

  // MARK: Texts

  private func block(_ head: String, _ lines: [String]) -> String {
    "\(head) {\n\(lines.map { $0.hasPrefix("#") ? $0 : "  \($0)" }.joined(separator: "\n"))\n}"
  }

  private func conditional(_ line: String, _ conditions: [String]) -> [String] {
    conditions.isEmpty ? [line] : ["#if \(conditions.joined(separator: " && "))", line, "#endif"]
  }
}
