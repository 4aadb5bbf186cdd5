import StrataQuakes

/// The meanings of words that are not commands.
enum CommandWords {
  /// A word's meaning in a group of commands.
  private enum Meaning {
    /// The same as a command of the group.
    case command(String)
    /// Something that another command does.
    case advice(String)
  }

  /// The suggestions for a first word that is not a command.
  static func suggestions(for word: String, among commands: [String]) -> [String] {
    for (words, suggestion) in programWords where words.split(separator: " ").contains(word[...]) {
      return [suggestion.contains(" ") ? "\"\(suggestion)\"" : suggestion]
    }
    return Suggestion.spelled(word, among: commands)
  }

  /// Replaces the second word by the command that it means: `quakes place ls` is `quakes place list`.
  ///
  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - commands: the commands of the group that the first word names; nil if it names none.
  /// - Throws: `Failure` of usage if the word means no command: the parser would take it for an argument of the group's
  ///   default command.
  static func expanded(_ arguments: [String], commands: [String]?) throws(Failure) -> [String] {
    guard let commands, arguments.count > 1, !arguments[0].hasPrefix("-"), !arguments[1].hasPrefix("-") else {
      return arguments
    }
    let (group, word) = (arguments[0], arguments[1])
    if commands.contains(word) || word == "help" { return arguments }
    switch meaning(of: word, in: group) {
    case .command(let command):
      if command == "print", let name = arguments.dropFirst(2).first(where: { !$0.hasPrefix("-") }) {
        throw Failure(
          .usage, "\"quakes config \(word)\" prints all settings; for one, run \"quakes config print | grep \(name)\"")
      }
      return [group, command] + arguments.dropFirst(2)
    case .advice(let advice):
      throw Failure(.usage, "there is no command \"quakes \(group) \(word)\"; \(advice)")
    case nil:
      let guess = Suggestion.sentence(Suggestion.spelled(word, among: commands).map { "\"quakes \(group) \($0)\"" })
      throw Failure(
        .usage,
        """
        there is no command "quakes \(group) \(word)";\(guess) \(guess.isEmpty ? "the" : "The") commands are \
        \(commands.joined(separator: ", "))
        """)
    }
  }

  private static func meaning(of word: String, in group: String) -> Meaning? {
    groupWords.first { $0.group == group && $0.words.split(separator: " ").contains(word[...]) }?.meaning
  }

  private static let groupWords: [(group: String, words: String, meaning: Meaning)] = [
    ("place", "ls show get print all", .command("list")), ("place", "rm delete del drop", .command("remove")),
    ("place", "new create set save move mv", .command("add")),
    ("place", "clear reset", .advice("\"quakes place remove NAME\" removes one")),
    ("alert", "ls show all", .command("list")), ("alert", "rm delete del drop", .command("remove")),
    ("alert", "new create set", .command("add")), ("alert", "logs history", .command("log")),
    ("alert", "try run check", .command("test")),
    ("alert", "edit change", .advice("\"quakes alert remove\" it, and \"quakes alert add\" the new one")),
    ("alert", "clear reset", .advice("\"quakes alert remove NAME\" removes one")),
    ("config", "get show list ls dump cat view", .command("print")), ("config", "where file", .command("path")),
    ("config", "validate test lint verify", .command("check")), ("config", "open init", .command("edit")),
    ("config", "set unset rm add", .advice("\"quakes config edit\" opens the settings in an editor")),
    ("workers", "run up launch begin", .command("start")), ("workers", "kill down end halt", .command("stop")),
    ("workers", "state info show list ls ps check", .command("status")),
    ("workers", "log logs journal tail", .advice("\"quakes workers status\" shows where the log is")),
    (
      "workers", "restart reload refresh",
      .advice("run \"quakes workers stop\", and then \"quakes workers start\"")
    ),
    ("workers", "enable", .advice("\"quakes workers install\" starts the worker whenever you log in")),
    ("workers", "disable remove rm", .advice("\"quakes workers uninstall\" removes the service")),
  ]

  /// The words of other programs, and the command that does the same.
  private static let programWords: [(words: String, suggestion: String)] = [
    ("ls ll dir latest last recent newest new all quakes", "list"), ("search find grep", "quakes list --text"),
    ("info get view details detail cat describe", "show"), ("largest biggest strongest", "top"),
    ("nearby around close", "near"), ("history revisions", "quakes show --history"), ("diff updates", "changes"),
    ("count statistics summary report", "stats"), ("plot draw chart", "map"), ("region countries", "regions"),
    ("csv kml geojson quakeml json dump save", "export"), ("load add", "import"),
    ("follow live tail monitor top10", "watch"), ("wait listen", "idle"), ("web browse url page", "open"),
    ("mark favorite fav bookmark", "star"), ("acknowledge seen read", "ack"), ("comment annotate", "note"),
    ("places location locations", "place"), ("alerts notify notification", "alert"),
    ("settings preferences set", "config"), ("diagnose check health", "doctor"),
    ("fetch update refresh sync pull download", "quakes-fetch --once all_day"),
    ("start daemon worker", "quakes workers start"), ("stop kill", "quakes workers stop"),
    ("restart reload", "quakes workers stop && quakes workers start"), ("status log logs", "quakes workers status"),
    ("install service", "quakes workers install"), ("version", "quakes --version"),
    ("rm remove delete", "quakes place remove"),
  ]
}
