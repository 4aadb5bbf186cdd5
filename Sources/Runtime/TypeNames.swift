/// Full names and superclasses of types.
///
/// The standard library's `_typeName` and `_getSuperclass` are public, but underscored. `String(reflecting:)` searches all
/// conformances of the program before it returns the same name, and `Mirror` all fields of an instance. A toolchain without
/// them does not link.
package enum TypeNames {
  /// Returns `Books.Shelf.Book`; of a private or local type, with the contexts that have no name.
  package static func full(of type: Any.Type) -> String { _typeName(type) }

  /// Returns the module, the enclosing types and the class, without the contexts that have no name. A type inside an
  /// extension of another module's type counts as one of the extension's module.
  package static func path(of type: Any.Type) -> String {
    var text = full(of: type)[...]
    let isInExtension = text.hasPrefix("(extension in ")
    if isInExtension, let end = text.firstIndex(of: ")") {
      let module = text[..<end].dropFirst("(extension in ".count)
      let outer = text[end...].dropFirst(2).split(separator: ".").dropFirst(2)
      return ([module] + outer).joined(separator: ".")
    }
    var path = ""
    while let start = text.firstIndex(of: "("), let end = text[start...].firstIndex(of: ")") {
      let context = text[start..<end].dropFirst()
      path += text[..<start]
      text = text[end...].dropFirst()
      if context.hasPrefix("unknown context at ") {
        text = text.dropFirst()
      } else {
        // `(Hidden in _360EEA31)`, if the program has the discriminators of private names.
        path += context.prefix { $0 != " " }
      }
    }
    return path + text
  }

  package static func superclass(of type: AnyClass) -> AnyClass? { _getSuperclass(type) }

  /// Returns a class and its superclasses, from itself on.
  package static func line(of type: AnyClass) -> some Sequence<AnyClass> { sequence(first: type, next: _getSuperclass) }
}
