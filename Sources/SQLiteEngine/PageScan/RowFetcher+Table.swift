import StrataRowStore

extension RowFetcher {
  /// The rows of a whole table out of its pages; nil if SQLite has to read them. That is mostly known before a page was read:
  /// only a damaged table, and the first time one of rows that are longer than a page, is gone through in vain.
  ///
  /// - Parameters:
  ///   - table: one that holds rows of the shape's entities alone.
  ///   - one: a statement that finds a row by its key, with the shape's columns as they are.
  package func rows(
    ofTable table: String, on connection: Connection, one: () throws -> Statement
  ) throws -> RowList? {
    guard connection.isInTransaction else {
      return try connection.reading { try rows(ofTable: table, on: connection, one: one) }
    }
    // The transaction begins with this read, if it has not begun, and the schema is known behind it.
    let form = try connection.form(of: table, key: shape.names[0])
    let packer = packer(expected: nil)
    guard form.isPlain, let scan = TableScan(shape.names, form: form, packer: packer) else { return nil }
    // SQLite goes through all pages of the table, and looks at what its rows are in none.
    let count = try connection.statement("SELECT count(*) FROM \"\(table)\" NOT INDEXED")
    let counted = try connection.showingPages(to: scan) {
      defer { count.reset() }
      return try count.step() ? Int(count.integer(0)) : 0
    }
    if let failure = scan.failure { throw failure }
    guard scan.hasSeen(counted) else { return nil }
    for key in scan.fallbackRowIDs {
      let statement = try one()
      statement.bind(key, at: 1)
      defer { statement.reset() }
      let before = packer.count
      try pack(statement, with: packer)
      // A key that a page has and SQLite does not find.
      guard packer.count == before + 1 else { return nil }
    }
    return packer.finish(sorted: nil)
  }
}
