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

  mutating func element(_ name: String, _ attributes: [(String, String)] = [], _ members: MarkupTree) {
    element(name, attributes) { element in
      for member in members.members {
        switch member.content {
        case .text(let text): element.element(member.name, text)
        case .tree(let tree): element.element(member.name, [], tree)
        }
      }
    }
  }

  private mutating func line(_ line: String) {
    text += String(repeating: " ", count: depth) + line + "\n"
  }

  private static func escaped(_ text: String) -> String { XMLText.escaped(Terminal.printable(text)) }
}

/// The members of an element, which are added by their paths in any order.
struct MarkupTree {
  enum Content {
    case text(String)
    case tree(MarkupTree)
  }

  private(set) var members: [(name: String, content: Content)] = []

  /// Adds an element with a text, and those around it unless they are there; nothing for nil or an empty text.
  mutating func add(_ text: String?, at path: some Collection<String>) {
    guard let name = path.first, let text, !text.isEmpty else { return }
    let rest = path.dropFirst()
    if rest.isEmpty { return members.append((name, .text(text))) }
    let index = members.firstIndex { $0.name == name } ?? members.count
    var tree = MarkupTree()
    if index < members.count, case .tree(let known) = members[index].content { tree = known }
    tree.add(text, at: rest)
    if index < members.count { members[index].content = .tree(tree) } else { members.append((name, .tree(tree))) }
  }
}
