import Foundation
import StrataQuakes

/// A small, entirely invented feed in the USGS format, to try the programs without a network. Every place and ID says
/// "sample".
///
/// Each event recurs every day at its own minute (UTC), the older ones some days earlier: the list always has recent
/// events, IDs never change, and a second import finds something new only after one of those minutes.
struct SampleFeed: Sendable {
  var now: Date

  private struct Quake {
    var minuteOfDay: Int
    var daysBefore = 0
    var magnitude: Double?
    var place: String
    var longitude: Double
    var latitude: Double
    var depth: Double?
    var type = "earthquake"
    var felt: Int?
    var alert: String?
    var tsunami = 0

    init(
      _ minuteOfDay: Int, _ magnitude: Double?, _ place: String, _ longitude: Double, _ latitude: Double,
      _ depth: Double?, daysBefore: Int = 0, type: String = "earthquake", felt: Int? = nil, alert: String? = nil,
      tsunami: Int = 0
    ) {
      (self.minuteOfDay, self.daysBefore, self.magnitude, self.place) = (minuteOfDay, daysBefore, magnitude, place)
      (self.longitude, self.latitude, self.depth) = (longitude, latitude, depth)
      (self.type, self.felt, self.alert, self.tsunami) = (type, felt, alert, tsunami)
    }
  }

  private static let quakes = [
    Quake(3, 1.2, "11 km W of Anchorage, Alaska", -150.1, 61.2, 38.4),
    Quake(61, 6.1, "84 km ESE of Neiafu, Tonga", -173.2, -18.9, 34.1, felt: 41, alert: "green", tsunami: 1),
    Quake(104, 0.4, "6 km E of Mammoth Lakes, California", -118.9, 37.6, 4.2),
    Quake(166, 4.5, "127 km NNE of Lae, Papua New Guinea", 147.4, -5.7, 101.3),
    Quake(213, nil, "southern Mid-Atlantic Ridge", -13.9, -31.6, nil),
    Quake(259, 2.7, "5 km S of Pāhala, Hawaii", -155.5, 19.2, 31.9, felt: 12),
    Quake(301, 5.4, "Hindu Kush region, Afghanistan", 70.9, 36.4, 207.5, felt: 88, alert: "green"),
    Quake(352, 1.6, "9 km NE of Rock Springs, Wyoming", -109.1, 41.7, 0, type: "quarry blast"),
    Quake(407, 3.3, "24 km SSW of Guánica, Puerto Rico", -67.0, 17.8, 12.6, felt: 3),
    Quake(455, 4.8, "Kermadec Islands region", -177.8, -30.2, 10),
    Quake(502, -0.3, "2 km WNW of The Geysers, California", -122.8, 38.8, 1.1),
    Quake(548, 5.0, "宮城県沖, Japan", 142.1, 38.2, 44.7, felt: 150, alert: "green"),
    Quake(601, 2.1, "20 km NNE of Hawthorne, Nevada", -118.6, 38.7, 8.9),
    Quake(649, 4.2, "Banda Sea", 129.8, -6.4, 142.8),
    Quake(703, 1.9, "35 km NW of Yakutat, Alaska", -140.2, 59.8, 6.6),
    Quake(752, 3.8, "14 km ENE of L'Aquila, Italy", 13.5, 42.4, 9.4, felt: 320),
    Quake(799, 7.0, "95 km W of Illapel, Chile", -72.2, -31.5, 22.4, felt: 2410, alert: "yellow", tsunami: 1),
    Quake(846, 4.6, "aftershock, 88 km W of Illapel, Chile", -72.1, -31.6, 25.0, felt: 19),
    Quake(897, 2.5, "8 km SE of Prague, Oklahoma", -96.6, 35.4, 5.3, felt: 7),
    Quake(951, 1.1, "18 km SE of Bodie, California", -118.9, 38.1, 3.8),
    Quake(1003, 4.4, "Svalbard and Jan Mayen", 7.6, 77.3, 10),
    Quake(1058, 5.2, "South Sandwich Islands region", -26.5, -57.9, 58.3),
    Quake(1109, 0.9, "4 km W of Cobb, California", -122.7, 38.8, 2.3),
    Quake(1163, 3.0, "41 km NNW of Charlotte Amalie, U.S. Virgin Islands", -65.1, 18.7, 47.2),
    Quake(1215, 2.2, "Mount St. Helens area, Washington", -122.2, 46.2, -1.2, type: "ice quake"),
    Quake(1268, 4.9, "Fiji region", 179.8, -17.9, 561.2),
    Quake(1322, 1.4, "13 km N of Borrego Springs, California", -116.4, 33.4, 12.2),
    Quake(1381, 3.5, "7 km S of Grindavík, Iceland", -22.4, 63.8, 5.0, felt: 64),
    Quake(640, 6.6, "central Türkiye", 37.2, 38.1, 11.8, daysBefore: 2, felt: 980, alert: "orange"),
    Quake(1100, 5.7, "Loyalty Islands", 169.4, -21.8, 19.9, daysBefore: 5, felt: 6, alert: "green", tsunami: 1),
  ]

  /// The feed as a GeoJSON body.
  var text: String {
    var json = JSONText()
    json.object { json in
      json.string("type", "FeatureCollection")
      json.object("metadata") { metadata in
        metadata.integer("generated", CalendarDate.milliseconds(of: newestTime))
        metadata.string("title", "Quakes sample feed: none of this happened")
        metadata.integer("status", 200)
        metadata.integer("count", Self.quakes.count)
      }
      json.array("features") { array in
        for (number, quake) in Self.quakes.enumerated() { append(quake, number: number + 1, to: &array) }
      }
    }
    return json.text
  }

  private var newestTime: Date {
    Self.quakes.map(time).max() ?? now
  }

  /// The quake's latest occurrence.
  private func time(of quake: Quake) -> Date {
    let midnight = CalendarDate(now)
    let today = CalendarDate(year: midnight.year, month: midnight.month, day: midnight.day).instant
    let time = today.addingTimeInterval(Double(quake.minuteOfDay * 60))
    let days = quake.daysBefore + (time > now ? 1 : 0)
    return time.addingTimeInterval(-Double(days) * 86_400)
  }

  private func append(_ quake: Quake, number: Int, to array: inout JSONText) {
    let code = String(number)
    let time = CalendarDate.milliseconds(of: time(of: quake))
    array.object { feature in
      feature.string("type", "Feature")
      feature.object("properties") { properties in
        properties.number("mag", quake.magnitude)
        properties.string("place", "sample: \(quake.place)")
        properties.integer("time", time)
        properties.integer("updated", time)
        properties.integer("felt", quake.felt)
        properties.string("alert", quake.alert)
        properties.string("status", "reviewed")
        properties.integer("tsunami", quake.tsunami)
        properties.integer("sig", quake.magnitude.map { Int(100 * $0 * abs($0) / 6.5) })
        properties.string("net", "sample")
        properties.string("code", code)
        properties.string("ids", ",sample\(code),")
        properties.string("sources", ",sample,")
        properties.string("types", ",origin,")
        properties.string("magType", quake.magnitude == nil ? nil : "mw")
        properties.string("type", quake.type)
      }
      feature.object("geometry") { geometry in
        geometry.string("type", "Point")
        geometry.array("coordinates") { coordinates in
          coordinates.number(quake.longitude)
          coordinates.number(quake.latitude)
          coordinates.number(quake.depth)
        }
      }
      feature.string("id", "sample\(code)")
    }
  }
}
