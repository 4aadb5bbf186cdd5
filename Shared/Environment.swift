import Foundation

/// Reads single environment variables: building a dictionary of all of them takes longer than a query of the store.
public enum Environment {
  /// The value of a variable; nil if it is not set.
  public static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// A folder of the XDG base directory specification, which says to ignore relative paths.
  ///
  /// - Parameter usual: where it is in the home folder if the variable says nothing.
  public static func folder(
    _ name: String, usual: String, environment: (String) -> String? = Environment.variable
  ) -> URL {
    func absolute(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let path = absolute(name) ?? (absolute("HOME") ?? NSHomeDirectory()) + "/" + usual
    return URL(fileURLWithPath: path, isDirectory: true)
  }

  /// The name of the locale of texts, as POSIX orders the variables; empty if none says it.
  public static var localeName: String {
    ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? ""
  }

  /// Whether texts are in UTF-8.
  public static var isLocaleUTF8: Bool { localeName.lowercased().filter { $0 != "-" }.contains("utf8") }
}
