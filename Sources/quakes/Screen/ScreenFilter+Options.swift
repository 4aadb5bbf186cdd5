import StrataQuakes

extension ScreenFilter {
  /// The filter that options mean, in the words of the screen, where it can be changed.
  ///
  /// - Throws: `Problem` if an option has a value that no word can have.
  init(_ options: FilterOptions, near: String?, within: Double?) throws(Problem) {
    let words: [(String, String?)] = [
      ("", options.text.map { "\"\(Self.unquoted($0))\"" }),
      ("mag>=", options.minimumMagnitude.map(Self.text)), ("mag<=", options.maximumMagnitude.map(Self.text)),
      ("depth>=", options.minimumDepth.map(Self.text)), ("depth<=", options.maximumDepth.map(Self.text)),
      ("since:", options.since.map(Self.quoted)), ("until:", options.until.map(Self.quoted)),
      ("near:", near.map(Self.quoted)), ("within:", within.map { "\(Self.text($0))km" }),
      ("type:", options.type.map(Self.quoted)), ("status:", options.status.map(Self.quoted)),
      ("source:", options.source.map(Self.quoted)), ("box:", options.box?.text),
      ("region:", options.region.map(Self.quoted)), ("alert:", options.alert?.rawValue),
      ("", options.limits.flatMap(FieldLimit.list)?.map { Self.quotedLimit($0.text) }.joined(separator: " ")),
      ("felt", options.felt ? "" : nil),
      ("retracted", options.retracted ? "" : nil),
      ("starred", options.starred ? "" : nil), ("noted", options.noted ? "" : nil),
      ("unacknowledged", options.unacknowledged ? "" : nil),
    ]
    try self.init(words.compactMap { name, value in value.map { name + $0 } }.joined(separator: " "))
  }

  private static func text(_ number: Double) -> String { FactValue.number(number).text }

  private static func quoted(_ text: String) -> String {
    text.contains { $0.isWhitespace } ? "\"\(unquoted(text))\"" : unquoted(text)
  }

  /// Quotation marks are around the value only: a word that begins with one is searched for.
  private static func quotedLimit(_ text: String) -> String {
    guard let sign = text.firstIndex(where: { "<>=".contains($0) }), text.contains(" ") else { return text }
    let end = text[sign...].firstIndex { !"<>=".contains($0) } ?? text.endIndex
    return text[..<end] + "\"" + unquoted(String(text[end...])) + "\""
  }

  /// Words have no quotation marks within.
  private static func unquoted(_ text: String) -> String { text.filter { $0 != "\"" } }
}
