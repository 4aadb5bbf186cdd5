import Foundation

/// One line of the table: medians over the rounds, ratios within each round.
struct Row: Encodable {
  static let programs = ["c", "strata", "grdb"]

  var work: String
  var cpu: [String: Double] = [:]
  var wall: [String: Double] = [:]
  var peakKiB: [String: Int] = [:]
  var strataToC, grdbToC, strataToGRDB: Double
  var target: Double?
  var isEqualWork: Bool

  private let title: String

  private enum CodingKeys: String, CodingKey {
    case work, cpu, wall, peakKiB, strataToC, grdbToC, strataToGRDB, target, isEqualWork
  }

  init(_ work: Work, _ rounds: [[String: Bench.Report]]) {
    self.work = work.name
    title = work.title
    target = work.target
    func values<T: Comparable>(_ program: String, _ value: KeyPath<Bench.Report, T>) -> [T] {
      rounds.compactMap { $0[program]?[keyPath: value] }
    }
    for program in Self.programs {
      cpu[program] = Self.median(values(program, \.cpu))
      wall[program] = Self.median(values(program, \.wall))
      peakKiB[program] = Self.median(values(program, \.peak))
    }
    func ratio(_ program: String, _ base: String) -> Double {
      Self.median(zip(values(program, \.cpu), values(base, \.cpu)).map { $0 / $1 })
    }
    strataToC = ratio("strata", "c")
    grdbToC = ratio("grdb", "c")
    strataToGRDB = ratio("strata", "grdb")
    isEqualWork = rounds.allSatisfy { round in
      guard let first = round["c"] else { return false }
      return round.values.allSatisfy { other in
        other.integers == first.integers && abs(other.reals - first.reals) <= abs(first.reals) * 1e-6
      }
    }
  }

  private static func median<T: Comparable>(_ values: [T]) -> T { values.sorted()[values.count / 2] }

  static let heading =
    "work                                    C ms   ours ms   GRDB ms   ours/C  GRDB/C  ours/GRDB  at most       peak MiB"

  var line: String {
    func number(_ value: Double, _ width: Int, _ digits: Int = 2) -> String {
      let text = String(format: "%.\(digits)f", value)
      return String(repeating: " ", count: max(0, width - text.count)) + text
    }
    let verdict = target.map { number($0, 5) + (strataToC <= $0 ? " met   " : " missed") } ?? "            "
    let peaks = Self.programs.map { String((peakKiB[$0] ?? 0) / 1_024) }.joined(separator: "/")
    return title.padding(toLength: 35, withPad: " ", startingAt: 0)
      + Self.programs.map { number(cpu[$0] ?? 0, 10, 1) }.joined()
      + number(strataToC, 9) + number(grdbToC, 8) + number(strataToGRDB, 11) + "  " + verdict + "  " + peaks
      + (isEqualWork ? "" : "  NOT EQUAL")
  }
}
