import StrataFormats

/// An element of a model's source being read. Reading an attribute marks it as used; unused ones are reported as
/// unknown.
final class DocumentElement {
  let element: ParsedElement
  let file: String
  private(set) var warnings: [ModelWarning] = []
  private var usedNames: Set<String> = []
  private var known: Set<String> = []

  init(_ element: ParsedElement, file: String) {
    self.element = element
    self.file = file
  }

  var line: Int { element.line }

  func error(_ problem: String, line: Int? = nil) -> FileFormatError {
    FileFormatError(file: file, line: line ?? element.line, problem)
  }

  func warn(_ text: String, line: Int? = nil) {
    warnings.append(ModelWarning(file: file, line: line ?? element.line, text))
  }

  private func attribute(_ name: String) -> ParsedElement.Attribute? {
    usedNames.insert(name)
    return element.attributes.first { $0.name == name }
  }

  func text(_ name: String) -> String? { attribute(name)?.value }

  /// Returns the text of an attribute; nil if it is missing or empty.
  func word(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

  func required(_ name: String) throws(FileFormatError) -> String {
    guard let text = word(name) else { throw error("<\(element.name)> needs the attribute \(name)") }
    return text
  }

  /// Returns nil if the attribute is missing.
  func choice(_ name: String) throws(FileFormatError) -> Bool? {
    guard let attribute = attribute(name) else { return nil }
    switch attribute.value {
    case "YES", "true", "1": return true
    case "NO", "false", "0", "": return false
    default: throw error("\(name) must be YES or NO, found \"\(attribute.value)\"", line: attribute.line)
    }
  }

  func flag(_ name: String) throws(FileFormatError) -> Bool { try choice(name) ?? false }

  func integer(_ name: String) throws(FileFormatError) -> Int? {
    guard let attribute = attribute(name) else { return nil }
    guard let integer = Int(attribute.value) else {
      throw error("\(name) must be a whole number, found \"\(attribute.value)\"", line: attribute.line)
    }
    return integer
  }

  func seconds(_ name: String) throws(FileFormatError) -> Double? {
    guard let attribute = attribute(name) else { return nil }
    guard let seconds = Double(attribute.value) else {
      throw error("\(name) must be a number of seconds, found \"\(attribute.value)\"", line: attribute.line)
    }
    return seconds
  }

  /// Marks attributes and elements without a meaning here as used.
  func ignore(_ names: String...) { usedNames.formUnion(names) }

  func ignoreChildren(_ names: String...) { known.formUnion(names) }

  /// Reads the children with a name.
  func children<Value>(
    _ name: String, read: (DocumentElement) throws(FileFormatError) -> Value
  ) throws(FileFormatError) -> [Value] {
    known.insert(name)
    var values: [Value] = []
    for child in element.children where child.name == name {
      let reader = DocumentElement(child, file: file)
      values.append(try read(reader))
      warnings += reader.finish()
    }
    return values
  }

  /// Returns the warnings of the element and its descendants, including those for unused attributes and elements.
  func finish() -> [ModelWarning] {
    for attribute in element.attributes where !usedNames.contains(attribute.name) {
      warn("<\(element.name)> has an unknown attribute \(attribute.name)=\"\(attribute.value)\"", line: attribute.line)
    }
    for child in element.children where !known.contains(child.name) {
      warn("<\(element.name)> has an unknown element <\(child.name)>", line: child.line)
    }
    return warnings
  }

  /// Returns the entries of the element's `userInfo`.
  func userInfo() throws(FileFormatError) -> [String: String] {
    let entries = try children("userInfo") { info throws(FileFormatError) in
      try info.children("entry") { entry throws(FileFormatError) in
        (key: try entry.required("key"), value: entry.text("value") ?? "")
      }
    }
    return Dictionary(entries.flatMap(\.self).map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
  }
}
