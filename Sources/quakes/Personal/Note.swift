import ArgumentParser
import StrataQuakes
import StrataQuakesCompletion

/// `quakes note ID TEXT`: notes something of an earthquake.
struct Note: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add a note to an earthquake, or print it.",
    discussion: "quakes list --noted lists the earthquakes that have notes, and quakes show prints them.")

  @Flag(help: "Remove the note.")
  var remove = false

  @Argument(help: "The earthquake's ID, or any unambiguous part of it.", completion: .earthquakes)
  var id: String

  @Argument(help: "The note's text, which replaces any existing note; without it, the note is printed.")
  var text: [String] = []

  @OptionGroup var locationOptions: LocationOptions

  mutating func validate() throws {
    if remove, !text.isEmpty { throw ValidationError("--remove takes no text.") }
    if !text.isEmpty, note.allSatisfy(\.isWhitespace) {
      throw ValidationError("the note is empty; use --remove to remove a note.")
    }
  }

  /// Its words, so that they need no quotes.
  private var note: String { text.joined(separator: " ") }

  mutating func run() throws {
    guard remove || !text.isEmpty else { return try printNote() }
    let marking = try Marking(locationOptions)
    let quake = try marking.quakes([id])[0]
    try marking.personal.mark([quake.identifier], by: "quakes") { [remove, note] in $0.note = remove ? nil : note }
    try Output.line("\(quake.words) has \(remove ? "no note" : "the note: \(note)")")
  }

  private func printNote() throws {
    let store = try OpenStore(locationOptions, needsCities: false)
    let note = try store.read { context in
      guard let identifier = try Quake.find(typed: id, in: context)?.identifier else { throw Failure.noQuake(id) }
      return store.hasPersonal ? try MarkBook(in: context)?.marks(of: [identifier])[identifier]?.note : nil
    }
    guard let note else {
      throw Failure(.notFound, "\"\(id)\" has no note; \"quakes note \(id) TEXT\" writes one")
    }
    try Output.line(OutputText(lines: note))
  }
}
