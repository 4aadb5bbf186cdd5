import Foundation
import StrataRowStore
import StrataSQLStore
import StrataSQLiteEngine

/// A history with values of any type in any column. Its transactions are read in order, and it can be purged.
@Sendable func history(_ input: [UInt8]) {
  var input = InputReader(input)
  do {
    try HistoryFile.fill(from: &input)
  } catch {
    fatalError("\(error)")
  }
  for changes in [HistoryQuery.Changes.ids, .whole] {
    for query in [
      HistoryQuery(after: .min, changes: changes), HistoryQuery(after: 0, later: 1, limit: 2, changes: changes),
    ] {
      guard let stretch = try? HistoryFile.store.history(query) else { continue }
      let numbers = stretch.transactions.map(\.number)
      promise(zip(numbers, numbers.dropFirst()).allSatisfy(<), "the transactions are \(numbers)")
      for transaction in stretch.transactions { _ = "\(transaction)" }
    }
  }
  _ = try? HistoryFile.store.firstTransaction(since: 1)
  _ = try? HistoryFile.store.purgeHistory(before: Int64(input.byte()))
}

private enum HistoryFile {
  private static let url = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-history-\(getpid())")

  static let store: SQLStore = {
    do {
      unlink(url.path)
      return try SQLStore(opening: url, model: PageModel.model, number: 1)
    } catch {
      fatalError("\(error)")
    }
  }()

  private static let connection: Connection = {
    do {
      _ = store
      let connection = try Connection(path: url.path, mode: .readWrite, busyTimeout: 1)
      try connection.run("PRAGMA synchronous = OFF")
      return connection
    } catch {
      fatalError("\(error)")
    }
  }()

  static func fill(from input: inout InputReader) throws {
    try connection.writing {
      for table in ["ATRANSACTION", "ATRANSACTIONSTRING", "ACHANGE"] { try connection.run("DELETE FROM \(table)") }
      while !input.isAtEnd {
        let key = Int64(input.byte())
        switch key % 4 {
        case 0: try input.insert(into: "ATRANSACTION", on: connection, key: key / 16)
        case 1: try input.insert(into: "ATRANSACTIONSTRING", on: connection, key: key / 16)
        default:
          try input.insert(
            into: "ACHANGE", on: connection, key: key,
            defaultValues: ["ZTRANSACTIONID": key / 64, "ZCHANGETYPE": key % 3, "ZENTITY": key % 2 + 1, "Z_OPT": 1])
        }
      }
    }
  }
}
