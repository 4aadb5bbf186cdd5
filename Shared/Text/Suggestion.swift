import Foundation

/// Suggestions for words that a program does not know: by meaning, else by spelling.
public enum Suggestion {
  /// ` did you mean list?`, with the blank; empty without a suggestion.
  public static func sentence(_ suggestions: [String]) -> String {
    suggestions.isEmpty ? "" : " did you mean \(suggestions.joined(separator: " or "))?"
  }

  private static let maximumNames = 2

  /// The names that are spelled like a word: some that begin with it, else the closest.
  public static func spelled(_ word: String, among names: [String]) -> [String] {
    let longer = names.filter { word.count > 1 && $0.hasPrefix(word) }
    return Array((longer.isEmpty ? closest(to: word, among: names) : longer).prefix(maximumNames))
  }

  private static func closest(to word: String, among names: [String]) -> [String] {
    let distances = names.map { (name: $0, distance: Spelling.distance(Array(word), Array($0))) }
    guard let least = distances.map(\.distance).min(), least <= maximumDistance(word) else { return [] }
    return distances.filter { $0.distance == least }.map(\.name)
  }

  /// Short words are close to many others.
  private static func maximumDistance(_ word: String) -> Int {
    switch word.count {
    case ...2: 0
    case ...5: 1
    default: 2
    }
  }
}

extension Suggestion {
  /// The error message for a name that is not one of those that a list may have.
  ///
  /// - Parameter kind: what has these names.
  public static func unknownName(_ kind: String, _ name: String, among names: [String]) -> String {
    // Names are also known without their unit.
    let short = names.filter { $0.hasSuffix("_km") }.map { String($0.dropLast("_km".count)) }
    let guess = sentence(spelled(name, among: names + short))
    return """
      unknown \(kind) "\(name)";\(guess) \(guess.isEmpty ? "the" : "The") \(kind)s are \(names.joined(separator: ", ")).
      """
  }
}

// MARK: - Options

extension Suggestion {
  /// The options, or the commands, that a mistyped or unknown option means.
  ///
  /// - Parameters:
  ///   - word: with its hyphens.
  ///   - names: the options of the command, with theirs.
  public static func options(_ word: String, among names: [String]) -> [String] {
    let bare = String(word.drop { $0 == "-" }.prefix { $0 != "=" }).lowercased()
    if let known = meaning(of: bare, among: names) { return known }
    let words = names.map { String($0.drop { $0 == "-" }) }
    let close = spelled(bare, among: words.filter { $0.count > 1 })
    if !close.isEmpty { return names.filter { close.contains(String($0.drop { $0 == "-" })) } }
    return closest(to: bare, among: optionMeanings.keys.sorted()).first.flatMap { meaning(of: $0, among: names) } ?? []
  }

  /// The first of the meanings that the command has.
  private static func meaning(of word: String, among names: [String]) -> [String]? {
    guard let meanings = optionMeanings[word] else { return nil }
    for meaning in meanings {
      let known = meaning.filter { $0.hasPrefix("quakes ") || names.contains($0.prefix { $0 != " " }.description) }
      if !known.isEmpty { return known.map { $0.contains(" ") ? "\"\($0)\"" : $0 } }
    }
    return nil
  }

  /// The options for words of other programs: of each list, the first entry of which the command has an option.
  private static let optionMeanings: [String: [[String]]] = {
    var meanings: [String: [[String]]] = [:]
    for (words, options) in optionWords {
      for word in words.split(separator: " ") { meanings[String(word)] = options }
    }
    return meanings
  }()

  private static let optionWords: [(words: String, options: [[String]])] = [
    ("min m mag magnitude minimum minimum-magnitude minmag minmagnitude larger above", [["--min-magnitude"]]),
    ("max maximum maximum-magnitude maxmag maxmagnitude smaller below", [["--max-magnitude"]]),
    ("depth mindepth deeper", [["--min-depth"]]), ("maxdepth shallower", [["--max-depth"]]),
    ("from after start begin newer starttime start-time last days hours", [["--since"], ["--after"]]),
    ("to before end older endtime end-time", [["--until"]]),
    ("kind event-type eventtype category class", [["--type"]]),
    ("n c count number max-count head lines rows size", [["--limit"]]), ("all", [["--limit 0"]]),
    ("sort-by sortby order order-by orderby by", [["--sort"]]), ("asc desc ascending descending", [["--reverse"]]),
    ("radius distance dist", [["--within"]]),
    ("around location position lat lon latitude longitude city at", [["--near"]]),
    ("bbox bounds rect area", [["--box"]]), ("country", [["--region"]]),
    ("network net agency provider catalog", [["--source"]]),
    ("query search grep contains match word words name", [["--text"]]),
    ("fav favorite favorites star", [["--starred"]]),
    ("unread unseen unacked new", [["--unacknowledged"]]), ("notes note", [["--noted"]]),
    ("deleted withdrawn", [["--retracted"]]), ("columns cols select", [["--columns"], ["--fields"]]),
    ("csv", [["--format csv"], ["quakes export --format csv"]]),
    ("kml", [["--format kml"], ["quakes export --format kml"]]),
    ("geojson", [["--format geojson"], ["quakes export --format geojson"]]),
    ("quakeml xml", [["--format quakeml"], ["quakes export --format quakeml"]]),
    ("jsonl json-lines jsonlines", [["--ndjson"], ["--format ndjson"]]),
    ("format output-format o output out file", [["--svg", "--png"], ["--format"], ["--json", "--template"]]),
    ("tz timezone time-zone", [["--zone"]]), ("metric imperial miles kilometers unit", [["--units"]]),
    ("colour colors", [["--color"]]), ("no-colour nocolor", [["--no-color"]]), ("no-less nopager", [["--no-pager"]]),
    ("db database folder dir directory path data", [["--store"]]), ("settings conf cfg", [["--config"]]),
    ("watch tail live f", [["--follow"], ["--loop"], ["quakes watch"]]), ("every period", [["--interval"]]),
    ("url base", [["--base-url"], ["--print-url"], ["--service"]]), ("width columns-max", [["--max-width"]]),
    ("foreground oneshot", [["--once"]]), ("service background", [["--daemon"]]), ("h", [["--help"]]),
    ("v", [["--version"]]), ("empty none", [["--when-none"]]), ("wait", [["--timeout"]]),
  ]
}

// MARK: - The parser's words

extension Suggestion {
  /// The option that the parser's error says is unknown.
  ///
  /// The parser's suggestion is the option with the least distance, however far that is.
  public static func unknownOption(in message: String) -> String? {
    guard let start = message.range(of: "Unknown option '") else { return nil }
    return message[start.upperBound...].firstIndex(of: "'").map { String(message[start.upperBound..<$0]) }
  }

  /// The parser's error with a suggestion from this table, or without one.
  ///
  /// - Parameter help: the command's help, which lists its options.
  public static func corrected(_ message: String, help: @autoclosure () -> String) -> String {
    guard let option = unknownOption(in: message) else { return message }
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let guess = options(option, among: names(inHelp: help()))
    let question = sentence(guess).dropFirst(" did".count)
    lines[0] = "Error: Unknown option '\(option)'." + (guess.isEmpty ? "" : " Did\(question)")
    return lines.joined(separator: "\n")
  }

  /// The options in the first column of a help text.
  static func names(inHelp help: String) -> [String] {
    help.split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line -> [String] in
      let column = line.dropFirst(2).components(separatedBy: "  ")[0]
      return column.split { " ,/".contains($0) }.filter { $0.hasPrefix("-") }.map(String.init)
    }
  }
}
