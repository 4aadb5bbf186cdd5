import StrataManagedModel
import StrataRowStore

/// The history of many rows in one statement.
extension BulkWriter {
  /// Records the same change of many rows, in the order of their keys.
  /// - Parameters:
  ///   - source: the rows, as table and WHERE clause.
  ///   - columns: an expression for the bits of changed properties.
  ///   - tombstones: expressions for the values to keep.
  ///   - last: the number of the previous change.
  package func record(
    _ kind: HistoryChange.Kind, from source: SQLStatement, columns: String = "NULL", tombstones: [String] = [],
    transaction: Int64, after last: Int64
  ) -> SQLStatement {
    let names = tombstones.indices.map { ", ZTOMBSTONE\($0)" }.joined()
    let values = tombstones.map { ", \($0)" }.joined()
    return """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS\(names)) \
      SELECT \(bind: .integer(last)) + row_number() OVER (ORDER BY Z_PK), 16001, \(HistoryColumns.ownVersion), \
      \(Int(kind.rawValue)), Z_ENT, Z_PK, \(bind: .integer(transaction)), \(columns)\(values) FROM \(source)
      """
  }

  /// An expression for the bits of changed properties, which may differ between the entities of a family.
  package func columns(_ slots: [UInt64], in family: [Int], history: HistoryWriter) -> String {
    let texts = family.map { number in
      let layout = schema.model.layout(number: number)
      return (number, SQLiteDialect.sqlite.literal(.blob(history.columns(of: layout).bitmap(slots: slots, toMany: []))))
    }
    if let first = texts.first?.1, texts.allSatisfy({ $0.1 == first }) { return first }
    return "CASE Z_ENT" + texts.map { " WHEN \(schema.storedNumber(of: $0)) THEN \($1)" }.joined() + " END"
  }

  /// Keys and Z_ENTs of the changes in the transaction `?1`, in order.
  package static let changedRows = "SELECT ZENTITYPK, ZENTITY FROM ACHANGE WHERE ZTRANSACTIONID = ?1 ORDER BY Z_PK"
}
