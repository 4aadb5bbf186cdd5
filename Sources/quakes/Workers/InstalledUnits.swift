import Foundation
import StrataQuakes

/// The units that are installed for a store: the user's own, or else those that came with a package.
struct InstalledUnits {
  /// The unit that starts the worker: the service or the timer.
  var name: String

  /// - Returns: nil if no units are installed, or if they are for another store.
  init?(for location: StoreLocation) {
    guard let service = ServiceManager.file(of: WorkerUnits.serviceName),
      let text = try? String(contentsOf: service, encoding: .utf8)
    else { return nil }
    let store = text.split(separator: "\n").first { $0.hasPrefix(WorkerUnits.storeKey) }
      .map { $0.dropFirst(WorkerUnits.storeKey.count) }
    let isOfStore = store.map {
      URL(fileURLWithPath: String($0)).standardizedFileURL == location.folder.standardizedFileURL
    }
    guard isOfStore ?? location.isUsual else { return nil }
    let isTimed = ServiceManager.file(of: WorkerUnits.timerName) != nil
    name = isTimed ? WorkerUnits.timerName : WorkerUnits.serviceName
  }

  /// The units that `systemctl` can start, stop and show; nil without units or a running systemd.
  static func usable(for location: StoreLocation) -> InstalledUnits? {
    guard let units = InstalledUnits(for: location), ServiceManager.isRunning else { return nil }
    return units
  }
}

extension StoreLocation {
  /// Whether a service finds it without options, since a service has its own environment.
  var isUsual: Bool {
    !isChosen && serverURL == nil
      && ["XDG_DATA_HOME", "STRATA_GROUP_CONTAINERS"].allSatisfy { (Environment.variable($0) ?? "").isEmpty }
  }
}
