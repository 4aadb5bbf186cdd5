/// The `#if` blocks around a position of a source.
package struct ConditionalBlocks {
  /// The branches of an `#if` read so far, including the current one.
  private struct Block {
    var passed: [String] = []
    var current: String?

    var text: String {
      (passed.map { "!(\($0))" } + (current.map { ["(\($0))"] } ?? [])).joined(separator: " && ")
    }
  }

  private var blocks: [Block] = []

  package init() {}

  /// The condition of each block, outermost first.
  package var texts: [String] { blocks.map(\.text) }

  /// Reads the text of a directive, from its `#` to its end.
  package mutating func read(_ directive: String) {
    if directive.hasPrefix("#elseif") {
      branch(Self.trimmed(directive.dropFirst(7)))
    } else if directive.hasPrefix("#else") {
      branch(nil)
    } else if directive.hasPrefix("#endif") {
      _ = blocks.popLast()
    } else {
      blocks.append(Block(current: Self.trimmed(directive.dropFirst(3))))
    }
  }

  private mutating func branch(_ condition: String?) {
    guard var last = blocks.popLast() else { return }
    if let current = last.current { last.passed.append(current) }
    last.current = condition
    blocks.append(last)
  }

  private static func trimmed(_ text: Substring) -> String {
    let words = text.split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    return words.joined(separator: " ")
  }
}
