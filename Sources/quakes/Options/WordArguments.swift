import ArgumentParser
import StrataQuakes

/// Words without an option: a number limits the list, and other words say where, as in `quakes top 5 alaska`.
struct WordArguments {
  static let help = ArgumentHelp(
    "A number of earthquakes, or a region such as japan, or another part of the names of places.", valueName: "words")

  let limit: Int?
  /// nil for everywhere.
  let place: String?

  init(_ words: [String]) {
    limit = words.compactMap { Int($0) }.first
    let names = words.filter { Int($0) == nil }
    place = names.isEmpty ? nil : names.joined(separator: " ")
  }

  static func check(_ words: [String], limit: Int?) throws {
    let numbers = words.compactMap { Int($0) }
    guard numbers.count + (limit == nil ? 0 : 1) > 1 || numbers.contains(where: { $0 < 0 }) else { return }
    throw ValidationError("only one number of earthquakes can be given, and it must not be negative.")
  }

  /// The filter with the words: as a region if one has such a name, and as a text of places otherwise.
  ///
  /// - Throws: `Failure` of usage if options have set both.
  func filter(_ options: FilterOptions) throws(Failure) -> FilterOptions {
    guard let place else { return options }
    var options = options
    if options.region == nil, KnownRegions.has(place) {
      options.region = place
    } else if options.text == nil {
      options.text = place
    } else {
      throw Failure(.usage, "\"\(place)\" would replace --text; use --region for one of them")
    }
    return options
  }
}
