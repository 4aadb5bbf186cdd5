import Foundation
import StrataQuakes

/// QuakeML 1.2, basic event description: https://quake.ethz.ch/quakeml
///
/// An event has one origin and, if its magnitude is known, one magnitude.
struct QuakeMLWriter: EventWriter {
  mutating func head(count: Int, at time: Date) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <q:quakeml xmlns="http://quakeml.org/xmlns/bed/1.2" xmlns:q="http://quakeml.org/xmlns/quakeml/1.2" \
    xmlns:catalog="http://anss.org/xmlns/catalog/0.1">
     <eventParameters publicID="smi:quakes/export">
      <creationInfo><creationTime>\(ISO8601.text(time))</creationTime></creationInfo>

    """
  }

  mutating func tail() -> String { " </eventParameters>\n</q:quakeml>\n" }

  mutating func event(_ state: QuakeState, of service: String?) -> String {
    let id = state.text(.identifier) ?? ""
    let (network, code) = (state.text(.network) ?? "", state.text(.code) ?? "")
    let isOfUSGS = state.isOfUSGS(service)
    let publicID =
      isOfUSGS
      ? "quakeml:earthquake.usgs.gov/fdsnws/event/1/query?eventid=\(id)"
      : "smi:\(network)/event?eventid=\(code.isEmpty ? id : code)"
    var attributes = [("publicID", publicID)]
    if isOfUSGS, !network.isEmpty, !code.isEmpty {
      attributes += [("catalog:eventsource", network), ("catalog:eventid", code)]
    }
    let hasMagnitude = state.number(.magnitude) != nil
    var text = MarkupText(depth: 2)
    text.element("event", attributes) { event in
      event.element("preferredOriginID", "smi:quakes/origin/\(id)")
      if hasMagnitude { event.element("preferredMagnitudeID", "smi:quakes/magnitude/\(id)") }
      event.element("type", Self.type(of: state))
      for (type, words) in [("earthquake name", Self.name(of: state)), ("felt report", Self.feltReport(of: state))] {
        guard let words else { continue }
        event.element("description") { description in
          description.element("type", type)
          description.element("text", words)
        }
      }
      Self.writeCreation(of: state, to: &event)
      Self.writeOrigin(of: state, id: id, to: &event)
      if hasMagnitude { Self.writeMagnitude(of: state, id: id, to: &event) }
    }
    return text.text
  }

  private static func writeOrigin(of state: QuakeState, id: String, to event: inout MarkupText) {
    var origin = values(of: state, in: .origin)
    switch state.exportedStatus {
    case "reviewed":
      origin.add("manual", at: ["evaluationMode"])
      origin.add("reviewed", at: ["evaluationStatus"])
    case "automatic":
      origin.add("automatic", at: ["evaluationMode"])
      origin.add("preliminary", at: ["evaluationStatus"])
    case "deleted": origin.add("rejected", at: ["evaluationStatus"])
    default: break
    }
    origin.add(state.date(.updated).map { ISO8601.text($0) }, at: ["creationInfo", "creationTime"])
    event.element("origin", [("publicID", "smi:quakes/origin/\(id)")], origin)
  }

  private static func writeMagnitude(of state: QuakeState, id: String, to event: inout MarkupText) {
    var magnitude = values(of: state, in: .magnitude)
    magnitude.add("smi:quakes/origin/\(id)", at: ["originID"])
    event.element("magnitude", [("publicID", "smi:quakes/magnitude/\(id)")], magnitude)
  }

  /// The fields that an element has, where they are known.
  private static func values(of state: QuakeState, in element: QuakeMLPath.Element) -> MarkupTree {
    var tree = MarkupTree()
    for field in StoredField.all {
      guard let path = field.quakeML, path.element == element else { continue }
      switch state[field.field] {
      case .number(let number)?:
        // To a micrometre: more would be the rounding of the multiplication.
        tree.add(NumberText.of(path.isInMeters ? (number * 1e9).rounded() / 1e6 : number), at: path.names)
      case .text(let text)?: tree.add(text, at: path.names)
      case .date(let date)?: tree.add(ISO8601.text(date), at: path.names)
      case nil: continue
      }
    }
    return tree
  }

  private static func writeCreation(of state: QuakeState, to element: inout MarkupText) {
    guard let updated = state.date(.updated) else { return }
    element.element("creationInfo") { info in
      info.element("agencyID", state.text(.network))
      info.element("creationTime", ISO8601.text(updated))
    }
  }

  /// The title if it ends with the place, as the USGS writes it there.
  private static func name(of state: QuakeState) -> String? {
    guard let place = state.text(.place), let title = state.text(.title) else {
      return state.text(.place) ?? state.text(.title)
    }
    return title.hasSuffix(" - \(place)") ? title : place
  }

  /// `3 reports, intensity up to 4.1 MMI`, which `quakes-fetch` reads back.
  private static func feltReport(of state: QuakeState) -> String? {
    let parts = [
      state.integer(.felt).map { "\($0) reports" },
      state.number(.cdi).map { "intensity up to \(NumberText.of($0)) MMI" },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func type(of state: QuakeState) -> String {
    let type = state.text(.type) ?? "earthquake"
    return types.contains(type) ? type : "other event"
  }

  /// Those of the standard.
  private static let types: Set<String> = [
    "not existing", "not reported", "earthquake", "anthropogenic event", "collapse", "cavity collapse", "mine collapse",
    "building collapse", "explosion", "accidental explosion", "chemical explosion", "controlled explosion",
    "experimental explosion", "industrial explosion", "mining explosion", "quarry blast", "road cut", "blasting levee",
    "nuclear explosion", "induced or triggered event", "rock burst", "reservoir loading", "fluid injection",
    "fluid extraction", "crash", "plane crash", "train crash", "boat crash", "other event", "atmospheric event",
    "sonic boom", "sonic blast", "acoustic noise", "thunder", "avalanche", "snow avalanche", "debris avalanche",
    "hydroacoustic event", "ice quake", "slide", "landslide", "rockslide", "meteorite", "volcanic eruption",
  ]
}
