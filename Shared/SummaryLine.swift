import Foundation

/// The line for a status bar: `M 6.1 Tonga 12 min ago · 37 today`.
public enum SummaryLine {
  /// - Parameters:
  ///   - newest: the newest matching earthquake; nil if there is none.
  ///   - today: the number since midnight, local time.
  public static func text(newest: QuakeFacts?, today: Int, now: Date) -> String {
    guard let newest else { return noQuakes }
    let age = Age.text(of: newest.time, at: now)
    return "M \(newest.magnitudeText) \(newest.placeText) \(age) · \(today) today"
  }

  /// Shown if the store is empty or does not exist yet.
  public static let noQuakes = "no quakes yet"
}
