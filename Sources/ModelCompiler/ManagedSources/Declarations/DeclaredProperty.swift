/// A `@NSManaged` property as declared in a source file.
package struct DeclaredProperty {
  /// The class, qualified with its module: `Books.Book`.
  package var type: String
  /// The property's name in a model.
  package var name: String
  /// Its type as written.
  package var spelling: String
  package var content: PropertyContent
  package var file: String
  /// From 1.
  package var line: Int
}

extension AccessorFile {
  /// The properties declared in the module's sources outside of conditional compilation, in source order.
  package var properties: [DeclaredProperty] {
    resolver.module.files.flatMap { file in
      file.findings.managed.compactMap { declaration in
        guard declaration.conditions.isEmpty, declaration.primitiveKey == nil,
          case .property(let type) = declaration.form, let content = generator.content(of: declaration)
        else { return nil }
        return DeclaredProperty(
          type: generator.path(of: declaration), name: declaration.propertyKey, spelling: "\(type)", content: content,
          file: file.path, line: declaration.line)
      }
    }
  }
}
