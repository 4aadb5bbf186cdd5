import Foundation
import StrataQuakes

/// The units by which systemd runs the worker for a user: a service that stays, or a timer that starts one now and then.
struct WorkerUnits {
  struct Unit {
    var name: String
    var text: String
  }

  /// Whether a timer fetches every five minutes, instead of a worker that stays.
  var isTimed: Bool
  /// The worker's path.
  var program: String
  /// The store's folder; nil for the default.
  var store: String?
  /// The settings file; nil for the default.
  var config: String?
  /// The worker's other arguments.
  var arguments: [String]

  static let serviceName = "quakes-fetch.service"
  static let timerName = "quakes-fetch.timer"
  /// In the order in which they are stopped: a timer would start its service again.
  static let names = [timerName, serviceName]
  /// systemd takes no notice of keys that begin with X.
  static let storeKey = "X-Quakes-Store="

  /// The unit that is enabled and started.
  var mainName: String { isTimed ? Self.timerName : Self.serviceName }

  var units: [Unit] {
    isTimed
      ? [Unit(name: Self.serviceName, text: timedService), Unit(name: Self.timerName, text: timer)]
      : [Unit(name: Self.serviceName, text: service)]
  }

  private var service: String {
    """
    \(head)
    [Service]
    Type=notify
    NotifyAccess=main
    ExecStart=\(command(["--daemon"]))
    ExecReload=/bin/sh -c "kill -HUP ${MAINPID}"
    WatchdogSec=5min
    Restart=on-failure
    RestartSec=30
    # Wrong usage and mistakes in the settings stay as they are.
    RestartPreventExitStatus=2 78
    \(hardening)

    [Install]
    WantedBy=default.target

    """
  }

  private var timedService: String {
    """
    \(head)
    [Service]
    Type=oneshot
    ExecStart=\(command(["--once"], default: ["all_day"]))
    TimeoutStartSec=10min
    \(hardening)

    """
  }

  private var timer: String {
    """
    [Unit]
    Description=Fetch earthquakes every five minutes
    Documentation=man:quakes-fetch(1)

    [Timer]
    OnCalendar=*:0/5
    RandomizedDelaySec=60
    Persistent=true

    [Install]
    WantedBy=timers.target

    """
  }

  private var head: String {
    """
    [Unit]
    Description=Fetch earthquakes
    Documentation=man:quakes-fetch(1)
    \(store.map { Self.storeKey + $0 + "\n" } ?? "")
    """
  }

  /// The store may be anywhere, so nothing is hidden from the worker; nor is anything forbidden that a program which it
  /// runs may need.
  private var hardening: String {
    """
    UMask=0077
    NoNewPrivileges=yes
    LockPersonality=yes
    RestrictRealtime=yes
    RestrictSUIDSGID=yes
    """
  }

  private func command(_ mode: [String], default defaults: [String] = []) -> String {
    var words = mode
    if let store { words += ["--store", store] }
    if let config { words += ["--config", config] }
    words += arguments.isEmpty ? defaults : arguments
    // systemd replaces no variables in the program's path.
    let plain = words.map { Self.quoted($0).replacingScalars("$", with: "$$") }
    return ([Self.quoted(program)] + plain).joined(separator: " ")
  }

  /// A word of a command, as systemd.service(5) has it.
  private static func quoted(_ word: String) -> String {
    let escaped = word.replacingScalars("\\", with: "\\\\").replacingScalars("\"", with: "\\\"")
      .replacingScalars("%", with: "%%")
    let isPlain = !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=%".contains($0) }
    return isPlain ? escaped : "\"\(escaped)\""
  }
}
