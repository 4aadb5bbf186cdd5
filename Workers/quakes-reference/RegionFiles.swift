import Foundation
import StrataQuakes

/// The tables of the Flinn–Engdahl regions as the USGS made them, in a folder.
///
/// `names.asc` has a name a line, by number. For each quarter of the Earth and each degree of latitude from the equator to
/// the pole, `quadsidx.asc` has how many pairs of numbers the quarter's own file has, such as `nesect.asc`. A pair is the
/// degree of longitude, counted from Greenwich, at which a region begins, and its number.
struct RegionFiles {
  private static let quarters = [
    (file: "nesect.asc", isSouth: false, isWest: false), (file: "nwsect.asc", isSouth: false, isWest: true),
    (file: "sesect.asc", isSouth: true, isWest: false), (file: "swsect.asc", isSouth: true, isWest: true),
  ]
  /// Degrees of latitude and of longitude, on each side of 0.
  private static let (heights, widths) = (0...90, 0...180)

  let regions: [RegionTable.Entry]

  /// - Throws: `Failure` with status 6 for tables that do not fit together.
  init(_ folder: URL) throws(Failure) {
    let names = try Self.text(folder, "names.asc").split(separator: "\n").map { RegionName(String($0)).text }
    let counts = try Self.numbers(folder, "quadsidx.asc")
    guard 1...Int(Int16.max) ~= names.count, counts.count == Self.quarters.count * Self.heights.count else {
      throw Self.bad(folder, "there are \(names.count) names, and \(counts.count) numbers in quadsidx.asc")
    }
    var tiers: [Int: [Int: Int]] = [:]
    for (index, quarter) in Self.quarters.enumerated() {
      var rest = try Self.numbers(folder, quarter.file)[...]
      for (height, count) in zip(Self.heights, counts[(index * Self.heights.count)...]) {
        guard 1...Self.widths.count ~= count, let tier = Self.tier(rest.prefix(count * 2), regions: 1...names.count)
        else { throw Self.bad(folder, "\(quarter.file) has no regions for \(height)° of latitude") }
        rest = rest.dropFirst(count * 2)
        for (width, region) in zip(Self.widths, tier) {
          tiers[quarter.isSouth ? -1 - height : height, default: [:]][quarter.isWest ? -1 - width : width] = region
        }
      }
      guard rest.isEmpty else { throw Self.bad(folder, "\(quarter.file) has more than quadsidx.asc says") }
    }
    var runs = [[DegreeCells.Run]](repeating: [], count: names.count)
    for (row, tier) in tiers {
      for (column, region) in tier {
        // 180° W is 180° E.
        let region = column == DegreeCells.columns.lowerBound ? tier[DegreeCells.columns.upperBound] ?? region : region
        if let run = DegreeCells.Run(row: row, first: column, last: column) { runs[region - 1].append(run) }
      }
    }
    regions = zip(names, runs).enumerated().map { index, region in
      RegionTable.Entry(number: index + 1, name: region.0, cells: DegreeCells(region.1))
    }
  }

  /// - Parameter pairs: where each region begins, and its number.
  /// - Returns: the region of each degree of longitude; nil if there are no such pairs.
  private static func tier(_ pairs: ArraySlice<Int>, regions: ClosedRange<Int>) -> [Int]? {
    let pairs = stride(from: pairs.startIndex, to: pairs.endIndex - 1, by: 2).map { (pairs[$0], pairs[$0 + 1]) }
    let ends = pairs.dropFirst().map(\.0) + [widths.upperBound + 1]
    guard pairs.first?.0 == 0, pairs.allSatisfy({ regions ~= $0.1 }),
      zip(pairs, ends).allSatisfy({ $0.0 < $1 }), pairs.count == ends.count
    else { return nil }
    return zip(pairs, ends).flatMap { pair, end in repeatElement(pair.1, count: end - pair.0) }
  }

  private static func numbers(_ folder: URL, _ file: String) throws(Failure) -> [Int] {
    var numbers: [Int] = []
    for word in try text(folder, file).split(whereSeparator: \.isWhitespace) {
      guard let number = Int(word) else { throw bad(folder, "\(file) has \"\(word.prefix(20))\" instead of a number") }
      numbers.append(number)
    }
    return numbers
  }

  private static func text(_ folder: URL, _ file: String) throws(Failure) -> String {
    do {
      return String(decoding: try Data(contentsOf: folder.appendingPathComponent(file)), as: UTF8.self)
    } catch {
      throw bad(folder, "cannot read \(file): \(Failure.systemError(of: error))")
    }
  }

  private static func bad(_ folder: URL, _ reason: String) -> Failure {
    Failure(.badResponse, "cannot use the tables of regions in \(folder.path): \(reason)")
  }
}

/// A region's name. The tables have capital letters only.
private struct RegionName {
  private static let small: Set<String> = ["and", "da", "del", "near", "of", "off", "the"]
  private static let abbreviations: Set<String> = ["NEI", "NW", "PNG", "SW", "USA"]

  let text: String

  /// Words have a capital letter each, also behind hyphens and dots.
  init(_ capitals: String) {
    let words = capitals.split(whereSeparator: \.isWhitespace).map(String.init)
    text = words.enumerated().map { index, word in
      if index > 0, Self.small.contains(word.lowercased()) { return word.lowercased() }
      var (result, part) = ("", "")
      for character in word + " " {
        if character.isLetter {
          part.append(character)
        } else {
          result += Self.abbreviations.contains(part) ? part : part.prefix(1) + part.dropFirst().lowercased()
          result.append(character)
          part = ""
        }
      }
      return String(result.dropLast())
    }.joined(separator: " ")
  }
}
