/// An element of an XML file, with what is in it.
package struct ParsedElement {
  /// `name="value"`.
  package struct Attribute {
    package var name: String
    package var value: String
    package var line: Int
  }

  package var name: String
  /// Where the element starts, counted from 1.
  package var line: Int
  package var attributes: [Attribute] = []
  package var children: [ParsedElement] = []
  /// The characters directly in the element, children left out.
  package var text = ""

  package init(name: String, line: Int) {
    self.name = name
    self.line = line
  }

  /// The value of an attribute.
  package subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
}
