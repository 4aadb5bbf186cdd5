import Foundation

/// Reads single environment variables: building a dictionary of all of them takes longer than a query of the store.
public enum Environment {
  /// The value of a variable; nil if it is not set.
  public static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// A folder of the XDG base directory specification, which requires ignoring relative paths.
  ///
  /// - Parameter path: the path in the home folder if the variable is not set.
  public static func folder(
    _ name: String, default path: String, environment: (String) -> String? = Environment.variable
  ) -> URL {
    func absolute(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let folder = absolute(name) ?? (absolute("HOME") ?? NSHomeDirectory()) + "/" + path
    return URL(fileURLWithPath: folder, isDirectory: true)
  }

  /// The name of the locale of texts, as POSIX orders the variables; empty if none is set.
  public static var localeName: String {
    ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? ""
  }

  /// Whether texts are in UTF-8.
  public static var isLocaleUTF8: Bool { localeName.lowercased().filter { $0 != "-" }.contains("utf8") }
}
