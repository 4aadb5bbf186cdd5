import CoreData

/// Prints why the program gives up, and ends it.
func stop(_ reason: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data((reason + "\n").utf8))
  exit(status)
}

guard let command = Command(arguments: Array(CommandLine.arguments.dropFirst())) else {
  stop(Command.usage, status: 2)
}
do {
  let container = NotesContainer(name: "Notes")
  try container.loadStore()
  try command.run(in: container.viewContext)
} catch {
  stop("notes: \(error.localizedDescription)", status: 1)
}
