import Foundation

/// One line of the table: medians over the rounds, and ratios within each round.
struct Row: Encodable {
  var work: String
  var rows: Int
  /// By contender: milliseconds of CPU and wall-clock time, peak memory in KiB, bytes kept per row.
  var cpu: [String: Double] = [:]
  var wall: [String: Double] = [:]
  var peakKiB: [String: Int] = [:]
  var heldBytes: [String: Int] = [:]
  /// By "this/that", of the workload's measure.
  var ratios: [String: Double] = [:]
  var limit: Double?
  var isMet: Bool?
  var isEqualWork: Bool

  private let title: String
  private var cells: [String] = []

  private enum CodingKeys: String, CodingKey {
    case work, rows, cpu, wall, peakKiB, heldBytes, ratios, limit, isMet, isEqualWork
  }

  init(_ work: Workload, rows: Int, _ comparison: Comparison, _ rounds: [[Bench.Report]]) {
    (self.work, self.rows, title) = (work.key, rows, work.title)
    limit = comparison.limit(work)
    isEqualWork = rounds.allSatisfy { round in
      round.allSatisfy { other in
        other.integers == round[0].integers && abs(other.reals - round[0].reals) <= abs(round[0].reals) * 1e-6
      }
    }
    func measured(_ report: Bench.Report) -> Double {
      switch work.measure {
      case .cpu: report.cpu
      case .memory: Double(report.held * 1_024) / Double(rows)
      }
    }
    func median<T: Comparable>(_ value: ([Bench.Report]) -> T) -> T { rounds.map(value).sorted()[rounds.count / 2] }
    var cells: [String] = []
    for (index, contender) in comparison.contenders.enumerated() {
      cpu[contender.title] = median { $0[index].cpu }
      wall[contender.title] = median { $0[index].wall }
      peakKiB[contender.title] = median { $0[index].peak }
      heldBytes[contender.title] = median { $0[index].held * 1_024 / rows }
      cells.append(Self.cell(median { measured($0[index]) }, 11, 1))
    }
    for (this, that) in comparison.ratios {
      let ratio = median { measured($0[this]) / measured($0[that]) }
      ratios[Self.name(this, that, comparison)] = ratio
      cells.append(Self.cell(ratio, Self.width(this, that, comparison), 2))
    }
    let (this, that) = comparison.ratios[0]
    let first = median { measured($0[this]) / measured($0[that]) }
    isMet = comparison.limit(work).map { first <= $0 }
    cells.append(
      comparison.limit(work).map { Self.cell($0, 9, 2) + (first <= $0 ? " met   " : " missed") } ?? Self.filled("", 16))
    let peaks = comparison.contenders.indices.map { index in String(median { $0[index].peak } / 1_024) }
    cells.append("  " + peaks.joined(separator: "/"))
    if comparison.hasServer {
      let servers = comparison.contenders.indices.map { index in
        String(format: "%.0f", median { $0[index].server ?? 0 })
      }
      cells.append("   server " + servers.joined(separator: "/"))
    }
    self.cells = cells
  }

  static func heading(_ comparison: Comparison, rows: Int) -> String {
    "\(rows.formatted()) rows".padding(toLength: 35, withPad: " ", startingAt: 0)
      + comparison.contenders.map { filled($0.title, 11) }.joined()
      + comparison.ratios.map { filled(name($0, $1, comparison), width($0, $1, comparison)) }.joined()
      + filled("at most", 9) + "         peak MiB"
  }

  var line: String {
    title.padding(toLength: 35, withPad: " ", startingAt: 0) + cells.joined() + (isEqualWork ? "" : "  NOT EQUAL")
  }

  private static func name(_ this: Int, _ that: Int, _ comparison: Comparison) -> String {
    "\(comparison.contenders[this].title)/\(comparison.contenders[that].title)"
  }

  /// The width of a ratio's column.
  private static func width(_ this: Int, _ that: Int, _ comparison: Comparison) -> Int {
    max(12, name(this, that, comparison).count + 2)
  }

  private static func cell(_ value: Double, _ width: Int, _ digits: Int) -> String {
    filled(String(format: "%.\(digits)f", value), width)
  }

  private static func filled(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
