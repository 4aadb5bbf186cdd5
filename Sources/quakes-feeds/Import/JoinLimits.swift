import Foundation
import StrataQuakes

/// When reports of two agencies are the same earthquake: within a time and a distance, the nearest first.
///
/// The usual limits are those with which the USGS associates its own sources: 16 s and 100 km.
public struct JoinLimits: Equatable, Sendable {
  /// 0 to join nothing.
  public var seconds: Double
  /// 0 to join nothing.
  public var kilometers: Double

  /// Limits; the usual ones without arguments.
  public init(seconds: Double = 16, kilometers: Double = 100) {
    (self.seconds, self.kilometers) = (seconds, kilometers)
  }

  var joinsNothing: Bool { seconds <= 0 || kilometers <= 0 }
}

/// An earthquake's place in time and space, and who reports it.
struct ReportOrigin: Equatable, Sendable {
  var identifier: String
  var service: String
  var time: Date
  var latitude: Double
  var longitude: Double
  /// Seconds after `time` in which the earthquake may have begun: the service rounds times down.
  var timeSpan: TimeInterval = 0
}

extension ReportOrigin {
  /// The largest span of a service.
  static let maximumTimeSpan: TimeInterval = 60

  /// The JMA writes hours and minutes.
  static func timeSpan(of service: String) -> TimeInterval { service == "jma" ? maximumTimeSpan : 0 }
}

extension JoinLimits {
  /// How far apart two reports are: a text for people, and a number below or at 1 within the limits, in each of time and
  /// space. nil beyond them.
  func separation(_ first: ReportOrigin, _ second: ReportOrigin) -> (text: String, size: Double)? {
    guard !joinsNothing else { return nil }
    let difference = second.time.timeIntervalSince(first.time)
    let time = max(0, difference - first.timeSpan, -difference - second.timeSpan)
    guard time <= seconds else { return nil }
    let distance = GreatCircle.kilometers(
      from: (first.latitude, first.longitude), to: (second.latitude, second.longitude))
    guard distance <= kilometers else { return nil }
    let text = "\(DecimalText.oneDigit(time)) s and \(DecimalText.whole(distance)) km from \(second.identifier)"
    return (text, (time / seconds * time / seconds + distance / kilometers * distance / kilometers).squareRoot())
  }
}
