import Foundation
import StrataSQLText

extension Connection {
  /// Lets columns with external storage write files next to the store. Temporary triggers, which are not part of the
  /// file, record which files rows refer to, whichever statement changes them.
  /// - Parameter columns: the tables and columns with external storage; if empty, this is a no-op.
  package func writeExternalData(of columns: [ExternalColumn]) throws {
    guard !columns.isEmpty else { return }
    let files = ExternalFiles(of: path)
    define("STRATA_FILE", argumentCount: 2, isDeterministic: false) { [unowned self] arguments in
      if let name = arguments.blob(0).flatMap(ExternalData.name) {
        try externalFiles?.note(name, isReferred: arguments.integer(1) != 0)
      }
      return .null
    }
    for column in columns { for trigger in column.triggers { try run(trigger) } }
    externalFiles = files
  }

  /// Whether saves may write files next to the store.
  package var writesExternalFiles: Bool { externalFiles != nil }

  /// Deletes unreferenced files if a marker says that there may be some. The caller must hold the writer lock.
  ///
  /// Deletes nothing if the model has no external data, unless a migration to it left the marker, and nothing in a
  /// folder that another store may use too.
  package func tidyExternalData(of columns: [ExternalColumn]) throws {
    guard hasUnfinishedData(of: columns), let folder = ExternalData.folder(of: path), !ExternalData.isShared(path)
    else {
      return
    }
    guard let files = try? folder.dataFiles() else { return }
    let unused = Set(files).subtracting(try fileNames(in: columns))
    let left = unused.filter { !folder.remove($0) }
    if left.isEmpty { folder.unmark() }
  }

  /// Whether a marker says that files of the store may be unreferenced.
  package func hasUnfinishedData(of columns: [ExternalColumn]) -> Bool {
    switch (try? SupportFolder.open(ofStore: path))?.marker {
    case nil: false
    case .transaction: !columns.isEmpty
    case .wholeStore: true
    }
  }

  /// The names of the files that rows refer to.
  package func fileNames(in columns: [ExternalColumn]) throws -> Set<String> {
    var names: Set<String> = []
    for column in columns {
      for row in try rows(column.references) {
        if case .blob(let bytes) = row[0], let name = bytes.withUnsafeBytes({ ExternalData.name($0) }) {
          names.insert(name)
        }
      }
    }
    return names
  }
}
