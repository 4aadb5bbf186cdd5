import ArgumentParser
import Foundation
import StrataQuakes

/// Of which time to show earthquakes.
struct TimeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only since this time: 30m, 24h, 7d, 2w, or a day or instant such as 2026-11-20, local time unless it says a zone.",
      valueName: "time"))
  var since: String?

  @Option(help: ArgumentHelp("Only until this time.", valueName: "time"))
  var until: String?

  mutating func validate() throws {
    for (name, text) in [("--since", since), ("--until", until)] {
      if let text, Age.date(text, before: Date()) == nil { throw ValidationError(Self.advice(name, text)) }
    }
  }

  static func advice(_ option: String, _ text: String) -> String {
    "\(option) must be like 30m, 24h, 7d, 2w, or a day such as 2026-11-20, not \"\(text)\"."
  }

  func since(_ now: Date) -> Date? { since.flatMap { Age.date($0, before: now) } }
  func until(_ now: Date) -> Date? { until.flatMap { Age.date($0, before: now) } }
}
