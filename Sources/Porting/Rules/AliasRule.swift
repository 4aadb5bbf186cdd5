/// Says which `NSExpression` a module means: Foundation on Linux has a class of that name too.
struct AliasRule {
  static let names = ["NSExpression", "NSComparisonPredicate"]

  /// The names that a file uses without a module before them.
  static func uses(in code: LiveCode) -> Set<String> {
    var found: Set<String> = []
    for fragment in code.fragments {
      for (index, token) in fragment.tokens.enumerated() where token.kind == .word && names.contains(token.text) {
        if !fragment.sees(index - 1, ".") || fragment.sees(index - 2, "Foundation") { found.insert(token.text) }
      }
    }
    return found
  }

  /// Adds aliases after the file's last import. If that is conditional, or does not exist, the end of the file gets them.
  static func add(_ names: [String], to code: LiveCode, _ changes: inout FileEdits) {
    let lines = ["#if os(Linux)"] + names.map { "public typealias \($0) = CoreData.\($0)" } + ["#endif"]
    let last = ImportStatement.all(in: code.file).last { $0.depth == 0 }
    changes.count(.name, names.count)
    guard let last, !AppleModules.isApples(last.module), code.source.isLastOnLine(last.bytes.upperBound) else {
      let offset = code.source.bytes.count
      let ending = code.source.lineEnding(0)
      let isClosed = code.source.bytes.last.map { $0 == UInt8(ascii: "\n") } ?? true
      changes.insert((isClosed ? "" : ending) + ending + lines.joined(separator: ending) + ending, at: offset)
      return
    }
    let offset = code.source.lineEnd(last.bytes.upperBound)
    let ending = code.source.lineEnding(last.bytes.lowerBound)
    changes.insert(ending + ending + lines.joined(separator: ending), at: offset)
  }
}
