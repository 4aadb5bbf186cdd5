import Foundation

/// Formats and parses relative times.
public enum Age {
  /// `just now`, `12 min ago`, `3 h ago`, `2 d ago`; the date itself, `2014-04-15`, if it is more than 60 days ago or
  /// more than five minutes in the future.
  public static func text(of date: Date, at now: Date, style: DisplayStyle = DisplayStyle()) -> String {
    let seconds = now.timeIntervalSince(date)
    switch seconds {
    case -300..<60: return "just now"
    case 60..<3600: return "\(Int(seconds / 60)) min ago"
    case 3600..<86_400: return "\(Int(seconds / 3600)) h ago"
    case 86_400..<60 * 86_400: return "\(Int(seconds / 86_400)) d ago"
    default: return style.day(date)
    }
  }

  /// Parses a length of time as users type it: `15m`, `2 hours`. Seconds; nil for anything else.
  public static func length(_ text: String) -> TimeInterval? {
    TimeLength(text.trimmingCharacters(in: .whitespaces).lowercased())?.seconds
  }

  /// Seconds from `now` to the next full minute, when relative times may change.
  public static func secondsToNextMinute(_ now: Date) -> TimeInterval {
    60 - now.timeIntervalSince1970.truncatingRemainder(dividingBy: 60)
  }
}
