import ArgumentParser
import StrataQuakes

/// In which order to show earthquakes.
struct OrderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The sort key: time, magnitude, depth, distance or updated. Newest, largest and so on first.", valueName: "key"),
    completion: .list(QuakeQuery.Order.allCases.map(\.rawValue)), transform: order)
  var sort: QuakeQuery.Order?

  @Flag(help: "Reverse the order.")
  var reverse = false

  private static func order(_ text: String) throws -> QuakeQuery.Order {
    if let order = QuakeQuery.Order(named: text) { return order }
    let names = QuakeQuery.Order.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("it must be one of \(names), not \"\(text)\".")
  }
}

/// How many earthquakes to show.
struct LimitOptions: ParsableArguments {
  static let help = ArgumentHelp("The maximum number of results; 0 for all.", valueName: "number")

  @Option(help: help)
  var limit: Int?

  mutating func validate() throws { try Self.check(limit) }

  static func check(_ limit: Int?) throws {
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
  }
}
