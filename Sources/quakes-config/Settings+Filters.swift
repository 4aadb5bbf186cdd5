import Foundation
import StrataQuakes

/// The words of the tables `filter.NAME`, each as the option of the same name.
extension Settings {
  public static let filterWords: [Setting<String>] =
    timeWords + numberWords + [
      textWord("type", #""quarry blast""#, "Only this type."),
      textWord("status", #""reviewed""#, "Only this status: automatic or reviewed."),
      textWord("source", #""us""#, "Only from this network or service."),
      textWord("box", #""170,-50,-170,-30""#, "Only in this box: W,S,E,N in degrees.", "W,S,E,N in degrees") {
        GeoBox($0) != nil
      },
      textWord("region", #""japan""#, "Only in regions with this in their name."),
      textWord("near", #""42.0,21.4""#, "Only near this position, city or earthquake."),
      textWord("within", #""500km""#, "The maximum distance.", #"a distance such as "500km" or "300mi""#) {
        DistanceText.kilometers($0) != nil
      },
      textWord("alert", #""yellow""#, "Only this alert level and above.", #""green", "yellow", "orange" or "red""#) {
        AlertLevel(rawValue: $0) != nil
      },
      textWord("text", #""Alaska""#, "Only if the place or the title contains this."),
      textWord(
        "where", #""horizontal_error<=2""#, "Only within these limits of fields.",
        #"limits of fields such as "horizontal_error<=2,stations>=10""#
      ) {
        FieldLimit.list($0) != nil
      },
      flagWord("felt", "Only earthquakes that people reported to have felt."),
      flagWord("retracted", "Also earthquakes that their service withdrew."),
    ]

  private static let timeWords = [("since", "7d", "Only since this time."), ("until", "1d", "Only until this time.")]
    .map { name, example, help in
      Setting("filter", name, TimeWords.wanted, example: "\"\(example)\"", help) {
        TimeWords.past($0).map { "--\(name)=\($0)" }
      }
    }

  private static let numberWords = [
    ("min_magnitude", "4.5", "Only this magnitude and above."),
    ("max_magnitude", "6", "Only this magnitude and below."),
    ("min_depth", "70", "Only this deep and deeper; km."), ("max_depth", "30", "Only this deep and shallower; km."),
  ].map { name, example, help in
    Setting("filter", name, "a number", example: example, help) {
      $0.double.map { "--\(option(name))=\($0)" }
    }
  }

  private static func textWord(
    _ name: String, _ example: String, _ help: String, _ wanted: String = "a text",
    _ accepts: @escaping @Sendable (String) -> Bool = { _ in true }
  ) -> Setting<String> {
    Setting("filter", name, wanted, example: example, help) { value in
      value.string.flatMap { accepts($0) ? "--\(option(name))=\($0)" : nil }
    }
  }

  /// `false` is the empty text, because no option expresses it.
  private static func flagWord(_ name: String, _ help: String) -> Setting<String> {
    Setting("filter", name, "true or false", example: "true", help) { $0.bool.map { $0 ? "--\(option(name))" : "" } }
  }

  private static func option(_ name: String) -> String { name.replacing("_", with: "-") }
}

extension Settings {
  /// A named filter as command line arguments.
  ///
  /// - Throws: `Failure` of usage for an unknown name, which lists the filters.
  public func arguments(ofFilter name: String) throws(Failure) -> [String] {
    guard let words = filters[name] else {
      throw unknown("filter", name, among: filterNames, advice: "write one as [filter.\(name)]")
    }
    return Self.filterWords.compactMap { word in words[word.name].flatMap(word.read) }.filter { !$0.isEmpty }
  }

  /// - Parameter advice: if the file does not have any.
  func unknown(_ kind: String, _ name: String, among names: [String], advice: String) -> Failure {
    let others = names.map { "\"\($0)\"" }.joined(separator: ", ")
    return Failure(
      .usage,
      "\(file.url.path) has no \(kind) \"\(name)\"; \(others.isEmpty ? advice : "its \(kind)s are \(others)")")
  }
}
