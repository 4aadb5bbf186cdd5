/// The lines of the keys in a file. The parser does not report them; but it reports which beginnings of the file are
/// documents of their own, and the first of these that has a key ends where the key's value ends.
public struct SettingLines: Sendable {
  private var lines: [SettingKey: Int] = [:]
  /// Each line costs a parse of what is before it.
  private static let maximumLines = 2000

  /// - Parameter text: TOML.
  init(of text: String) {
    var (beginning, start) = ("", 1)
    for (index, line) in Self.lines(of: text).prefix(Self.maximumLines).enumerated() {
      beginning += line + "\n"
      // Blanks and comments do not belong to a value, unless one is still open: then the beginning is not a document.
      guard let document = try? SettingNode.tables(of: beginning) else { continue }
      for key in Self.keys(of: document) where lines[key] == nil { lines[key] = start }
      start = index + 2
    }
  }

  /// The lines of a text, without their ends.
  static func lines(of text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false, whereSeparator: isEnd)
  }

  /// Whether a character ends a line, according to TOML.
  static func isEnd(_ character: Character) -> Bool { character == "\n" || character == "\r\n" }

  /// ` (line 3)`; empty if it is not known.
  public func lineText(of key: SettingKey) -> String { line(of: key).map { " (line \($0))" } ?? "" }

  public func line(of key: SettingKey) -> Int? { lines[key] }

  private static func keys(of tables: [String: SettingNode], in path: SettingKey = []) -> [SettingKey] {
    tables.flatMap { name, node in
      var keys = [path + [name]]
      if case .table(let table) = node { keys += self.keys(of: table, in: path + [name]) }
      return keys
    }
  }
}
