import ArgumentParser
import Foundation
import StrataQuakes

/// Which time's knowledge to show.
struct AsOfOptions: ParsableArguments {
  static let help = ArgumentHelp(
    "The data as known at this time: 24h, or an instant such as 2026-11-20T12:00, in the zone of displayed times.",
    valueName: "time")

  @Option(help: help)
  var asOf: String?

  mutating func validate() throws { try Self.check(asOf) }

  static func check(_ asOf: String?) throws {
    if let asOf, Moment(in: .universal).date(asOf) == nil { throw ValidationError(timeAdvice("--as-of", asOf)) }
  }

  func date(at moment: Moment) -> Date? { asOf.flatMap(moment.date) }
}
