import StrataQuakes
import StrataQuakesConfig

extension ScreenFilter {
  /// The filter that a view and options mean, in the words of the screen, where it can be changed. Both must match; of words
  /// that exclude each other the options' count.
  ///
  /// - Throws: `Failure` of usage if the view's filter is not one, or an option has a value that no word can have.
  init(_ view: SavedView? = nil, _ options: FilterOptions, near: String?, within: Double?) throws(Failure) {
    let words = Self.text(options, near: near, within: within)
    var text = words
    do {
      if let view {
        let filter = try ScreenFilter(view.filter)
        let isOpen = view.filter.filter { $0 == "\"" }.count % 2 == 1
        let own = view.filter + (isOpen ? "\"" : "")
        // Before the view, whose "not" would take it, and apart from the view's own words, which are a phrase.
        let searched = options.text.map { "(\"\(Self.unquoted($0))\") " } ?? ""
        text = Self.text(options, near: near, within: within, hasText: false)
        text = searched + (text.isEmpty && searched.isEmpty || !filter.hasAlternatives ? own : "(\(own))") + " " + text
      }
      try self.init(text)
    } catch {
      let limited = words.isEmpty ? "" : " with these options"
      throw Failure(.usage, view.map { "the view \"\($0.name)\"\(limited): \(error.text)" } ?? error.text)
    }
  }

  private static func text(
    _ options: FilterOptions, near: String?, within: Double?, hasText: Bool = true
  ) -> String {
    let words: [(String, String?)] = [
      ("", hasText ? options.text.map { "\"\(Self.unquoted($0))\"" } : nil),
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
      ("", options.marks.isEmpty ? nil : options.marks.map(\.rawValue).joined(separator: " ")),
    ]
    return words.compactMap { name, value in value.map { name + $0 } }.joined(separator: " ")
  }

  private static func text(_ number: Double) -> String { DecimalText.shortest(number) }

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
