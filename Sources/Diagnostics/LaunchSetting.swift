import Foundation

/// What a user asked for with an argument of Apple's framework, or with a variable of the environment: programs that read
/// their arguments strictly refuse the first.
package struct LaunchSetting: Sendable {
  /// The value; nil if nothing was asked for.
  package let value: String?

  /// - Parameters:
  ///   - argument: such as `-com.apple.CoreData.SQLDebug`; the argument after it is the value.
  ///   - variable: is read if the argument is not there.
  package init(_ argument: String, or variable: String) {
    let arguments = CommandLine.arguments
    let values = zip(arguments, arguments.dropFirst()).filter { $0.0 == argument }.map(\.1)
    // Foundation would make a dictionary of all variables.
    value = values.last ?? getenv(variable).map { String(cString: $0) }
  }

  /// Whether the value is a yes, as `UserDefaults` reads one; false without a value.
  package var isOn: Bool { value.map { ($0 as NSString).boolValue } ?? false }

  /// The value as a number; 0 if it is none, nil without a value.
  package var integer: Int? { value.map { Int($0) ?? 0 } }
}
