import Foundation
import StrataRowStore
import StrataSQLiteEngine

/// Copying the rows to another store.
extension SQLStore {
  /// Another file means another set of connections.
  package var isBoundToURL: Bool { true }

  /// Copies page by page while others may write. An in-memory destination has no file until it is opened.
  package func copy(to url: URL, identifier: String, timeout: Double) throws -> Bool {
    guard url.isFileURL, !Self.isInMemory(url) else { return false }
    try Self.replace(at: url, with: URL(fileURLWithPath: path), identifier: identifier, timeout: timeout)
    return true
  }

  /// - Throws: `.corrupt` for the first external data file that is missing or unreadable.
  package func checkExternalData() throws {
    let columns = schema.externalColumns
    guard !columns.isEmpty else { return }
    for name in try readers.read({ try $0.connection.fileNames(in: columns) }).sorted() {
      let state = ExternalData.state(of: name, of: path)
      guard state == .missing || state == .unreadable else { continue }
      throw StoreError(
        .corrupt,
        "Cannot rewrite the rows of the store '\(path)': the file \(name), which holds data of a row, "
          + "\(state == .missing ? "is missing" : "cannot be read"). Restore the file, or set the value to nil.")
    }
  }
}
