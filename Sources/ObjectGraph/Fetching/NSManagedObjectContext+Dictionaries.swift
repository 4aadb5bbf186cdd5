import Foundation
import StrataManagedModel
import StrataPredicates
import StrataRowStore
import StrataRuntime

/// Dictionary fetches: values without objects, from saved rows only.
extension NSManagedObjectContext {
  /// Returns the dictionaries that a request selects, in its result type.
  func dictionaries<T>(for request: NSFetchRequest<T>) throws -> [T] {
    let (columns, query) = try dictionaryQuery(for: request)
    guard let query else { return [] }
    return try dictionaries(of: try storeErrors { try requireSource().values(for: query) }, columns, for: request)
  }

  /// Returns the number of dictionaries that a request would fetch.
  func dictionaryCount<T>(for request: NSFetchRequest<T>) throws -> Int {
    guard let query = try dictionaryQuery(for: request).query else { return 0 }
    if !query.gathersRows, !query.isDistinct { return try storeErrors { try requireSource().count(for: query.rows) } }
    return try storeErrors { try requireSource().values(for: query) }.count
  }

  /// Returns the source's query and the columns of its result; no query if there are no columns.
  func dictionaryQuery<T>(for request: NSFetchRequest<T>) throws -> (columns: DictionaryColumns, query: AggregateQuery?)
  {
    var rows = try query(for: request)
    let columns = try DictionaryColumns(request.givenPropertiesToFetch, of: rows.layout, in: self)
    let sort = rows.sort
    rows.sort = []
    let having = try filter(request.havingPredicate, of: rows.layout)
    return (columns, try columns.query(for: request, rows: rows, having: having, sort: sort))
  }

  /// Converts a result table to dictionaries.
  func dictionaries<T>(of table: ValueTable, _ columns: DictionaryColumns, for request: NSFetchRequest<T>) throws -> [T]
  {
    let composites = columns.composites
    let columns = columns.columns
    func elements(of part: DictionaryColumns.CompositeColumns, _ row: Int) -> [String: Any]? {
      part.composite.dictionary { slot in
        let number = part.first + slot - part.composite.slots.lowerBound
        return value(in: table, row: row, column: number, slot: columns[number].slot)
      }
    }
    let keys = columns.map { $0.name as NSString }
    func entries(_ row: Int) -> [String: Any] {
      var entries = [String: Any](minimumCapacity: columns.count)
      for (number, column) in columns.enumerated() where !column.isElement {
        if let value = value(in: table, row: row, column: number, slot: column.slot) { entries[column.name] = value }
      }
      for composite in composites { entries[composite.name] = elements(of: composite, row) }
      return entries
    }
    if T.self == [String: Any].self { return try cast((0..<table.count).map(entries), for: request) }
    let made = (0..<table.count).map { row -> NSDictionary in
      let dictionary = NSMutableDictionary(capacity: keys.count)
      for (number, column) in columns.enumerated() where !column.isElement {
        if let value = value(in: table, row: row, column: number, slot: column.slot) {
          dictionary.setObject(value, forKey: keys[number])
        }
      }
      for composite in composites {
        if let value = elements(of: composite, row) { dictionary.setObject(value, forKey: composite.name as NSString) }
      }
      return dictionary
    }
    return try cast(made, for: request)
  }

  /// Returns a value as `value(forKey:)` would; an object as its ID.
  private func value(in table: ValueTable, row: Int, column: Int, slot: PropertySlot?) -> Any? {
    guard let kind = table.kind(row: row, column: column) else { return nil }
    let word = table.word(row: row, column: column)
    switch kind {
    case .integer16, .integer32, .integer64: return NSNumber(value: Int64(bitPattern: word))
    case .boolean: return NSNumber(value: word != 0)
    case .double, .float: return NSNumber(value: Double(bitPattern: word))
    case .date: return Date(timeIntervalSinceReferenceDate: Double(bitPattern: word))
    case .string: return table.withBytes(row: row, column: column) { String(stored: $0) }
    case .uri: return URL(string: table.withBytes(row: row, column: column) { String(stored: $0) })
    case .uuid: return UUID(uuid: table.withBytes(row: row, column: column) { $0.loadUnaligned(as: uuid_t.self) })
    case .data: return table.withBytes(row: row, column: column) { Data($0) }
    case .decimal:
      return NSDecimalNumber(decimal: table.withBytes(row: row, column: column) { $0.loadUnaligned(as: Decimal.self) })
    case .transformable:
      return table.withBytes(row: row, column: column) { bytes in
        slot.flatMap { TransformedValue.decode(bytes, of: $0) }
      }
    case .toOne: return publicID(RowID(bits: word))
    case .object: return nil
    }
  }
}
