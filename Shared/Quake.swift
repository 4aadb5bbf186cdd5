import CoreData
import Foundation

/// A stored earthquake, with the fields of the USGS summary format.
///
/// Numbers that may be unknown are `NSNumber?`: nil is not 0.
public class Quake: NSManagedObject {
  @NSManaged public var identifier: String?
  @NSManaged public var magnitude: NSNumber?
  @NSManaged public var magnitudeType: String?
  @NSManaged public var place: String?
  @NSManaged public var time: Date?
  @NSManaged public var updated: Date?
  @NSManaged public var longitude: Double
  @NSManaged public var latitude: Double
  @NSManaged public var depth: NSNumber?
  @NSManaged public var url: String?
  @NSManaged public var detail: String?
  @NSManaged public var felt: NSNumber?
  @NSManaged public var cdi: NSNumber?
  @NSManaged public var mmi: NSNumber?
  /// The largest of the ShakeMap, in multiples of the acceleration of gravity.
  @NSManaged public var peakAcceleration: NSNumber?
  /// The largest of the ShakeMap, in centimeters per second.
  @NSManaged public var peakVelocity: NSNumber?
  @NSManaged public var alert: String?
  @NSManaged public var status: String?
  @NSManaged public var tsunami: NSNumber?
  @NSManaged public var significance: NSNumber?
  @NSManaged public var network: String?
  @NSManaged public var code: String?
  @NSManaged public var ids: String?
  @NSManaged public var sources: String?
  /// The types of the products that the USGS has of it: `,dyfi,shakemap,`.
  @NSManaged public var types: String?
  @NSManaged public var nst: NSNumber?
  @NSManaged public var dmin: NSNumber?
  @NSManaged public var rms: NSNumber?
  @NSManaged public var gap: NSNumber?
  @NSManaged public var type: String?
  @NSManaged public var title: String?
  /// Kilometers.
  @NSManaged public var horizontalError: NSNumber?
  /// Kilometers.
  @NSManaged public var depthError: NSNumber?
  @NSManaged public var magnitudeError: NSNumber?
  @NSManaged public var magnitudeStations: NSNumber?
  @NSManaged public var locationSource: String?
  @NSManaged public var magnitudeSource: String?
  /// The nearest city within 1000 km, in the Reference store; nil if no city or no store was found.
  @NSManaged public var cityID: NSNumber?
  /// Kilometers.
  @NSManaged public var cityDistance: NSNumber?
  /// The direction from the city to the epicenter: degrees clockwise from north.
  @NSManaged public var cityBearing: NSNumber?
  /// At most one; needs the Reference store in the coordinator.
  @NSManaged public var nearestCity: [City]
  /// The reporting service: `usgs`, `emsc`, …
  @NSManaged public var service: String?
  /// The time of the service's first report of the current state.
  @NSManaged public var said: Date?
  /// The time of the service's first report of the earthquake.
  @NSManaged public var firstSaid: Date?
  /// When the current state was imported.
  @NSManaged public var learnt: Date?
  /// When the first state was imported: the time at which the earthquake appeared in this store.
  @NSManaged public var firstSeen: Date?
  /// The raw value of a `Standing`.
  @NSManaged public var standing: Int16
  /// Why it is not live.
  @NSManaged public var standingReason: String?
  /// The earthquake that this one was merged into or joined to.
  @NSManaged public var main: Quake?
  @NSManaged public var reports: Set<Quake>
  @NSManaged public var aliases: Set<Alias>
  @NSManaged public var revisions: Set<Revision>
}

extension Quake {
  /// Everything that readers show, as a value.
  public var facts: QuakeFacts { QuakeFacts(state(of: StoredField.facts)) }
}
