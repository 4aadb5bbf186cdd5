/// A field that documents have, by its name in the USGS summary format, or in the format of the one service that has it.
enum EventField: String, Sendable {
  case alert, cdi, code, coordinates, depth, detail, dmin, felt, gap, id, ids, latitude, longitude, mag, magType, mmi
  case net, nst, place, properties, rms, sig, sources, status, time, title, tsunami, type, types, updated, url
  /// GeoNet's ID, and how good a solution is.
  case publicID, quality
  /// The EMSC's ID, and its type of event.
  case unid, evtype

  /// Its flag among the present fields; empty for fields of every event, and for those that set other fields.
  var presentFields: EventFields {
    switch self {
    case .alert: .alert
    case .cdi: .cdi
    case .code: .code
    case .depth: .depth
    case .detail: .detail
    case .dmin: .dmin
    case .felt: .felt
    case .gap: .gap
    case .ids: .ids
    case .mag: .magnitude
    case .magType: .magnitudeType
    case .mmi: .mmi
    case .net: .network
    case .nst: .nst
    case .place: .place
    case .quality, .status: .status
    case .rms: .rms
    case .sig: .significance
    case .sources: .sources
    case .title: .title
    case .tsunami: .tsunami
    case .type: .type
    case .types: .types
    case .updated: .updated
    case .url: .url
    case .coordinates, .evtype, .id, .latitude, .longitude, .properties, .publicID, .time, .unid: []
    }
  }
}
