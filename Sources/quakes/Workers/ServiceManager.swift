import Foundation
import StrataQuakes

/// systemd as it runs for the user.
enum ServiceManager {
  /// Where a user's own units are.
  static func unitFolder(_ environment: (String) -> String? = Environment.variable) -> URL {
    Environment.folder("XDG_CONFIG_HOME", default: ".config", environment: environment)
      .appendingPathComponent("systemd/user")
  }

  /// The folders of units for all users, from packages and administrators, in the order of precedence of
  /// systemd.unit(5).
  private static var sharedFolders: [URL] {
    let own = Environment.folder("XDG_DATA_HOME", default: ".local/share").path
    let paths = ["/etc", own, "/usr/local/share", "/usr/share", "/usr/local/lib", "/usr/lib"]
    return paths.map { URL(fileURLWithPath: $0 + "/systemd/user") }
  }

  /// The file that a unit is read from; nil if there is no such unit.
  static func file(of unit: String) -> URL? { file(of: unit, in: [unitFolder()] + sharedFolders) }

  /// The file of a unit that the user does not override.
  static func sharedFile(of unit: String) -> URL? { file(of: unit, in: sharedFolders) }

  private static func file(of unit: String, in folders: [URL]) -> URL? {
    folders.map { $0.appendingPathComponent(unit) }.first { access($0.path, F_OK) == 0 }
  }

  /// The names of the worker's units that there are, wherever they are.
  static var known: [String] { WorkerUnits.names.filter { file(of: $0) != nil } }

  /// Whether systemd runs for this user.
  static var isRunning: Bool { ChildProcess(["systemctl", "--user", "show-environment"], isSilent: true)?.wait() == 0 }

  static func isActive(_ unit: String) -> Bool {
    ChildProcess(["systemctl", "--user", "is-active", unit], isSilent: true)?.wait() == 0
  }

  /// Whether it is started when the user logs in.
  static func isEnabled(_ unit: String) -> Bool {
    ChildProcess(["systemctl", "--user", "is-enabled", unit], isSilent: true)?.wait() == 0
  }

  /// The names of the worker's units in a folder.
  static func installed(in folder: URL) -> [String] {
    WorkerUnits.names.filter {
      access(folder.appendingPathComponent($0).path, F_OK) == 0
    }
  }

  /// Stops and disables units.
  static func disable(_ names: [String]) throws(Failure) {
    for name in names { try run("disable", "--now", name) }
  }

  /// Runs `systemctl --user`, which prints its own errors.
  ///
  /// - Throws: `Failure` if it fails.
  static func run(_ words: String...) throws(Failure) {
    guard let process = ChildProcess(["systemctl", "--user", "--quiet"] + words) else {
      throw Failure(.configuration, "cannot start systemctl: \(Failure.systemError())")
    }
    let status = process.wait()
    guard status == 0 else {
      let command = (["systemctl", "--user"] + words).joined(separator: " ")
      throw Failure(
        .configuration, "\"\(command)\" ended with status \(status); see \"journalctl --user -u quakes-fetch\"")
    }
  }
}
