import StrataSwiftSource

/// A stored property of a model whose value is in its backing data.
struct PersistedProperty {
  let name: String
  let isConstant: Bool
  let type: String?
  let initialValue: String?
  /// `SwiftData.Schema.Attribute(.unique)`, or `nil`.
  let metadata: String
  /// Whether `@Attribute` names a value transformer.
  let isTransformable: Bool
  let conditions: [String]

  /// The persisted properties that a member of a model declares.
  static func properties(of member: Declaration) -> [Self] {
    guard case .variable(let variable) = member.content, member.attribute("Transient") == nil,
      member.modifiers.isDisjoint(with: ["static", "class"])
    else { return [] }
    return variable.bindings.compactMap { Self($0, of: variable, member) }
  }

  private init?(_ binding: Variable.Binding, of variable: Variable, _ member: Declaration) {
    guard let name = binding.name, !binding.hasAccessors else { return nil }
    self.name = name
    (isConstant, conditions) = (variable.isConstant, member.conditions)
    (type, initialValue) = (binding.type, binding.initialValue)
    let options = member.attribute("Attribute", "Relationship")
    metadata =
      options.map { "SwiftData.Schema.\($0.name.dropModule)(\($0.arguments.makingTransformers))" } ?? "nil"
    isTransformable = options?.arguments.contains(".transformable") ?? false
  }

  /// The property of a declaration that has one; nil for others.
  init?(_ text: String) {
    guard let member = DeclarationReader.declaration(in: text), let property = Self.properties(of: member).first else {
      return nil
    }
    self = property
  }

  // MARK: Expansions

  /// The attribute that turns a member of a model into a persisted property, with the property's number.
  static func attribute(for use: MacroUse) -> Expansion {
    guard let member = DeclarationReader.declaration(in: use.declaration),
      let property = properties(of: member).first,
      member.attribute("_PersistedProperty", "_TransformablePersistedProperty") == nil,
      let parent = DeclarationReader.declaration(in: use.parent), case .type(let type) = parent.content,
      let number = names(in: type).firstIndex(of: property.name)
    else { return Expansion() }
    return Expansion(
      "@\(property.isTransformable ? "_TransformablePersistedProperty" : "_PersistedProperty")(\(number))")
  }

  /// The names of a model's persisted properties, by number. Properties of different `#if` branches may have the same name.
  static func names(in type: TypeDeclaration) -> [String] {
    var names: [String] = []
    for property in type.members.flatMap(properties) where !names.contains(property.name) {
      names.append(property.name)
    }
    return names
  }

  /// The accessors of a property.
  ///
  /// - Parameters:
  ///   - kind: `value` or `transformableValue`, as in `value(at:in:)`.
  ///   - attribute: the attribute that `attribute(for:)` added, as written.
  func accessors(_ kind: String, _ attribute: String) -> Expansion {
    guard let number = DeclarationReader.declaration(in: attribute + " var a: Int")?.attributes.first?.arguments,
      Int(number) != nil
    else { return Expansion() }
    let setter = "set\(kind.prefix(1).uppercased())\(kind.dropFirst())"
    var text = """
      @storageRestrictions(accesses: _$backingData, initializes: \(storage))
      init(initialValue) {
        _$backingData.initialize(initialValue, at: \(number))
        \(storage) = _SwiftDataNoType()
      }
      get {
        if _$backingData.isTracking {
          _$backingData.track(self, keyPath: \(keyPath), in: Self._$properties)
        }
        return _$backingData.\(kind)(at: \(number), in: Self._$properties)
      }
      """
    if !isConstant {
      text += """

        set {
          guard _$backingData.reportsChanges else {
            return _$backingData.\(setter)(newValue, at: \(number), in: Self._$properties)
          }
          withMutation(keyPath: \(keyPath)) {
            _$backingData.\(setter)(newValue, at: \(number), in: Self._$properties)
          }
        }
        """
    }
    return Expansion(text)
  }

  /// The empty property that an initializer initializes together with the persisted one.
  var peer: Expansion {
    // As for any variable, `Int?` has an initial value and `Optional<Int>` has not.
    let suffix = isConstant ? "" : type?.last.flatMap { "?!".contains($0) ? String($0) : nil } ?? ""
    let value = initialValue == nil ? "" : " = .init()"
    return Expansion("@Transient\nprivate var \(storage): _SwiftDataNoType\(suffix)\(value)")
  }

  // MARK: Texts

  /// The name of the peer.
  var storage: String { escaped("_" + name) }

  private var keyPath: String { "\\.\(escaped(name))" }

  /// The property's entry in the metadata of a model.
  func metadata(in model: String) -> String {
    "SwiftData.Schema.PropertyMetadata(name: \"\(name)\", keypath: \\\(model).\(escaped(name)), "
      + "defaultValue: \(typedInitialValue), metadata: \(metadata))"
  }

  /// The initial value's expression with the property's type, which `[]` and `.now` need.
  private var typedInitialValue: String {
    guard let initialValue, initialValue != "nil" else { return "nil" }
    guard let type else { return initialValue }
    return "(\(initialValue)) as \(type.hasSuffix("!") ? type.dropLast() + "?" : type)"
  }
}

extension String {
  /// Arguments in which an object accompanies the class of a value transformer.
  fileprivate var makingTransformers: String {
    replacing(/\.transformable\(\s*by:\s*(?<name>[\w.]+)\.self\s*\)/) {
      "._transformable(by: \($0.output.name).self, \($0.output.name)())"
    }
  }

  /// The last component of a path.
  fileprivate var dropModule: Substring { split(separator: ".").last ?? "" }
}
