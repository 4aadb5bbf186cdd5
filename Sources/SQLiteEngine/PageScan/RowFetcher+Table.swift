import StrataRowStore

extension RowFetcher {
  /// Reads all rows of a table straight from its pages.
  ///
  /// - Parameters:
  ///   - table: contains rows of the shape's entities only.
  ///   - one: a statement that finds a row by its key, with the shape's columns unpacked.
  /// - Returns: nil if SQLite has to read the rows. That is usually known before any page is read. Only for a damaged
  ///   table, and in the first scan of a table with many rows longer than a page, are pages read and then discarded.
  package func rows(
    ofTable table: String, on connection: Connection, one: () throws -> Statement
  ) throws -> RowList? {
    guard connection.isInTransaction else {
      return try connection.reading { try rows(ofTable: table, on: connection, one: one) }
    }
    // This read begins the transaction if it has not begun, and so pins the schema.
    let format = try connection.format(of: table, key: shape.names[0])
    let builder = builder(expected: nil, dataFiles: connection.dataFiles)
    guard format.isPlain, let scan = TableScan(shape.names, format: format, builder: builder) else { return nil }
    // count(*) makes SQLite visit every page of the table without decoding a row.
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
      let before = builder.count
      try pack(statement, with: builder)
      // A page has the key but SQLite does not find it.
      guard builder.count == before + 1 else { return nil }
    }
    return builder.finish(sorted: nil)
  }
}
