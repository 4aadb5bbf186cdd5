/// One use of a macro in one of its roles, as the compiler describes it.
///
/// All that expansions know of the compiler and of Swift's syntax comes through this type: they are functions of texts.
package struct MacroUse {
  /// The type that the macro's declaration names, such as `PersistentModelMacro`.
  package var macro: String
  /// The role as the compiler names it, such as `memberAttribute`; `declaration` for a freestanding macro.
  package var role: String
  /// The declaration that the macro is attached to or, for a freestanding macro, the use itself.
  package var declaration: String
  /// The attribute that uses the macro, as written; empty for a freestanding macro.
  package var attribute: String
  /// For attributes of members: the declaration that the member belongs to, with all its members.
  package var parent: String
  /// For extensions: the type's name, with the types around it.
  package var extendedType: String
  /// An empty type's declaration with the conformances that the macro may add and the type does not have yet.
  package var conformances: String
  /// The declarations around this one without their members, innermost first.
  package var context: [String]

  package init(
    _ macro: String, _ role: String, of declaration: String, by attribute: String = "", memberOf parent: String = "",
    extending extendedType: String = "", conformances: String = "", in context: [String] = []
  ) {
    (self.macro, self.role, self.declaration) = (macro, role, declaration)
    (self.attribute, self.parent) = (attribute, parent)
    (self.extendedType, self.conformances, self.context) = (extendedType, conformances, context)
  }

  /// Expands the macro; reports an error if the macro does not exist or does not have the role.
  package func expanded() -> Expansion {
    switch (macro, role) {
    case ("PersistentModelMacro", "member"): TypeUse(self).map(ModelMembers.init)?.expansion ?? Expansion()
    case ("PersistentModelMacro", "memberAttribute"): PersistedProperty.attribute(for: self)
    case ("PersistentModelMacro", "extension"): TypeUse(self)?.modelExtensions ?? Expansion()
    case ("PersistedPropertyMacro", "accessor"):
      PersistedProperty(declaration)?.accessors("value", attribute) ?? Expansion()
    case ("TransformablePersistedPropertyMacro", "accessor"):
      PersistedProperty(declaration)?.accessors("transformableValue", attribute) ?? Expansion()
    case ("PersistedPropertyMacro", "peer"), ("TransformablePersistedPropertyMacro", "peer"):
      PersistedProperty(declaration)?.peer ?? Expansion()
    case ("PersistentModelActorMacro", "member"): TypeUse(self)?.modelActorMembers ?? Expansion()
    case ("PersistentModelActorMacro", "extension"): TypeUse(self)?.modelActorExtension ?? Expansion()
    case ("AttributePropertyMacro", "peer"), ("RelationshipPropertyMacro", "peer"), ("TransientPropertyMacro", "peer"),
      ("IndexMacro", "declaration"), ("UniqueConstraintsMacro", "declaration"):
      Expansion()
    default:
      Expansion(
        diagnostics: [
          .init(
            "SwiftData's macros do not include \(macro) as \(role)",
            at: DeclarationReader.declaration(in: declaration)?.offset ?? 0)
        ])
    }
  }
}

/// The text that a macro expands to, and what the compiler reports about its use.
package struct Expansion: Equatable {
  package struct Diagnostic: Equatable {
    package var message: String
    /// The position in the declaration's text, in bytes.
    package var offset: Int

    package init(_ message: String, at offset: Int) { (self.message, self.offset) = (message, offset) }
  }

  /// Declarations, accessors or attributes; empty if the macro adds nothing.
  package var text: String
  /// The errors.
  package var diagnostics: [Diagnostic]

  package init(_ text: String = "", diagnostics: [Diagnostic] = []) {
    (self.text, self.diagnostics) = (text, diagnostics)
  }
}
