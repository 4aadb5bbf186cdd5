import Foundation

/// The one line of a status bar: `M 6.1 Tonga 12 min ago · 37 today`.
public enum SummaryLine {
  /// - Parameter newest: the newest earthquake that is to be shown; nil if there is none.
  /// - Parameter today: how many there were since midnight, local time.
  public static func text(newest: QuakeFacts?, today: Int, now: Date) -> String {
    guard let newest else { return noQuakes }
    let age = Age.text(of: newest.time, at: now)
    return "M \(newest.magnitudeText) \(newest.placeText) \(age) · \(today) today"
  }

  /// Stands for a store that does not exist yet, or is empty.
  public static let noQuakes = "no quakes yet"
}
