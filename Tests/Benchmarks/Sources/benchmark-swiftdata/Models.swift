import BenchmarkEvents
import SwiftData

@Model final class Quake {
  #Index<Quake>([\.time], [\.magnitude])
  @Attribute(.unique) var ident: String
  var time: Date
  var updated: Date
  var magnitude: Double
  var latitude: Double
  var longitude: Double
  var depth: Double
  var place: String
  var net: String
  var status: String
  var type: String
  var felt: Int?
  var significance: Int
  var region: Region?

  init(_ event: Event) {
    ident = event.ident
    time = Date(timeIntervalSinceReferenceDate: event.time)
    updated = Date(timeIntervalSinceReferenceDate: event.updated)
    magnitude = event.magnitude
    latitude = event.latitude
    longitude = event.longitude
    depth = event.depth
    place = event.place
    net = event.net
    status = event.status
    type = event.type
    felt = event.felt.map(Int.init)
    significance = Int(event.significance)
  }
}

@Model final class Region {
  var number: Int
  @Relationship(deleteRule: .cascade, inverse: \Quake.region) var quakes: [Quake] = []

  init(number: Int) { self.number = number }
}
