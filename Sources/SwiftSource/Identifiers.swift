/// A name in backticks if it needs them.
package func escaped(_ name: String) -> String {
  let isWord = name.utf8.allSatisfy {
    SwiftLexer.startsWord($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
  }
  return isWord && !keywords.contains(name) ? name : "`\(name)`"
}

private let keywords: Set<String> = [
  "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
  "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
  "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
  "repeat", "rethrows", "return", "self", "Self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
  "true", "try", "typealias", "var", "where", "while", "Type", "Protocol",
]
