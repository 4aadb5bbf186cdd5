import CoreData

extension Note {
  /// A request for notes, oldest first.
  /// - Parameter words: what their text contains, ignoring case and accents; nil for all.
  static func request(containing words: String? = nil) -> NSFetchRequest<Note> {
    let request: NSFetchRequest<Note> = fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(keyPath: \Note.created, ascending: true)]
    if let words { request.predicate = NSPredicate(format: "text CONTAINS[cd] %@", words) }
    return request
  }

  /// The note as a line of a list.
  var line: String { "\(created?.formatted(.iso8601) ?? "")  \(text ?? "")" }
}
