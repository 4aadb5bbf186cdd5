import StrataManagedModel
import StrataRowStore

/// Rows of ACHANGE for many rows at once.
extension BulkWriter {
  /// Notes the same change of many rows, in the order of their keys.
  /// - Parameters:
  ///   - source: what stands behind FROM, with the columns `Z_PK` and `Z_ENT` of the rows.
  ///   - columns: the text of the bits of changed properties.
  ///   - tombstones: the texts of the values to keep.
  ///   - last: the number of the change before.
  package func record(
    _ kind: HistoryChange.Kind, from source: SQLStatement, columns: String = "NULL", tombstones: [String] = [],
    transaction: Int64, after last: Int64
  ) -> SQLStatement {
    let names = tombstones.indices.map { ", ZTOMBSTONE\($0)" }.joined()
    let values = tombstones.map { ", \($0)" }.joined()
    return """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS\(names)) \
      SELECT \(bind: .integer(last)) + row_number() OVER (ORDER BY Z_PK), 16001, \(HistoryWriter.ownVersion), \
      \(Int(kind.rawValue)), Z_ENT, Z_PK, \(bind: .integer(transaction)), \(columns)\(values) FROM \(source)
      """
  }

  /// The text of the bits of changed properties, which are not the same in all entities of a family.
  package func columns(_ slots: [UInt64], in family: [Int], _ history: HistoryWriter) -> String {
    let texts = family.map { number in
      let layout = schema.model.layout(number: number)
      return (number, StoredValue.blob(history.columns(of: layout).bitmap(slots: slots, toMany: [])).literal)
    }
    if let first = texts.first?.1, texts.allSatisfy({ $0.1 == first }) { return first }
    return "CASE Z_ENT" + texts.map { " WHEN \(schema.storedNumber(of: $0)) THEN \($1)" }.joined() + " END"
  }

  /// Transactions by number: their changes as keys and Z_ENTs, in their order.
  package static let changedRows = "SELECT ZENTITYPK, ZENTITY FROM ACHANGE WHERE ZTRANSACTIONID = ?1 ORDER BY Z_PK"
}
