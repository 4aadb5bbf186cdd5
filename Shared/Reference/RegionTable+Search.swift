import Foundation

extension RegionTable {
  /// More parts than this are more values than SQLite takes in one statement. The tables have 6,000 together.
  private static let maximumRuns = 15_000

  /// The regions whose name has words that begin with a text or, if none has, contains it; or the one that has it as its
  /// number.
  ///
  /// - Throws: `Failure` of usage if no region matches, with similar names.
  public func regions(named text: String) throws(Failure) -> [Entry] {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if let number = Int(text) {
      let found = entries.filter { $0.number == number }
      if !found.isEmpty { return found }
    }
    let predicate = NSPredicate(format: "SELF CONTAINS[cd] %@", argumentArray: [text])
    let begun = begun(by: text)
    let found =
      begun.isEmpty && Int(text) == nil && !text.isEmpty ? entries.filter { predicate.evaluate(with: $0.name) } : begun
    guard found.isEmpty else { return found }
    let names = similarNames(to: text).map { "\"\($0)\"" }.joined(separator: ", ")
    throw Failure(
      .usage,
      """
      there is no region "\(text)"\(names.isEmpty ? "" : "; similar are \(names)"); give a part of a name that \
      "quakes regions" lists
      """)
  }

  /// Whether a name has words that begin with a text.
  public func hasRegion(named text: String) -> Bool { !begun(by: text).isEmpty }

  private func begun(by text: String) -> [Entry] {
    let words = Spelling.words(text)
    // A number is of a region, not of a name.
    guard !words.isEmpty, Int(text) == nil else { return [] }
    let wanted = " " + words.joined(separator: " ")
    return entries.filter { (" " + Spelling.words($0.name).joined(separator: " ")).contains(wanted) }
  }

  /// All regions of a name together.
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
