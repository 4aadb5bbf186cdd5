import Foundation

/// Prints the SQL of every store to standard error, in the format of Apple's framework.
///
/// Enabled with the argument `-com.apple.CoreData.SQLDebug LEVEL` or with `COREDATA_SQL_DEBUG=LEVEL` in the
/// environment.
/// Each level includes those below it. Free when off: connections are not traced.
package enum SQLDebug {
  package enum Level: Int, Comparable, Sendable {
    case off = 0
    /// Statements, their durations and row counts.
    case statements
    /// Bound values.
    case bindings
    /// Rows.
    case rows
    /// Query plans. See https://sqlite.org/eqp.html
    case plans

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  package static let level: Level = {
    let asked = LaunchSetting("-com.apple.CoreData.SQLDebug", or: "COREDATA_SQL_DEBUG").integer ?? 0
    return Level(rawValue: max(0, min(asked, Level.plans.rawValue))) ?? .off
  }()

  /// Whether anything is to be shown.
  package static let isOn = level > .off

  private static let key = "StrataContextName"

  /// The name of the context that uses a store on the calling thread, or its address if unnamed.
  package static var contextName: String? {
    get { Thread.current.threadDictionary[key] as? String }
    set { Thread.current.threadDictionary[key] = newValue }
  }
}
