import StrataQuakes

/// Writes elements of XML, each on a line.
struct MarkupText {
  private(set) var text = ""
  private var depth: Int

  /// - Parameter depth: how many elements surround these.
  init(depth: Int) {
    self.depth = depth
  }

  mutating func element(
    _ name: String, _ attributes: [(String, String)] = [], _ members: (inout MarkupText) -> Void
  ) {
    let opening = attributes.reduce(name) { $0 + " \($1.0)=\"\(Self.escaped($1.1))\"" }
    line("<\(opening)>")
    depth += 1
    members(&self)
    depth -= 1
    line("</\(name)>")
  }

  /// Nothing for nil or an empty text.
  mutating func element(_ name: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    line("<\(name)>\(Self.escaped(value))</\(name)>")
  }

  /// `<name><value>…</value></name>`
  mutating func quantity(_ name: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    line("<\(name)><value>\(Self.escaped(value))</value></\(name)>")
  }

  private mutating func line(_ line: String) {
    text += String(repeating: " ", count: depth) + line + "\n"
  }

  /// Control characters cannot be written in XML.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in Terminal.printable(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
