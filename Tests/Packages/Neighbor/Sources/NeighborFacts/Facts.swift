import Foundation

/// Everything that is compared.
public enum Facts {
  /// - Parameter folder: the path of a new, temporary folder for databases.
  public static func current(in folder: URL) throws -> [String: String] {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var facts = try SQLiteFacts.current(in: folder)
    facts.merge(try GRDBFacts.current(in: folder)) { $1 }
    // Last, to include what using SQLite changes.
    facts.merge(ProcessFacts.current()) { $1 }
    return facts
  }
}
