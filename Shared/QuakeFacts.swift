import Foundation

/// An earthquake's stored values: a Sendable value that outlives its context.
public struct QuakeFacts: Equatable, Sendable {
  public var identifier = ""
  public var magnitude: Double?
  public var magnitudeType: String?
  public var place: String?
  public var time = Date(timeIntervalSince1970: 0)
  public var updated: Date?
  public var longitude = 0.0
  public var latitude = 0.0
  /// Kilometers.
  public var depth: Double?
  public var url: String?
  public var felt: Int?
  public var cdi: Double?
  public var mmi: Double?
  public var alert: String?
  public var status: String?
  public var tsunami: Int?
  public var significance: Int?
  public var network: String?
  public var type = "earthquake"
  public var title: String?
  /// All IDs that the event has had.
  public var aliases: [String] = []
  /// nil if no city is near, or if the cities' names were not available.
  public var nearestCity: NearestCity?
  /// The name of the Flinn–Engdahl region; nil if it was not looked up.
  public var region: String?
  /// Kilometers from the point that was asked for; nil if none was.
  public var distance: Double?
  public var standing = Standing.live
  public var standingReason: String?
  /// The user's marks; nil if they were not read.
  public var mark: QuakeMark?

  public init() {}
}

extension QuakeFacts {
  /// `6.1`, `-0.4`, or `?` if unknown. Rounds half away from zero, as the service's own titles do.
  public var magnitudeText: String {
    magnitude.map { DecimalText.oneDigit($0) } ?? "?"
  }

  /// The magnitude's class, from `micro` to `great`; nil if unknown.
  /// https://www.mtu.edu/geo/community/seismology/learn/earthquake-measure/magnitude/
  public var magnitudeClass: String? {
    guard let magnitude else { return nil }
    switch magnitude {
    case ..<2.5: return "micro"
    case ..<4: return "minor"
    case ..<5: return "light"
    case ..<6: return "moderate"
    case ..<7: return "strong"
    case ..<8: return "major"
    default: return "great"
    }
  }

  /// The place, followed by what matters most: an event type other than earthquake, an alert.
  public var placeText: String {
    var text = place ?? title ?? "place unknown"
    if standing != .live { text += " [\(standing)]" }
    if type != "earthquake" { text += " (\(type))" }
    if let alert, alert != "green" { text += " [\(alert) alert]" }
    return Terminal.printable(text)
  }
}

/// Formats numbers for people.
public enum DecimalText {
  /// One decimal.
  public static func oneDigit(_ value: Double) -> String {
    guard abs(value) < 1e15 else { return String(value) }
    let tenths = Int((value * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }

  public static func whole(_ value: Double) -> String {
    guard abs(value) < 1e15 else { return String(value) }
    return String(Int(value.rounded()))
  }
}
