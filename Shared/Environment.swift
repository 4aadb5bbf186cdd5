import Foundation

/// The variables of the process's environment, one at a time: all of them as a dictionary take longer than a look into the
/// store.
public enum Environment {
  /// The value of a variable; nil if it is not set.
  public static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
