import StrataSupport

/// Stops the program when a fault cannot be read, as Apple's framework does by an exception.
///
/// Enabled by the argument `-com.apple.CoreData.StrictFaults 1`, or by `COREDATA_STRICT_FAULTS=1` in the environment,
/// for programs that parse their arguments strictly.
enum StrictFaults {
  static let argument = "-com.apple.CoreData.StrictFaults"
  static let variable = "COREDATA_STRICT_FAULTS"

  static let isOn = LaunchSetting(argument, or: variable).isOn
}
