/// An import that Linux may compile.
struct ImportStatement {
  /// The module and its submodules.
  var path: [String]
  /// Whether it imports one declaration alone.
  var isScoped: Bool
  /// The number of conditional blocks around it.
  var depth: Int
  var bytes: Range<Int>
  /// The index of `import`.
  var keyword: Int
  /// The indexes of the tokens after the module's name.
  var submodules: Range<Int>

  var module: String { path[0] }

  static func all(in code: CodeFragment) -> [ImportStatement] {
    DeclarationScanner.heads(in: code).compactMap { head in
      guard head.keyword == "import", head.scope == nil else { return nil }
      var index = head.index + 1
      let kinds = ["class", "struct", "enum", "protocol", "typealias", "func", "var", "let"]
      let isScoped = kinds.contains(code[index].text)
      if isScoped { index += 1 }
      guard code[index].isName else { return nil }
      var path = [code[index].text]
      let module = index
      while code.sees(index + 1, "."), code.isAdjacent(index + 1), code.isAdjacent(index + 2), code[index + 2].isName {
        path.append(code[index + 2].text)
        index += 2
      }
      let levels: Set = ["public", "package", "internal", "fileprivate", "private"]
      let start = head.modifiers.allSatisfy { levels.contains($0.word) } ? head.start : head.index
      return ImportStatement(
        path: path, isScoped: isScoped, depth: code[head.index].depth,
        bytes: code[start].bytes.lowerBound..<code[index].bytes.upperBound, keyword: head.index,
        submodules: module + 1..<index + 1)
    }
  }
}
