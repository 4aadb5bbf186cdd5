import Foundation
import Synchronization

/// Writes warnings and `SQLDebug` output to standard error.
///
/// `-com.apple.CoreData.Logging.stderr 0`, or `COREDATA_LOGGING_STDERR=0` in the environment, silences warnings and
/// nothing else.
package enum Diagnostics {
  private static let isOn =
    LaunchSetting("-com.apple.CoreData.Logging.stderr", or: "COREDATA_LOGGING_STDERR").integer != 0
  private static let printed = Mutex<Set<String>>([])

  /// Warns of a problem that does not stop the program, in the format of Apple's framework.
  package static func warn(_ text: String) {
    if isOn { write("CoreData: warning: \(text)") }
  }

  /// Like `warn`, but once per text in the life of the process.
  package static func warnOnce(_ text: String) {
    if printed.withLock({ $0.insert(text).inserted }) { warn(text) }
  }

  /// Reports why a call that cannot throw returned nil.
  package static func report(_ text: String) {
    if isOn { write("CoreData: \(text)") }
  }

  /// Writes a whole line in one call, so that lines of several threads do not interleave.
  package static func write(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}
