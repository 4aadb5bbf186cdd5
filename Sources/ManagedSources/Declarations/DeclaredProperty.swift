/// A `@NSManaged` property as it stands in a source.
package struct DeclaredProperty {
  /// The class with its module: `Books.Book`.
  package var type: String
  /// What the property is called in a model.
  package var name: String
  /// How its type is written.
  package var spelling: String
  package var content: PropertyContent
  package var file: String
  /// Counted from 1.
  package var line: Int
}

extension AccessorFile {
  /// The properties that the module's sources declare whatever the conditions of the build, in the order of the sources.
  package var properties: [DeclaredProperty] {
    resolver.module.files.flatMap { file in
      file.findings.managed.compactMap { declaration in
        guard declaration.conditions.isEmpty, !declaration.isPrimitive, case .property(let type) = declaration.form,
          let content = maker.content(of: declaration)
        else { return nil }
        return DeclaredProperty(
          type: maker.path(of: declaration), name: declaration.propertyKey, spelling: "\(type)", content: content,
          file: file.path, line: declaration.line)
      }
    }
  }
}
