import Foundation
import RowStore
import SQLText
import SQLiteEngine

/// Whether the files with large data are those that rows refer to.
extension StoreCheck {
  mutating func checkFiles(_ schema: StoreSchema, _ connection: Connection) throws {
    let columns = schema.externalColumns
    guard !columns.isEmpty else { return }
    questions += 2
    let (missing, unused) = try Self.files(columns, connection)
    for name in missing.sorted() {
      flaws.append(StoreFlaw(.missingFile, name, "a row's data lie in this file, which is not there"))
    }
    for name in unused.sorted() {
      flaws.append(StoreFlaw(.unusedFile, name, "no row's data lie in this file", isHarmless: true))
    }
  }

  /// A file comes before the commit that refers to it and goes after the one that does not any more, so that one look
  /// may fall between the two.
  private static func files(
    _ columns: [ExternalColumn], _ connection: Connection
  ) throws -> (missing: Set<String>, unused: Set<String>) {
    var before: (missing: Set<String>, unused: Set<String>)?
    while true {
      let referred = try connection.reading { try connection.fileNames(in: columns) }
      let found = ExternalData.names(of: connection.path)
      let now = (missing: referred.subtracting(found), unused: found.subtracting(referred))
      if let before, before.missing.intersection(now.missing) == now.missing { return now }
      if now.missing.isEmpty && now.unused.isEmpty { return now }
      before = now
    }
  }
}
