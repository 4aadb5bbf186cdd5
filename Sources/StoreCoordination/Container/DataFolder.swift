import Foundation
import StrataSupport

/// Where a user's programs keep their data.
package enum DataFolder {
  /// `$XDG_DATA_HOME`, else `$HOME/.local/share`, else the same in the home folder that the password file names; nil if
  /// there is none.
  ///
  /// A relative path is ignored, as the specification demands
  /// (https://specifications.freedesktop.org/basedir-spec/latest/). Foundation asks the password file first, so a
  /// program with another `HOME` would write next to the real one.
  package static func ofUser(environment: (String) -> String? = variable) -> String? {
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") { return data.withoutLastSlash }
    let home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? homeOfUser()
    return home.map { $0.withoutLastSlash + "/.local/share" }
  }

  /// The folder of one program inside it, like a program's folder in Application Support on macOS.
  package static func ofProgram(
    _ name: String = programName(), environment: (String) -> String? = variable
  ) -> String {
    guard let user = ofUser(environment: environment) else {
      Diagnostics.warnOnce(
        "no home folder is known for user \(geteuid()), so there is no place for its stores; set HOME or XDG_DATA_HOME")
      // This folder cannot be written, so opening a store reports the problem; in a temporary folder the data would silently be
      // lost.
      return "/var/empty/.local/share/" + name
    }
    return user + "/" + name
  }

  /// The file name of the program. Links are followed, so that a program has one folder whatever name it is started by;
  /// `argv[0]` would be the caller's choice.
  package static func programName(
    file: String? = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  ) -> String {
    guard var file else { return ProcessInfo.processInfo.processName }
    // The kernel appends this when a running program's file is replaced.
    if file.hasSuffix(" (deleted)"), access(file, F_OK) != 0 { file.removeLast(" (deleted)".count) }
    return (file as NSString).lastPathComponent
  }

  package static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func homeOfUser() -> String? {
    guard let user = getpwuid(geteuid()), let home = user.pointee.pw_dir else { return nil }
    let path = String(cString: home)
    return path.hasPrefix("/") ? path : nil
  }
}

extension String {
  fileprivate var withoutLastSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
