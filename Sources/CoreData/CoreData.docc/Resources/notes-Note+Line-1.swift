import CoreData

extension Note {
  /// A request for notes, oldest first.
  static func request() -> NSFetchRequest<Note> {
    let request: NSFetchRequest<Note> = fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(keyPath: \Note.created, ascending: true)]
    return request
  }

  /// The note as a line of a list.
  var line: String { "\(created?.formatted(.iso8601) ?? "")  \(text ?? "")" }
}
