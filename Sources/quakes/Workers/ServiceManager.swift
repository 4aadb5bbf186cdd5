import Foundation
import StrataQuakes

/// systemd as it runs for the user.
enum ServiceManager {
  /// Where a user's own units are.
  static func unitFolder(_ environment: (String) -> String? = Environment.variable) -> URL {
    Environment.folder("XDG_CONFIG_HOME", usual: ".config", environment: environment)
      .appendingPathComponent("systemd/user")
  }

  /// Where a package, and whoever installs for all users, puts units for them, as systemd.unit(5) has it: the first counts
  /// most.
  private static var sharedFolders: [URL] {
    let own = Environment.folder("XDG_DATA_HOME", usual: ".local/share").path
    let paths = ["/etc", own, "/usr/local/share", "/usr/share", "/usr/local/lib", "/usr/lib"]
    return paths.map { URL(fileURLWithPath: $0 + "/systemd/user") }
  }

  /// The file that a unit is read from; nil if there is no such unit.
  static func file(of unit: String) -> URL? { file(of: unit, in: [unitFolder()] + sharedFolders) }

  /// The file that a unit is read from if the user has none of that name.
  static func sharedFile(of unit: String) -> URL? { file(of: unit, in: sharedFolders) }

  private static func file(of unit: String, in folders: [URL]) -> URL? {
    folders.map { $0.appendingPathComponent(unit) }.first { access($0.path, F_OK) == 0 }
  }

  /// The names of the worker's units that there are, wherever they are.
  static var known: [String] { WorkerUnits.names.filter { file(of: $0) != nil } }

  /// Whether it runs, and can be told.
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

  /// Stops units, and has them started no more.
  static func disable(_ names: [String]) throws(Failure) {
    for name in names { try tell("disable", "--now", name) }
  }

  /// - Throws: `Failure` if it does not do so; it says why itself.
  static func tell(_ words: String...) throws(Failure) {
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
