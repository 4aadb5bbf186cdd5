import Foundation

/// Reads single environment variables: building a dictionary of all of them takes longer than a query of the store.
public enum Environment {
  /// The value of a variable; nil if it is not set.
  public static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
