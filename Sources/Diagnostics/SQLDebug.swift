import Foundation

/// Shows the SQL of every store on standard error, in the form of Apple's framework.
///
/// On with the argument `-com.apple.CoreData.SQLDebug LEVEL` or with `COREDATA_SQL_DEBUG=LEVEL` in the environment. Each
/// level adds to the one below. Off, it costs nothing: connections are not traced.
package enum SQLDebug {
  package enum Level: Int, Comparable, Sendable {
    case off = 0
    /// Statements, how long they took, and how many rows they found.
    case statements
    /// What was bound.
    case bindings
    /// The rows.
    case rows
    /// How SQLite finds the rows. See https://sqlite.org/eqp.html
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

  /// The name of the context that asks a store on the calling thread, or its address if it has none.
  package static var contextName: String? {
    get { Thread.current.threadDictionary[key] as? String }
    set { Thread.current.threadDictionary[key] = newValue }
  }
}
