import Foundation
import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// Checks that the external data files match what rows refer to.
extension IntegrityCheck {
  mutating func checkFiles(_ schema: StoreSchema, on connection: Connection) throws {
    let columns = schema.externalColumns
    guard !columns.isEmpty else { return }
    questions += 3
    let (missing, unused, kept) = try Self.files(columns, in: connection)
    for name in missing.sorted() {
      flaws.append(IntegrityIssue(.missingFile, name, "a row's data is in this file, which is missing"))
    }
    for name in kept.sorted() {
      let complaint: String? =
        switch ExternalData.state(of: name, of: connection.path) {
        case .empty: "which is empty"
        case .unreadable: "which cannot be read"
        // A file that is gone by now went with a later commit.
        case .whole, .missing: nil
        }
      guard let complaint else { continue }
      flaws.append(IntegrityIssue(.damagedFile, name, "a row's data is in this file, \(complaint)"))
    }
    for name in unused.sorted() {
      flaws.append(IntegrityIssue(.unusedFile, name, "no row's data is in this file", isHarmless: true))
    }
  }

  /// A file is written before the commit that refers to it and removed after the one that no longer does, so a single
  /// look may fall in between.
  private static func files(
    _ columns: [ExternalColumn], in connection: Connection
  ) throws -> (missing: Set<String>, unused: Set<String>, kept: Set<String>) {
    var before: Set<String>?
    while true {
      let referred = try connection.reading { try connection.fileNames(in: columns) }
      let found = try ExternalData.names(of: connection.path)
      let now = (referred.subtracting(found), found.subtracting(referred), found.intersection(referred))
      if let before, now.0.isSubset(of: before) { return now }
      if now.0.isEmpty && now.1.isEmpty { return now }
      before = now.0
    }
  }
}
