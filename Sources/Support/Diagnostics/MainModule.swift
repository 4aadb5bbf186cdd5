import Foundation

/// The module of the program's main file.
package enum MainModule {
  /// The program's name, with underscores for characters that Swift does not allow.
  package static let name = String(
    ProcessInfo.processInfo.processName.map { $0.isLetter || $0.isNumber ? $0 : "_" })
}
