import Foundation
import StrataQuakes

/// The addresses of an FDSN event service: https://www.fdsn.org/webservices/fdsnws-event-1.2.pdf
public struct EventService: Equatable, Sendable {
  enum Format: String, Codable, Sendable {
    case geojson, text
  }

  /// The service of the USGS.
  public static let defaultURL = "https://earthquake.usgs.gov/fdsnws/event/1"

  /// Up to the version, such as `defaultURL`.
  var base: String
  var minimumMagnitude: Double?

  /// A service, with a lower limit for the magnitude of events.
  ///
  /// - Parameter base: the URL up to the version, such as `defaultURL`.
  public init(base: String, minimumMagnitude: Double? = nil) {
    (self.base, self.minimumMagnitude) = (base, minimumMagnitude)
  }

  /// `count` is not in the standard, but the USGS and others have it.
  func countURL(_ part: BackfillPlan.Part) -> String { url("count", part, []) }

  func queryURL(_ part: BackfillPlan.Part, format: Format, limit: Int) -> String {
    url("query", part, [("format", format.rawValue), ("orderby", "time-asc"), ("limit", "\(limit)")])
  }

  /// One event, by any of its IDs.
  func eventURL(_ identifier: String) -> String {
    let id = identifier.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? identifier
    return "\(base)\(base.hasSuffix("/") ? "" : "/")query?eventid=\(id)&format=geojson"
  }

  private func url(_ method: String, _ part: BackfillPlan.Part, _ others: [(String, String)]) -> String {
    var items = [("starttime", Self.text(part.start)), ("endtime", Self.text(part.end))]
    if let minimumMagnitude { items.append(("minmagnitude", "\(minimumMagnitude)")) }
    let query = (items + others).map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    return "\(base)\(base.hasSuffix("/") ? "" : "/")\(method)?\(query)"
  }

  /// UTC without a zone, as in the standard.
  private static func text(_ date: Date) -> String { String(ISO8601.text(date).dropLast()) }
}
