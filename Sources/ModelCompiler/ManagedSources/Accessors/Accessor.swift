import StrataSwiftSource

/// A generated function that the compiler calls: a `@NSManaged` property's getter or setter, or a `@NSManaged` method.
struct Accessor {
  /// The symbol that callers use.
  var symbol: String
  /// The access level of that symbol.
  var access: AccessLevel
  var isUsableFromInline = false
  /// `_get_Shared_Quake_title() -> String?`.
  var signature: String
  /// The body, one expression.
  var body: String
  /// The modules to import for the signature.
  var modules: Set<String> = []

  var isPublic: Bool { access >= .public || isUsableFromInline }

  /// The declaration. An attribute gives it the symbol; as a final method of the class it has the calling convention
  /// that callers expect.
  var text: String {
    let attribute = isUsableFromInline ? "@usableFromInline " : ""
    let access = access == .open ? "public " : access == .internal ? "" : "\(access) "
    return """
        @_silgen_name("\(symbol)")
        \(attribute)nonisolated \(access)final func \(signature) { \(body) }
      """
  }
}

/// The reason no accessor can be generated for a declaration.
struct AccessorRefusal: Error {
  var reason: String
  /// Whether the declaration names a type that was not found. If it does not exist, the compiler reports that.
  var isMissing = false

  init(_ reason: String) { self.reason = reason }

  init(_ unresolved: TypeResolver.Unresolved) {
    reason = unresolved.reason
    isMissing = unresolved.isMissing
  }
}
