/// The names by which the compiler refers to types, for the generator of accessors.
///
/// The standard library's `_mangledTypeName` is public, but underscored. The generator uses it at build time only, for
/// Foundation's types: some are declared in another module than the one that programs import. A wrong result becomes a
/// symbol that does not link.
package enum MangledNames {
  package static func name(of type: Any.Type) -> String? { _mangledTypeName(type) }
}
