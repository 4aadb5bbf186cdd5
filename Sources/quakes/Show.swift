import ArgumentParser
import CoreData
import Foundation
import StrataQuakes

/// `quakes show ID`: prints everything known about one earthquake.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Show everything known about one earthquake.")

  @OptionGroup var storeOptions: StoreOptions
  @OptionGroup var output: OutputOptions

  @OptionGroup var asOfOptions: AsOfOptions

  @Flag(help: "Every state that its service ever told, oldest first.")
  var history = false

  @Flag(help: "As JSON.")
  var json = false

  @Argument(help: "The earthquake's id, or a part of it that no other has.", completion: .earthquakes)
  var id: String

  mutating func run() throws {
    let settings = try storeOptions.settings()
    let (container, location) = try storeOptions.open()
    let reference = StoreOptions.addReference(to: container)
    let hasPersonal = StoreOptions.addPersonal(to: container, location)
    let context = container.newBackgroundContext()
    let found = try context.performAndWait { [id] in
      do {
        var names = reference.map { CityNames(in: context, of: $0) }
        var found = try Quake.find(typed: id, in: context).map { Found($0, facts: names?.facts(of: $0) ?? $0.facts) }
        if hasPersonal { try found?.readPersonal(in: context) }
        if let failure = names?.failure { StandardStream.error.line("quakes: \(failure.message)") }
        return found
      } catch let failure as Failure {
        throw failure
      } catch {
        throw Failure.reading(location, error: error)
      }
    }
    guard let found else { throw Failure.noQuake(id) }
    guard let quake = found.facts(asOf: asOfOptions.date(at: Date())) else {
      throw Failure(.notFound, "nothing was known of \"\(id)\" then; \"quakes show \(id) --history\" says since when")
    }
    let changes = history ? QuakeChange.changes(in: found.history) : nil
    let (terminal, style) = (output.terminal(settings), output.style(settings))
    output.startPager(settings)
    if json {
      try Output.line(OutputText(Self.json(quake, places: found.places, changes: changes)))
    } else {
      var lines = lines(quake, places: found.places, terminal, style)
      if let changes {
        lines += [""] + ChangeTable(terminal: terminal, style: style, showsID: false).lines(changes)
      }
      try Output.line(lines.joined(separator: "\n"))
    }
  }

  /// An earthquake's states, as values.
  private struct Found {
    var current: QuakeFacts
    var history: [RecordedState]
    /// How far it is from the user's places.
    var places: [PlaceDistance] = []

    init(_ quake: Quake, facts: QuakeFacts) {
      (current, history) = (facts, quake.history)
    }

    mutating func readPersonal(in context: NSManagedObjectContext) throws {
      current.mark = try MarkBook(in: context)?.marks(of: [current.identifier])[current.identifier] ?? QuakeMark()
      places = try Place.distances(ofLatitude: current.latitude, longitude: current.longitude, in: context)
    }

    func facts(asOf time: Date?) -> QuakeFacts? {
      guard let time else { return current }
      var facts = history.last { $0.said <= time }?.state.facts
      facts?.mark = current.mark
      return facts
    }
  }

  private static func json(_ quake: QuakeFacts, places: [PlaceDistance], changes: [QuakeChange]?) -> String {
    var text = JSONText()
    text.object { json in
      json.integer("format_version", 1)
      json.quake("quake", quake)
      json.places("places", places)
      if let changes { json.array("history") { array in for change in changes { array.change(change) } } }
    }
    return text.text
  }

  private func lines(
    _ quake: QuakeFacts, places: [PlaceDistance], _ terminal: Terminal, _ style: DisplayStyle
  ) -> [OutputText] {
    let title = terminal.colored("M \(quake.magnitudeText) \(quake.placeText)", magnitude: quake.magnitude)
    return [title]
      + Self.details(quake, places: places, style).map { name, value in
        OutputText(DisplayWidth.padded(name, to: 14) + value)
      }
  }

  /// Omits what is not known.
  private static func details(
    _ quake: QuakeFacts, places: [PlaceDistance], _ style: DisplayStyle
  ) -> [(String, String)] {
    let known: [(String, String?)] = [
      ("id", quake.identifier),
      ("time", "\(style.time(quake.time)) (\(Age.text(of: quake.time, at: Date(), style: style)))"),
      ("local time", otherTime(.local, quake.time, style)),
      ("in UTC", otherTime(.universal, quake.time, style)),
      ("magnitude", magnitude(quake)),
      ("depth", quake.depth.map { style.distance($0, hasTenths: true) }),
      ("position", position(quake)),
      ("near", quake.nearestCity?.textWithPopulation(style)),
      ("distance", places.isEmpty ? nil : places.map { $0.text(style) }.joined(separator: ", ")),
      ("standing", quake.standing == .live ? nil : Self.standing(quake)),
      ("status", quake.status),
      ("updated", quake.updated.map { style.time($0) }),
      ("felt by", quake.felt.map { "\($0)" }),
      ("intensity", (quake.mmi ?? quake.cdi).map { DecimalText.oneDigit($0) }),
      ("alert", quake.alert),
      ("tsunami flag", quake.tsunami == 1 ? "set: a large event in an oceanic region, not a warning" : nil),
      ("significance", quake.significance.map { "\($0)" }),
      ("also known as", aliases(quake)),
      ("page", quake.url),
      ("marks", quake.mark.flatMap(marks)),
      ("note", quake.mark?.note),
    ]
    return known.compactMap { name, value in value.map { (name, $0) } }
  }

  /// nil if the clocks of that zone show what is shown already.
  private static func otherTime(_ zone: DisplayZone, _ time: Date, _ style: DisplayStyle) -> String? {
    let offset = zone.offset(at: time)
    guard offset != style.zone.offset(at: time), zone == .universal || offset != 0 else { return nil }
    return DisplayStyle(unit: style.unit, zone: zone, clock: style.clock).time(time)
  }

  private static func magnitude(_ quake: QuakeFacts) -> String {
    guard let name = quake.magnitudeClass else { return "not known" }
    return "\(quake.magnitudeText) \(quake.magnitudeType ?? "") (\(name))".replacingOccurrences(of: "  ", with: " ")
  }

  private static func position(_ quake: QuakeFacts) -> String {
    let north = quake.latitude < 0 ? "S" : "N"
    let east = quake.longitude < 0 ? "W" : "E"
    return "\(abs(quake.latitude))°\(north) \(abs(quake.longitude))°\(east)"
  }

  private static func marks(_ mark: QuakeMark) -> String? {
    let words = [
      mark.isStarred ? "starred" : nil, mark.acknowledged.map { "acknowledged \(Age.text(of: $0, at: Date()))" },
    ].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  private static func standing(_ quake: QuakeFacts) -> String {
    quake.standingReason.map { "\(quake.standing): \($0)" } ?? quake.standing.description
  }

  private static func aliases(_ quake: QuakeFacts) -> String? {
    let others = quake.aliases.filter { $0 != quake.identifier }
    return others.isEmpty ? nil : others.joined(separator: ", ")
  }
}

extension Failure {
  static func noQuake(_ id: String) -> Failure {
    Failure(.notFound, "there is no earthquake \"\(id)\" in the store; \"quakes list\" shows the ids")
  }
}
