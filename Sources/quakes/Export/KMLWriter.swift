import Foundation
import StrataQuakes

/// KML 2.2 for maps: https://www.ogc.org/standard/kml/
struct KMLWriter: EventWriter {
  /// Independent of the user's settings, as in all documents.
  private static let style = DisplayStyle(zone: .universal)

  mutating func head(count: Int, at time: Date) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2">
     <Document>
      <name>Earthquakes known at \(ISO8601.text(time))</name>

    """
  }

  mutating func tail() -> String { " </Document>\n</kml>\n" }

  mutating func event(_ state: QuakeState, of service: String?) -> String {
    let facts = state.facts
    var text = MarkupText(depth: 2)
    text.element("Placemark") { placemark in
      placemark.element("name", "M \(facts.magnitudeText) - \(facts.placeText)")
      placemark.element("description", "\(ISO8601.text(facts.time)), depth \(Self.style.depth(of: facts))")
      placemark.element("TimeStamp") { $0.element("when", ISO8601.text(facts.time)) }
      placemark.element("ExtendedData") { data in
        for (name, value) in [
          ("id", facts.identifier), ("magnitude", NumberText.of(facts.magnitude)),
          ("depth_km", NumberText.of(facts.depth)), ("type", facts.type), ("url", facts.url ?? ""),
        ] where !value.isEmpty {
          data.element("Data", [("name", name)]) { $0.element("value", value) }
        }
      }
      // On the ground: maps do not show what is below.
      placemark.element("Point") { $0.element("coordinates", "\(facts.longitude),\(facts.latitude)") }
    }
    return text.text
  }
}
