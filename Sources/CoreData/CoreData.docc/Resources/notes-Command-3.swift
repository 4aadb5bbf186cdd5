import CoreData

/// A command of the program.
enum Command {
  case add(String)
  case list
  case search(String)
  case watch

  static let usage = """
    usage: notes add TEXT      keeps a note
           notes list          shows all notes, oldest first
           notes search TEXT   shows the notes that contain the text
           notes watch         shows notes as they are added, until Control-C
    """

  /// - Parameter arguments: of the command line, without the program's name.
  init?(arguments: [String]) {
    let text = arguments.dropFirst().joined(separator: " ")
    switch (arguments.first, text.isEmpty) {
    case ("add", false): self = .add(text)
    case ("list", true): self = .list
    case ("search", false): self = .search(text)
    case ("watch", true): self = .watch
    default: return nil
    }
  }

  func run(in context: NSManagedObjectContext) throws {
    switch self {
    case .add(let text):
      let note = Note(context: context)
      note.created = Date()
      note.text = text
      try context.save()
    case .list:
      for note in try context.fetch(Note.request()) { print(note.line) }
    case .search(let text):
      for note in try context.fetch(Note.request(containing: text)) { print(note.line) }
    case .watch:
      try NoteWatcher(context: context).run()
    }
  }
}
