import Foundation
import StrataQuakes

/// One event of a feed, with the fields of the USGS summary format:
/// https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson.php
struct ParsedEvent: Equatable, Sendable {
  /// The values that the document has for this event. nil means null or absent: an unknown magnitude is not 0.
  var state = QuakeState()
  /// The fields that the document has for this event, null or not, besides those of every event. A format without a
  /// field does not change it.
  var presentFields: QuakeFieldSet = []

  /// Whether the document tells a field's value.
  func has(_ field: QuakeField) -> Bool {
    presentFields.contains(field) || QuakeField.ofEveryEvent.contains(field)
  }
}

/// The fields that decide what an event is.
extension ParsedEvent {
  /// Network and code: the ID that the service currently prefers; it may change.
  var identifier: String {
    get { state.text(.identifier) ?? "" }
    set { state[.identifier] = .text(newValue) }
  }

  /// Origin time.
  var time: Date {
    get { state.date(.time) ?? Date(timeIntervalSince1970: 0) }
    set { state[.time] = .date(newValue) }
  }

  /// When the service last changed the event; it may change a place without this.
  var updated: Date? {
    get { state.date(.updated) }
    set { state[.updated] = newValue.map { .date($0) } }
  }

  var network: String? { state.text(.network) }

  /// Unique only within its network.
  var code: String? { state.text(.code) }

  /// `,a,b,`: all IDs that the event has had, in no particular order.
  var ids: String? { state.text(.ids) }
}

extension ParsedEvent {
  /// Whether the service reports that the event did not happen.
  var isDeleted: Bool { state.text(.status) == "deleted" }

  /// The weight in the limit on objects in memory: 1, and more for long texts and many IDs.
  var weight: Int {
    let size = StoredField.all.reduce(0) { $0 + (state.text($1.field)?.utf8.count ?? 0) }
    return 1 + size / 1024 + (ids?.utf8.count { $0 == UInt8(ascii: ",") } ?? 0) / 8
  }

  /// The IDs besides the event's own.
  var otherIDs: [String] {
    guard let ids, ids.utf8.count > identifier.utf8.count + 2 else { return [] }
    return ids.split(separator: ",").map(String.init).filter { $0 != identifier }
  }
}

extension ParsedEvent {
  /// A code for an event without one, `20160712130425560_-27947_-176505`: the time in milliseconds, and the place in
  /// thousandths of a degree. nil without one of them.
  var derivedCode: String? {
    guard let time = state.date(.time), let latitude = state.number(.latitude), let longitude = state.number(.longitude)
    else { return nil }
    let place = [latitude, longitude].map { String(Int(($0 * 1000).rounded())) }
    return ([CompactTime.text(time)] + place).joined(separator: "_")
  }
}
