/// An XML element and its contents.
package struct ParsedElement {
  /// `name="value"`.
  package struct Attribute {
    package var name: String
    package var value: String
    package var line: Int
  }

  package var name: String
  /// The line where the element starts, from 1.
  package var line: Int
  package var attributes: [Attribute] = []
  package var children: [ParsedElement] = []
  /// The element's own character data, without that of its children.
  package var text = ""

  package init(name: String, line: Int) {
    self.name = name
    self.line = line
  }

  /// The value of an attribute; nil if absent.
  package subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
}
