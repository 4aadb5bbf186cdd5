import Foundation

extension AlertMessage {
  /// The programs that deliver the alert: the rule's own, and the one that shows notifications.
  public var programs: [AlertProgram] {
    var programs: [AlertProgram] = []
    if let path = arguments.first {
      programs.append(
        AlertProgram(path: path, arguments: arguments.dropFirst().map(filled), environment: environment))
    }
    if notifies { programs.append(notification) }
    return programs
  }

  /// Runs the programs, one after the other.
  ///
  /// - Returns: `ok`, or how the first that failed ended.
  public func deliver() -> AlertOutcome {
    programs.map { $0.run() }.first { $0 != .ok } ?? .ok
  }

  /// The freedesktop program that shows notifications.
  public static let notifier = "notify-send"

  private var notification: AlertProgram {
    let summary = ["M \(quake.magnitudeText)", value(.place)].filter { !$0.isEmpty }.joined(separator: " ")
    let path = AlertProgram.find(Self.notifier) ?? Self.notifier
    // After --, a place's name cannot be an option.
    return AlertProgram(
      path: path, arguments: ["--app-name=Quakes", "--urgency=\(urgency)", "--", summary, notificationBody],
      environment: environment)
  }

  private var urgency: String {
    guard let magnitude = quake.magnitude else { return "normal" }
    return magnitude >= 7 ? "critical" : magnitude >= 5 ? "normal" : "low"
  }

  /// The body may have markup, unlike the summary.
  private var notificationBody: String {
    let distance = quake.distance.map { "\(style.distance($0)) from \(Terminal.printable(centerName ?? "?"))" }
    let depth = quake.depth.map { "\(style.distance($0)) deep" }
    return XMLText.escaped(([distance, depth].compactMap { $0 } + [style.time(quake.time)]).joined(separator: ", "))
  }
}
