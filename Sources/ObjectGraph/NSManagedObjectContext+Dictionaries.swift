import Foundation
import ManagedModel
import Predicates
import RowStore

/// Fetches of dictionaries: values without objects, of what is saved alone.
extension NSManagedObjectContext {
  /// The dictionaries that a request asks for, as the kind of dictionary that it promises.
  func dictionaries<T>(for request: NSFetchRequest<T>) throws -> [T] {
    let (columns, table) = try values(for: request)
    let keys = columns.map { $0.name as NSString }
    func entries(_ row: Int) -> [String: Any] {
      var entries = [String: Any](minimumCapacity: columns.count)
      for (number, column) in columns.enumerated() {
        if let value = value(table, row, number, column.slot) { entries[column.name] = value }
      }
      return entries
    }
    if T.self == [String: Any].self { return cast((0..<table.count).map(entries), request) }
    let made = (0..<table.count).map { row -> NSDictionary in
      let dictionary = NSMutableDictionary(capacity: keys.count)
      for (number, column) in columns.enumerated() {
        if let value = value(table, row, number, column.slot) { dictionary.setObject(value, forKey: keys[number]) }
      }
      return dictionary
    }
    return cast(made, request)
  }

  /// How many dictionaries a request would fetch.
  func dictionaryCount<T>(for request: NSFetchRequest<T>) throws -> Int { try values(for: request).table.count }

  private func values<T>(
    for request: NSFetchRequest<T>
  ) throws -> (columns: [DictionaryColumns.Column], table: ValueTable) {
    var rows = try plan(for: request)
    let columns = DictionaryColumns(request.propertiesToFetch, of: rows.layout)
    guard !columns.columns.isEmpty else { return ([], ValueTable(width: 1)) }
    let sort = rows.sort
    rows.sort = []
    let having = try filter(request.havingPredicate)
    let values = columns.plan(for: request, rows: rows, having: having, sort: sort)
    return (columns.columns, try storeErrors { try requireSource().values(for: values) })
  }

  /// A value in the form that `value(forKey:)` gives it; an object as its id.
  private func value(_ table: ValueTable, _ row: Int, _ column: Int, _ slot: PropertySlot?) -> Any? {
    guard let kind = table.kind(row, column) else { return nil }
    let word = table.word(row, column)
    switch kind {
    case .integer16, .integer32, .integer64: return NSNumber(value: Int64(bitPattern: word))
    case .boolean: return NSNumber(value: word != 0)
    case .double, .float: return NSNumber(value: Double(bitPattern: word))
    case .date: return Date(timeIntervalSinceReferenceDate: Double(bitPattern: word))
    case .string: return table.withBytes(row, column) { String(decoding: $0, as: UTF8.self) }
    case .uri: return URL(string: table.withBytes(row, column) { String(decoding: $0, as: UTF8.self) })
    case .uuid: return UUID(uuid: table.withBytes(row, column) { $0.loadUnaligned(as: uuid_t.self) })
    case .data: return table.withBytes(row, column) { Data($0) }
    case .decimal: return NSDecimalNumber(decimal: table.withBytes(row, column) { $0.loadUnaligned(as: Decimal.self) })
    case .transformable:
      return table.withBytes(row, column) { bytes in slot.flatMap { TransformedValue.decode(bytes, of: $0) } }
    case .toOne: return publicID(RowID(bits: word))
    case .object: return nil
    }
  }
}
