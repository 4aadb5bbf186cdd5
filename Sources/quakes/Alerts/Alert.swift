import ArgumentParser

/// `quakes alert`: the user's alerts.
struct Alert: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Get alerts: run a program or show a notification.",
    discussion: """
      quakes-fetch checks the alerts after each import, for earthquakes of the last 24 hours that happened after the alert \
      was added. Each earthquake fires an alert once, even if its ID changes, and with --step again if its magnitude \
      rises. Explosions, retracted events, and other agencies' reports of the same earthquake do not fire alerts. An \
      earthquake of unknown magnitude or depth does not match a limit on it.
      """,
    subcommands: [AlertAdd.self, AlertList.self, AlertLog.self, AlertRemove.self, AlertTest.self],
    defaultSubcommand: AlertList.self)
}
