import Foundation
import Synchronization

/// The one way to standard error: warnings, and what `SQLDebug` shows.
///
/// `-com.apple.CoreData.Logging.stderr 0`, or `COREDATA_LOGGING_STDERR=0` in the environment, keeps warnings away from
/// there; nothing else is turned off by it.
package enum Diagnostics {
  private static let isOn =
    LaunchSetting("-com.apple.CoreData.Logging.stderr", or: "COREDATA_LOGGING_STDERR").integer != 0
  private static let told = Mutex<Set<String>>([])

  /// Tells what a program should know that goes on all the same, in the form of Apple's framework.
  package static func warn(_ text: String) {
    if isOn { write("CoreData: warning: \(text)") }
  }

  /// Warns once in the life of the process, however often it is called with a text.
  package static func warnOnce(_ text: String) {
    if told.withLock({ $0.insert(text).inserted }) { warn(text) }
  }

  /// Tells why a call that cannot throw returned nil.
  package static func report(_ text: String) {
    if isOn { write("CoreData: \(text)") }
  }

  /// Writes a line whole, so that the lines of several threads do not mix.
  package static func write(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}
