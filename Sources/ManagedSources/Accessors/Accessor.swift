/// A function that the compiler calls and that nobody wrote: the getter or setter of a `@NSManaged` property, or a
/// `@NSManaged` method.
struct Accessor {
  /// What the compiler calls it.
  var symbol: String
  /// The access that the compiler expects of it.
  var access: AccessLevel
  var isUsableFromInline = false
  /// `_get_Shared_Quake_title() -> String?`.
  var signature: String
  /// The expression that it is.
  var body: String
  /// The modules of the types in the signature, as programs import them.
  var modules: Set<String> = []

  var isPublic: Bool { access >= .public || isUsableFromInline }

  /// The declaration. The attribute ties it to the symbol; being a final method of the class gives it the calling
  /// convention that the callers use.
  var text: String {
    let attribute = isUsableFromInline ? "@usableFromInline " : ""
    let access = access == .open ? "public " : access == .internal ? "" : "\(access) "
    return """
        @_silgen_name("\(symbol)")
        \(attribute)nonisolated \(access)final func \(signature) { \(body) }
      """
  }
}

/// A declaration that no accessor can be made for, and why.
struct Refusal: Error {
  var reason: String

  init(_ reason: String) { self.reason = reason }
  init(_ unresolved: TypeResolver.Unresolved) { reason = unresolved.reason }
}
