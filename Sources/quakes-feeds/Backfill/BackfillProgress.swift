import Foundation
import StrataQuakes

/// Shows how far a back-fill is: a bar on a terminal, else a line for each part.
struct BackfillProgress {
  private let log: WorkerLog
  private let terminal: Terminal
  private var start = ContinuousClock.now
  /// Received by earlier runs, which does not count for the rate.
  private var before = 0

  init(log: WorkerLog, terminal: Terminal = Terminal(.error)) {
    (self.log, self.terminal) = (log, terminal)
  }

  mutating func begin(_ plan: BackfillPlan) {
    (start, before) = (.now, plan.received)
    if plan.received > 0 { log.result("continues after \(Self.amount(plan))") }
  }

  func step(_ part: BackfillPlan.Part, _ plan: BackfillPlan, count: Int) {
    guard terminal.isTerminal else {
      log.result("\(ISO8601.text(part.start)) to \(ISO8601.text(part.end)): \(count) events; \(Self.amount(plan))")
      return
    }
    let seconds = max(0.001, (ContinuousClock.now - start) / .seconds(1))
    let rate = "\(Int(Double(plan.received - before) / seconds))/s"
    StandardStream.error.write("\r\u{1B}[K" + OutputText(Self.bar(plan, rate: rate, columns: terminal.columns ?? 80)))
  }

  /// Leaves the bar's line.
  func end() {
    if terminal.isTerminal { StandardStream.error.write("\n") }
  }

  /// `[#####.....] 1200 of 2400 events, 85/s`.
  static func bar(_ plan: BackfillPlan, rate: String, columns: Int) -> String {
    let text = "\(amount(plan)), \(rate)"
    let width = min(40, columns - text.count - 4)
    guard let total = plan.total, total > 0, width > 0 else { return String(text.prefix(max(0, columns - 1))) }
    let filled = min(width, Int(Double(width) * Double(plan.received) / Double(total)))
    return "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: width - filled))] \(text)"
  }

  private static func amount(_ plan: BackfillPlan) -> String {
    plan.total.map { "\(plan.received) of \($0) events" } ?? "\(plan.received) events"
  }
}
