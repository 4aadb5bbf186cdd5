import StrataQuakes

/// A field that documents have.
enum EventField: Equatable, Sendable {
  case stored(QuakeField)
  case coordinates, properties
  /// GeoNet's ID, and how good a solution is.
  case publicID, quality
  /// The EMSC's ID, and its type of event.
  case unid, evtype

  /// As messages write it: its name in the summary format of the USGS, or in the format of the one service that has it.
  var name: String {
    if case .stored(let field) = self { field.stored.usgs?.name ?? field.name } else { "\(self)" }
  }
}

extension QuakeField {
  /// The fields of every event, which are not among the present ones.
  static let ofEveryEvent: QuakeFieldSet = [.identifier, .time, .longitude, .latitude]
}
