import ArgumentParser
import Foundation
import StrataQuakes

/// The reader. It reads the store and never uses the network.
public struct Quakes: ParsableCommand {
  /// The description of the program: its help, and the commands that the command line may name.
  public static let configuration = CommandConfiguration(
    commandName: "quakes",
    abstract: "Show earthquakes from the store that the Quakes programs share.",
    usage: "quakes [<options>]\n       quakes <command> [<options>]",
    discussion: """
      Without a command, opens the live screen on a terminal, where ? shows the keys, and runs "quakes list" elsewhere. \
      Both take the options of "quakes list".

      Examples:
        quakes list --min-magnitude 5 --since 24h
        quakes near Tokyo --within 300km
        quakes show us7000abcd --history

      Exit status: 0 success; 1 nothing matched (--exit-status, idle), or doctor found a problem; 2 wrong usage; 3 no such \
      earthquake, place or alert; 4 store unusable; 5 network; 6 unusable response; 7 rate limit; 8 an alert's \
      program failed; 9 no store; 74 output not written; 75 a worker is already running; 78 invalid settings; \
      130 interrupted.
      """,
    version: QuakesVersion.report,
    subcommands: named.map { [$0] } ?? [], groupedSubcommands: named == nil ? groups : [],
    defaultSubcommand: isListNamed ? List.self : nil)

  /// All commands, for help, completions, and lines that name none.
  private static let groups = [
    CommandGroup(
      name: "Reading",
      subcommands: [
        List.self, Top.self, Near.self, Aftershocks.self, Show.self, Changes.self, Stats.self, Map.self, Regions.self,
        Export.self, Open.self,
      ]),
    CommandGroup(name: "Waiting", subcommands: [Watch.self, Idle.self]),
    CommandGroup(
      name: "Your data",
      subcommands: [Star.self, Acknowledge.self, Note.self, PlaceCommands.self, Alert.self]),
    CommandGroup(
      name: "Fetching and settings", subcommands: [Workers.self, Import.self, Config.self, Doctor.self]),
  ]

  private static var commands: [any ParsableCommand.Type] { groups.flatMap(\.subcommands) }

  /// The command that the command line names, if only by naming none; nil if it asks for help. The parser takes longer to
  /// look at all the others than the store takes to answer.
  private static let named: (any ParsableCommand.Type)? = {
    var words = CommandLine.arguments.dropFirst()
    // A shell asks what may follow the words after this.
    if words.first == "---completion" { words.removeFirst() }
    guard let first = words.first else { return List.self }
    guard first.hasPrefix("-") else { return commands.first { $0._commandName == first } }
    let isHelp = words.contains { word in
      word == "-h" || ["--help", "--version", "--generate", "--experimental", "---"].contains { word.hasPrefix($0) }
    }
    return isHelp ? nil : List.self
  }()

  private static var isListNamed: Bool { named == nil || CommandLine.arguments.dropFirst().first?.first ?? "-" == "-" }

  /// The command without arguments.
  public init() {}

  /// Runs the command line's command, and ends the process if it fails.
  @MainActor public static func main() {
    StandardStream.holdPlaces()
    // If the reader of a pipe is gone, write(2) fails instead.
    signal(SIGPIPE, SIG_IGN)
    do {
      let words = NegativeValues.attached(Array(CommandLine.arguments.dropFirst()))
      try refuseUnknownCommand(words)
      let arguments = try FilterArguments.expanded(CommandWords.expanded(words, commands: groupCommands))
      var command = try parseAsRoot(PositionArguments.expanded(FieldArguments.expanded(arguments)))
      if let list = command as? List { try refuseWordsWithoutCommand(list.words, arguments) }
      if let list = command as? List, let options = try ScreenOptions(list) { try LiveScreen.run(options) }
      try command.run()
    } catch let failure as Failure {
      end(with: failure)
    } catch {
      end(with: error)
    }
  }

  /// Rejects a first word that is not a command: the parser would take it for an argument of `list`.
  ///
  /// Also rejects `help` for it, for which the parser would print the program's help.
  private static func refuseUnknownCommand(_ arguments: [String]) throws(Failure) {
    guard named == nil, let first = arguments.first, !first.hasPrefix("-") else { return }
    let isHelp = first == "help"
    guard let word = isHelp ? arguments.dropFirst().first : first else { return }
    if isHelp, word.hasPrefix("-") || word == "help" || commands.contains(where: { $0._commandName == word }) { return }
    let guess = Suggestion.sentence(CommandWords.suggestions(for: word, among: commands.map { $0._commandName }))
    throw Failure(
      .usage, "there is no command \"\(word)\";\(guess) \"quakes --help\" shows them, and \"quakes show\" takes IDs")
  }

  /// Rejects words after options if no command is named: they may be a command in the wrong place.
  private static func refuseWordsWithoutCommand(_ words: [String], _ arguments: [String]) throws(Failure) {
    guard let word = words.first, arguments.first != List._commandName else { return }
    guard commands.contains(where: { $0._commandName == word }) else {
      throw Failure(.usage, "\"\(word)\" needs a command before it, as in \"quakes list \(word)\"")
    }
    throw Failure(.usage, "the command \"\(word)\" comes before its options, as in \"quakes \(word) --help\"")
  }

  /// The program's help with the exit statuses at its end, and with the groups' own names as headings. Other texts stay.
  private static func arranged(_ text: String) -> String {
    guard text.hasPrefix("OVERVIEW: \(configuration.abstract)") else { return text }
    let parts = text.replacing(" SUBCOMMANDS:", with: ":").components(separatedBy: "\n\n")
    let isStatus = { (part: String) in part.hasPrefix("Exit status:") }
    return (parts.filter { !isStatus($0) } + parts.filter(isStatus)).joined(separator: "\n\n")
  }

  /// The commands of the group that the command line names; nil if it names none.
  private static var groupCommands: [String]? {
    guard let commands = named?.configuration.subcommands, !commands.isEmpty else { return nil }
    return commands.map { $0._commandName }
  }

  /// The help of the command that could not be parsed.
  private static var namedHelp: String {
    guard let named else { return helpMessage() }
    let words = CommandLine.arguments.dropFirst(2)
    let commands = named.configuration.subcommands
    let command = commands.first { words.first == $0._commandName } ?? named.configuration.defaultSubcommand ?? named
    return command.helpMessage(columns: 500)
  }

  private static func end(with failure: Failure) -> Never {
    StandardStream.error.line("quakes: \(failure.message)")
    Foundation.exit(failure.status.rawValue)
  }

  /// Prints help to standard output with status 0, usage errors to standard error with status 2.
  private static func end(with error: any Error) -> Never {
    // The parser breaks lines by this, and fewer than 30 columns would end the process with a signal.
    setenv("COLUMNS", String(Terminal.helpColumns), 1)
    let status = exitCode(for: error)
    let text = Suggestion.corrected(fullMessage(for: error), help: namedHelp)
    let message = OutputText(lines: status == .success ? arranged(text) : text)
    do throws(Failure) {
      if status == .success { try Output.line(message) } else if message != "" { StandardStream.error.line(message) }
    } catch {
      end(with: error)
    }
    Foundation.exit(status == .validationFailure ? ExitStatus.usage.rawValue : status.rawValue)
  }
}
