import Foundation
import StrataQuakes

/// Everything known about an earthquake, as lines of text.
struct QuakeDetails {
  private static let nameWidth = 14

  private let quake: QuakeFacts
  private let places: [PlaceDistance]
  private let now: Date
  private let style: DisplayStyle

  /// - Parameter places: how far it is from the user's places.
  init(_ quake: QuakeFacts, places: [PlaceDistance], now: Date, style: DisplayStyle) {
    (self.quake, self.places, self.now, self.style) = (quake, places, now, style)
  }

  /// On a narrow terminal the values continue below themselves.
  func lines(_ terminal: Terminal) -> [OutputText] {
    let title = "M \(quake.magnitudeText) \(quake.placeText)"
    let titles = terminal.columns.map { DisplayWidth.wrapped(title, to: $0) } ?? [title]
    return titles.map { terminal.colored($0, magnitude: quake.magnitude) }
      + details.flatMap { name, value in
        let values = terminal.columns.map { DisplayWidth.wrapped(value, to: $0 - Self.nameWidth) } ?? [value]
        return zip([name] + Array(repeating: "", count: values.count - 1), values).map { name, value in
          OutputText(DisplayWidth.padded(name, to: Self.nameWidth) + value)
        }
      }
  }

  /// Omits what is not known.
  private var details: [(String, String)] {
    let known: [(String, String?)] = [
      ("id", quake.identifier),
      ("time", time),
      ("local time", otherTime(.local)),
      ("in UTC", otherTime(.universal)),
      ("magnitude", magnitude),
      ("depth", quake.depth.map { style.distance($0, hasTenths: true) + uncertainty(.depthError) }),
      ("position", position + uncertainty(.horizontalError)),
      ("stations", stations),
      ("sources", sources),
      ("region", quake.region),
      ("near", quake.nearestCity?.textWithPopulation(style)),
      ("distance", places.isEmpty ? nil : places.map { $0.text(style) }.joined(separator: ", ")),
      ("standing", quake.standing == .live ? nil : standing),
      ("status", quake.text(.status)),
      ("updated", quake.date(.updated).map { style.time($0) }),
      ("first seen", quake.date(.firstSeen).map { style.time($0) }),
    ]
    let others: [(String, String?)] = [
      ("tsunami flag", quake.integer(.tsunami) == 1 ? "set: a large event in an oceanic region, not a warning" : nil),
      ("significance", quake.integer(.significance).map { "\($0)" }),
      ("also known as", aliases),
      ("page", quake.url),
    ]
    let own: [(String, String?)] = [
      ("marks", quake.mark.flatMap(marks)),
      ("note", quake.mark?.note),
    ]
    let all = known + effects + others + otherPages + own
    return all.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Products with a line of their own; the others only have pages.
  private static let shownProducts: Set<QuakeProduct> = [.feltReports, .shakeMap, .lossEstimate]

  /// The felt reports and the computed effects, each above the page of the USGS about it.
  private var effects: [(String, String?)] {
    effect("felt", quake.feltText, .feltReports)
      + effect(quake.has(.shakeMap) ? "ShakeMap" : "intensity", quake.shakingText, .shakeMap)
      + effect(quake.has(.lossEstimate) ? "PAGER" : "alert", quake.alert, .lossEstimate)
  }

  private func effect(_ name: String, _ text: String?, _ product: QuakeProduct) -> [(String, String?)] {
    let page = quake.page(of: product)
    return [(name, text ?? page), ("", text == nil ? nil : page)]
  }

  private var otherPages: [(String, String?)] {
    let pages = QuakeProduct.allCases.filter { !Self.shownProducts.contains($0) }.compactMap(quake.page(of:))
    return pages.enumerated().map { ($0 == 0 ? "more pages" : "", $1) }
  }

  /// With the age, unless that is the date again.
  private var time: String {
    let age = Age.text(of: quake.time, at: now, style: style)
    return style.time(quake.time) + (age == style.day(quake.time) ? "" : " (\(age))")
  }

  /// nil if the clocks of that zone show what is shown already.
  private func otherTime(_ zone: DisplayZone) -> String? {
    let offset = zone.offset(at: quake.time)
    guard offset != style.zone.offset(at: quake.time), zone == .universal || offset != 0 else { return nil }
    return DisplayStyle(unit: style.unit, zone: zone, clock: style.clock).time(quake.time)
  }

  private var magnitude: String {
    guard let name = quake.magnitudeClass else { return "not known" }
    var words = [quake.magnitudeText]
    if let error = quake.number(.magnitudeError) { words.append("± \(Self.digits(error))") }
    if let type = quake.text(.magnitudeType) { words.append(type) }
    words.append("(\(name))")
    if let count = quake.integer(.magnitudeStations), count > 0 { words.append("of \(CountText.of(count, "station"))") }
    return words.joined(separator: " ")
  }

  /// ` ± 1.9 km`; empty if it is not known.
  private func uncertainty(_ field: QuakeField) -> String {
    quake.number(field).map { " ± \(style.distance($0, hasTenths: true))" } ?? ""
  }

  /// How good the location is: how many stations are where.
  private var stations: String? {
    let parts = [
      quake.integer(.nst).map { "\($0)" }, quake.number(.dmin).map { "the nearest at \(Self.digits($0))°" },
      quake.number(.gap).map { "gap \(Self.digits($0))°" }, quake.number(.rms).map { "residual \(Self.digits($0)) s" },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private var sources: String? {
    let parts = [
      quake.text(.locationSource).map { "location \($0)" }, quake.text(.magnitudeSource).map { "magnitude \($0)" },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// To two digits after the point, without zeros at the end.
  private static func digits(_ number: Double) -> String {
    DecimalText.shortest((number * 100).rounded() / 100)
  }

  private var position: String {
    let north = quake.latitude < 0 ? "S" : "N"
    let east = quake.longitude < 0 ? "W" : "E"
    return "\(abs(quake.latitude))°\(north) \(abs(quake.longitude))°\(east)"
  }

  private func marks(_ mark: QuakeMark) -> String? {
    let words = [
      mark.isStarred ? "starred" : nil, mark.acknowledged.map { "acknowledged \(Age.text(of: $0, at: now))" },
    ].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  private var standing: String {
    quake.text(.standingReason).map { "\(quake.standing): \($0)" } ?? quake.standing.description
  }

  private var aliases: String? {
    let others = quake.aliases.filter { $0 != quake.identifier }
    return others.isEmpty ? nil : others.joined(separator: ", ")
  }
}
