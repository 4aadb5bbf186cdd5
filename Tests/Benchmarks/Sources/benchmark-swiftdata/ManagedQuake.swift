import BenchmarkEvents
import CoreData

private enum Key {
  static let ident = _ManagedKey("ident")
  static let time = _ManagedKey("time")
  static let updated = _ManagedKey("updated")
  static let magnitude = _ManagedKey("magnitude")
  static let latitude = _ManagedKey("latitude")
  static let longitude = _ManagedKey("longitude")
  static let depth = _ManagedKey("depth")
  static let place = _ManagedKey("place")
  static let net = _ManagedKey("net")
  static let status = _ManagedKey("status")
  static let type = _ManagedKey("type")
  static let felt = _ManagedKey("felt")
  static let significance = _ManagedKey("significance")
  static let region = _ManagedKey("region")
}

/// The class as the build plugin generates it for `@NSManaged` properties.
final class ManagedQuake: NSManagedObject {
  var ident: String {
    get { _string(Key.ident) ?? "" }
    set { _setString(newValue, Key.ident) }
  }
  var time: Date {
    get { _date(Key.time) ?? .distantPast }
    set { _setDate(newValue, Key.time) }
  }
  var updated: Date {
    get { _date(Key.updated) ?? .distantPast }
    set { _setDate(newValue, Key.updated) }
  }
  var magnitude: Double {
    get { _double(Key.magnitude) ?? 0 }
    set { _setDouble(newValue, Key.magnitude) }
  }
  var latitude: Double {
    get { _double(Key.latitude) ?? 0 }
    set { _setDouble(newValue, Key.latitude) }
  }
  var longitude: Double {
    get { _double(Key.longitude) ?? 0 }
    set { _setDouble(newValue, Key.longitude) }
  }
  var depth: Double {
    get { _double(Key.depth) ?? 0 }
    set { _setDouble(newValue, Key.depth) }
  }
  var place: String {
    get { _string(Key.place) ?? "" }
    set { _setString(newValue, Key.place) }
  }
  var net: String {
    get { _string(Key.net) ?? "" }
    set { _setString(newValue, Key.net) }
  }
  var status: String {
    get { _string(Key.status) ?? "" }
    set { _setString(newValue, Key.status) }
  }
  var type: String {
    get { _string(Key.type) ?? "" }
    set { _setString(newValue, Key.type) }
  }
  var felt: Int64? {
    get { _integer(Key.felt) }
    set { _setInteger(newValue, Key.felt) }
  }
  var significance: Int64 {
    get { _integer(Key.significance) ?? 0 }
    set { _setInteger(newValue, Key.significance) }
  }
  var region: NSManagedObject? {
    get { _object(Key.region) }
    set { _setObject(newValue, Key.region) }
  }

  func apply(_ event: Event) {
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
    felt = event.felt
    significance = event.significance
  }
}
