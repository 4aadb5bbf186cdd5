import Foundation

extension RegionTable {
  /// More parts than this are more values than SQLite takes in one statement. The tables have 6,000 together.
  private static let maximumRuns = 15_000

  /// The regions whose name contains a text, or the one that has it as its number.
  ///
  /// - Throws: `Failure` of usage if no region matches, with similar names.
  public func regions(named text: String) throws(Failure) -> [Entry] {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let found = matches(text)
    guard found.isEmpty else { return found }
    let names = similarNames(to: text).map { "\"\($0)\"" }.joined(separator: ", ")
    throw Failure(
      .usage,
      """
      there is no region "\(text)"\(names.isEmpty ? "" : "; similar are \(names)"); give a part of a name that \
      "quakes regions" lists
      """)
  }

  /// Whether a name contains a text.
  public func hasRegion(named text: String) -> Bool {
    !matches(text.trimmingCharacters(in: .whitespacesAndNewlines)).isEmpty
  }

  private func matches(_ text: String) -> [Entry] {
    let predicate = NSPredicate(format: "SELF CONTAINS[cd] %@", argumentArray: [text])
    return Int(text).map { number in entries.filter { $0.number == number } }
      ?? entries.filter { !text.isEmpty && predicate.evaluate(with: $0.name) }
  }

  /// All regions whose name contains a text together.
  ///
  /// - Throws: `Failure` of usage if no region matches, with similar names, or if the regions have too many parts.
  public func area(named text: String) throws(Failure) -> RegionArea {
    let cells = DegreeCells(try regions(named: text).lazy.flatMap(\.cells.runs))
    guard cells.runs.count <= Self.maximumRuns else {
      throw Failure(
        .usage, "the regions named \"\(text)\" have too many parts (\(cells.runs.count)); give more of the name"
      )
    }
    return RegionArea(text: text, cells: cells)
  }

  /// The names with words that differ in few letters, the most similar first.
  private func similarNames(to text: String) -> [String] {
    let typed = Spelling.words(text)
    let wanted = Array(typed.joined(separator: " "))
    // Shorter texts are similar to every name, and longer ones are not typing errors of a name.
    guard 3...100 ~= wanted.count else { return [] }
    let limit = wanted.count / 3
    var found: [(distance: Int, name: String)] = []
    for entry in entries {
      let words = Spelling.words(entry.name)
      let parts = words.indices.map { words[$0...].prefix(typed.count).joined(separator: " ") }
      guard let least = parts.map({ Spelling.distance(wanted, Array($0)) }).min(), least <= limit else { continue }
      found.append((least, entry.name))
    }
    return found.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(4).map(\.name)
  }
}
