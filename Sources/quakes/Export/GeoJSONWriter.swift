import Foundation
import StrataQuakes

/// GeoJSON as the summary feeds of the USGS have it: https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson.php
struct GeoJSONWriter: EventWriter {
  /// The least and the greatest longitude, latitude and depth so far.
  private var bounds: [ClosedRange<Double>] = []

  var separator: String { ",\n" }

  mutating func head(count: Int, at time: Date) -> String {
    var metadata = JSONText()
    metadata.object { json in
      json.integer("generated", CalendarDate.milliseconds(of: time))
      json.string("title", "Quakes export")
      json.integer("status", 200)
      json.integer("count", count)
    }
    return #"{"type":"FeatureCollection","metadata":\#(metadata.text),"features":["# + "\n"
  }

  mutating func event(_ state: QuakeState, of service: String?) -> String {
    let position = [state.number(.longitude) ?? 0, state.number(.latitude) ?? 0, state.number(.depth)]
    extend(to: position.map { $0 ?? 0 })
    var text = JSONText()
    text.object { feature in
      feature.string("type", "Feature")
      feature.object("properties") { properties in
        Self.write(state, to: &properties)
        if !state.isOfUSGS(service) { Self.writeOwnID(state, to: &properties) }
      }
      feature.object("geometry") { geometry in
        geometry.string("type", "Point")
        geometry.array("coordinates") { array in for coordinate in position { array.number(coordinate) } }
      }
      feature.string("id", state.text(.identifier))
    }
    return text.text
  }

  /// The fields among the properties; the others are a part of the geometry, or of the feature itself.
  private static let properties = StoredField.all.filter {
    ![.identifier, .longitude, .latitude, .depth].contains($0.field)
  }

  private static func write(_ state: QuakeState, to json: inout JSONText) {
    json.string("tz", nil)
    for property in properties {
      guard let name = property.usgs?.name else { continue }
      // Readers of the summary format do not expect others.
      if property.usgs?.isInSummary == false, state[property.field] == nil { continue }
      switch state.exported(property.field) {
      case .number(let number)?: json.number(name, number)
      case .text(let text)?: json.string(name, text)
      case .date(let date)?: json.integer(name, CalendarDate.milliseconds(of: date))
      case nil: json.string(name, nil)
      }
    }
  }

  /// These extra members identify events that do not come from the USGS.
  private static func writeOwnID(_ state: QuakeState, to json: inout JSONText) {
    switch state.text(.network) {
    case "emsc":
      json.string("unid", state.text(.code))
      // The third coordinate of the EMSC is height.
      json.number("depth", state.number(.depth))
    case "geonet": json.string("publicID", state.text(.code))
    default: break
    }
  }

  private mutating func extend(to position: [Double]) {
    bounds =
      bounds.isEmpty
      ? position.map { $0...$0 }
      : zip(bounds, position).map { min($0.lowerBound, $1)...max($0.upperBound, $1) }
  }

  /// A box without an extent is left out.
  mutating func tail() -> String {
    guard bounds.contains(where: { $0.lowerBound < $0.upperBound }) else { return "\n]}\n" }
    var box = JSONText()
    box.array { array in for number in bounds.map(\.lowerBound) + bounds.map(\.upperBound) { array.number(number) } }
    return "\n],\"bbox\":\(box.text)}\n"
  }
}
