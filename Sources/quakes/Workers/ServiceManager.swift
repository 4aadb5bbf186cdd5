import Foundation
import StrataQuakes

/// systemd as it runs for the user.
enum ServiceManager {
  /// Where a user's own units are.
  static func unitFolder(_ environment: (String) -> String? = Environment.variable) -> URL {
    let chosen = environment("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    return URL(fileURLWithPath: (chosen ?? home + "/.config") + "/systemd/user")
  }

  /// Whether it runs, and can be told.
  static var isRunning: Bool { ChildProcess(["systemctl", "--user", "show-environment"], isSilent: true)?.wait() == 0 }

  static func isActive(_ unit: String) -> Bool {
    ChildProcess(["systemctl", "--user", "is-active", unit], isSilent: true)?.wait() == 0
  }

  /// The names of the worker's units in a folder.
  static func installed(in folder: URL) -> [String] {
    [WorkerUnits.timerName, WorkerUnits.serviceName].filter {
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
        .configuration, "\"\(command)\" ended with status \(status); \"journalctl --user -u quakes-fetch\" may say why")
    }
  }
}

/// The units that are installed for a store.
struct InstalledUnits {
  /// What starts the worker: the service or the timer.
  var name: String

  /// - Returns: nil if there are none, or if they are of another store.
  init?(for location: StoreLocation, in folder: URL = ServiceManager.unitFolder()) {
    let service = folder.appendingPathComponent(WorkerUnits.serviceName)
    guard let text = try? String(contentsOf: service, encoding: .utf8) else { return nil }
    let store = text.split(separator: "\n").first { $0.hasPrefix(WorkerUnits.storeKey) }
      .map { $0.dropFirst(WorkerUnits.storeKey.count) }
    let isOfStore = store.map {
      URL(fileURLWithPath: String($0)).standardizedFileURL == location.folder.standardizedFileURL
    }
    guard isOfStore ?? !location.isChosen else { return nil }
    let isTimed = access(folder.appendingPathComponent(WorkerUnits.timerName).path, F_OK) == 0
    name = isTimed ? WorkerUnits.timerName : WorkerUnits.serviceName
  }

  /// What `systemctl` can start, stop and show; nil if there is nothing, or if systemd does not run.
  static func usable(for location: StoreLocation) -> InstalledUnits? {
    guard let units = InstalledUnits(for: location), ServiceManager.isRunning else { return nil }
    return units
  }
}
