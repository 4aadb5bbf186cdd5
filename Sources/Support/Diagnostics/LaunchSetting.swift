import Foundation

/// A setting given as one of Apple's launch arguments or as an environment variable, for programs that reject unknown
/// arguments.
package struct LaunchSetting: Sendable {
  /// nil if neither was given.
  package let value: String?

  /// - Parameters:
  ///   - argument: such as `-com.apple.CoreData.SQLDebug`; the next argument is its value.
  ///   - variable: the environment variable to read if the argument is absent.
  package init(_ argument: String, or variable: String) {
    let arguments = CommandLine.arguments
    let values = zip(arguments, arguments.dropFirst()).filter { $0.0 == argument }.map(\.1)
    // Foundation would build a dictionary of the whole environment.
    value = values.last ?? getenv(variable).map { String(cString: $0) }
  }

  /// Whether the value is true as `UserDefaults` reads it; false if absent.
  package var isOn: Bool { value.map { ($0 as NSString).boolValue } ?? false }

  /// The value as a number; 0 if it is not one, nil if absent.
  package var integer: Int? { value.map { Int($0) ?? 0 } }
}
