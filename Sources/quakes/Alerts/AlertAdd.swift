import ArgumentParser
import CoreData
import Foundation
import StrataQuakes
import StrataQuakesCompletion

/// `quakes alert add`.
struct AlertAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add an alert.",
    discussion: """
      The program is run without a shell, with its arguments as they are given, for at most a minute. In each argument the \
      fields {id}, {magnitude}, {place}, {time}, {url}, {distance}, {latitude}, {longitude}, {depth}, {rule} and {reason} \
      (new or rise) are replaced. The environment variables QUAKES_ID, QUAKES_MAGNITUDE and so on have the same values: \
      one line each, empty if unknown, in kilometers, degrees and UTC. A value that would begin an argument with a hyphen \
      gets a space before it, so that it cannot be an option. Scripts should use the variables: in an argument that is \
      itself a command, as in sh -c "echo {place}", the shell executes commands in the place's name.

      quakes alert add big --min-magnitude 6 --near home --within 500km --exec notify-me {magnitude} {place}
      """)

  @Argument(help: "The alert's name (default: alert-1, alert-2, …).")
  var name: String?

  @Option(
    name: [.customLong("min-magnitude"), .customLong("min-mag")], parsing: .unconditional,
    help: ArgumentHelp("Only this magnitude and above.", valueName: "magnitude"))
  var minimumMagnitude: Double?

  @Option(
    name: .customLong("max-depth"), parsing: .unconditional,
    help: ArgumentHelp("Only this deep and shallower.", valueName: "km"))
  var maximumDepth: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only near one of your places, even if the place moves, or near a position, a city or an earthquake.",
      valueName: "place"),
    completion: .places)
  var near: String?

  @OptionGroup var withinOptions: WithinOptions

  @Option(help: ArgumentHelp("Fire again if the magnitude rises by this (default: never).", valueName: "magnitude"))
  var step: Double?

  @Flag(help: "Show a desktop notification, with notify-send.")
  var notify = false

  @Option(
    parsing: .remaining,
    help: ArgumentHelp("Run this program; everything after it is passed as arguments.", valueName: "program"))
  var exec: [String] = []

  @OptionGroup var locationOptions: LocationOptions

  mutating func validate() throws {
    guard notify || !exec.isEmpty else {
      throw ValidationError("an alert needs an action: --notify or --exec PROGRAM.")
    }
    for (option, number) in [("--min-magnitude", minimumMagnitude), ("--max-depth", maximumDepth), ("--step", step)]
    where number?.isFinite == false {
      throw ValidationError("\(option) must be a number.")
    }
    if let step, step < 0.1 { throw ValidationError("--step must be at least 0.1.") }
    if withinOptions.within != nil, near == nil { throw ValidationError("--within needs --near.") }
    if let name, name.isEmpty || name.utf8.count > 100 || name != Terminal.printable(name) {
      throw ValidationError("the name must have 1 to 100 characters, all of them visible.")
    }
    if let word = exec.lazy.compactMap({ AlertMessage.unknownField(in: $0) }).first {
      let known = AlertField.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
      throw ValidationError("unknown field {\(word)}; the fields are \(known).")
    }
  }

  mutating func run() throws {
    let command = try commandToStore()
    let location = try locationOptions.location()
    let (name, summary) = try PersonalWriter(location).change(by: "quakes") { context in
      let rule = AlertRule(context: context)
      rule.name = try freeName(in: context)
      rule.created = Date()
      rule.minimumMagnitude = minimumMagnitude.map { NSNumber(value: $0) }
      rule.maximumDepth = maximumDepth.map { NSNumber(value: $0) }
      rule.magnitudeStep = step.map { NSNumber(value: $0) }
      (rule.notifies, rule.arguments) = (notify, command)
      try setCenter(of: rule, in: context)
      return (rule.name ?? "", AlertText(rule).summary)
    }
    try Output.line("alert \(name): \(summary)")
    if let refusal = location.alertRefusal { StandardStream.error.line("quakes: \(refusal)") }
  }

  /// The program's path and its arguments; nil for none.
  private func commandToStore() throws(Failure) -> NSArray? {
    guard let program = exec.first else { return nil }
    // The worker has other folders on its PATH, and starts in another one.
    guard let path = AlertProgram.find(program) else {
      throw Failure(
        .notFound,
        "cannot find an executable program \"\(program)\"; give its path, or check its permissions with \"ls -l\"")
    }
    return ([path] + exec.dropFirst()) as NSArray
  }

  private func freeName(in context: NSManagedObjectContext) throws -> String {
    let taken = Set(try context.fetch(AlertRule.all()).compactMap(\.name))
    if let name {
      guard !taken.contains(name) else {
        throw Failure(
          .usage,
          "there is already an alert \"\(name)\"; remove it with \"quakes alert remove\", or choose another name")
      }
      return name
    }
    return (1...).lazy.map { "alert-\($0)" }.first { !taken.contains($0) } ?? ""
  }

  private func setCenter(of rule: AlertRule, in context: NSManagedObjectContext) throws {
    guard let near else { return }
    rule.within = NSNumber(value: withinOptions.within ?? GeoCircle.defaultRadius)
    if let place = try context.fetch(Place.named(near)).first {
      rule.place = place
      return
    }
    let center =
      try PositionText.position(near).map { ($0.latitude, $0.longitude, near) }
      ?? OpenStore(locationOptions, needsCities: true).center(near)
    (rule.latitude, rule.longitude) = (NSNumber(value: center.0), NSNumber(value: center.1))
    rule.near = center.2
  }
}
