import Foundation

/// The property of an earthquake that keeps a field's value.
///
/// Key-value coding would look up each key and cast its value, which takes as long as all else that an export does.
public enum QuakeAccessor: Sendable {
  case number(@Sendable (Quake) -> NSNumber?, @Sendable (Quake, NSNumber?) -> Void)
  /// A number that is always known.
  case scalar(@Sendable (Quake) -> Double, @Sendable (Quake, Double) -> Void)
  case text(@Sendable (Quake) -> String?, @Sendable (Quake, String?) -> Void)
  case date(@Sendable (Quake) -> Date?, @Sendable (Quake, Date?) -> Void)

  public func value(of quake: Quake) -> QuakeState.Value? {
    switch self {
    case .number(let get, _): get(quake).map { .number($0.doubleValue) }
    case .scalar(let get, _): .number(get(quake))
    case .text(let get, _): get(quake).map { .text($0) }
    case .date(let get, _): get(quake).map { .date($0) }
    }
  }

  /// A value of another type is taken as unknown.
  public func set(_ value: QuakeState.Value?, of quake: Quake) {
    switch (self, value) {
    case (.number(_, let set), .number(let number)?): set(quake, number as NSNumber)
    case (.number(_, let set), _): set(quake, nil)
    case (.scalar(_, let set), .number(let number)?): set(quake, number)
    case (.scalar(_, let set), _): set(quake, 0)
    case (.text(_, let set), .text(let text)?): set(quake, text)
    case (.text(_, let set), _): set(quake, nil)
    case (.date(_, let set), .date(let date)?): set(quake, date)
    case (.date(_, let set), _): set(quake, nil)
    }
  }
}
