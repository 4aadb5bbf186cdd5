import ArgumentParser

/// `quakes alert`: of which earthquakes the user wants to be told.
struct Alert: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Be told of earthquakes: run a program or show a notification.",
    discussion: """
      quakes-fetch tells you after each import, at the latest 24 hours after the earthquake, and only of earthquakes that \
      happened after the alert was added. Each is told once, whatever becomes of its id; with --step again if its \
      magnitude rises. Explosions, retracted events, and other agencies' reports of the same earthquake are not told, and \
      an earthquake of unknown magnitude or depth satisfies no limit of it.
      """,
    subcommands: [AlertAdd.self, AlertList.self, AlertLog.self, AlertRemove.self, AlertTest.self],
    defaultSubcommand: AlertList.self)
}
