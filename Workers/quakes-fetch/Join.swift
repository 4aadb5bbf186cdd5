import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesFeeds

/// When reports of several agencies are the same earthquake.
struct JoinOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The maximum time between reports that are joined; 0 to join none.", valueName: "seconds"))
  var joinSeconds = JoinLimits().seconds

  @Option(
    name: .customLong("join-km"),
    help: ArgumentHelp("The maximum distance between reports that are joined; 0 to join none.", valueName: "km"))
  var joinKilometers = JoinLimits().kilometers

  mutating func validate() throws {
    guard 0...3600 ~= joinSeconds, 0...20_000 ~= joinKilometers else {
      throw ValidationError("--join-seconds must be between 0 and 3600, --join-km between 0 and 20000.")
    }
  }

  var limits: JoinLimits { JoinLimits(seconds: joinSeconds, kilometers: joinKilometers) }
}

/// `quakes-fetch join`: joins and separates the stored reports again.
struct Join: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Join stored reports of several agencies again with other limits, or separate them.",
    discussion: "quakes-fetch join --join-seconds 0 separates all reports. A running worker keeps its own limits.")

  @OptionGroup var joinOptions: JoinOptions

  @Option(help: ArgumentHelp("The store's folder (default: $QUAKES_STORE).", valueName: "folder"))
  var store: String?

  mutating func run() throws {
    let location = try StoreLocation(option: store)
    let settlement = try ReportSettlement.ofStore(location, limits: joinOptions.limits)
    try Output.line("\(CountText.of(settlement.joined, "report")) joined, \(settlement.separated) separated")
  }
}
