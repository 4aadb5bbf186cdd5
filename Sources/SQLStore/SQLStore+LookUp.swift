import ManagedModel
import RowStore
import SQLiteEngine

/// Rows by their ids.
extension SQLStore {
  /// The numbers of keys that one statement asks for: few, so that few statements are prepared. What is left over is
  /// NULL, which is no key.
  private static let widths = [1, 8, 64, 512]

  static func width(for count: Int) -> Int { widths.first { $0 >= count } ?? widths[widths.count - 1] }

  package func rows(with ids: [RowID]) throws -> RowList { try rows(with: ids, by: readers) }

  func rows(with ids: [RowID], by readers: some Readers) throws -> RowList {
    if ids.count == 1 { return try readers.read { try row(with: ids[0], $0) } }
    return try readers.readAtOneMoment { try rows(with: ids, $0.connection) }
  }

  /// The path of a fault that fires: no text is made or looked up.
  private func row(with id: RowID, _ reader: Reader) throws -> RowList {
    guard id.store == number, !id.isTemporary else { return RowList() }
    let root = schema.model.layout(number: id.entity).rootNumber
    let (statement, pump) = try reader.lookUps[root] ?? lookUp(root, reader)
    statement.bind(id.key, at: 1)
    return try pump.rows(of: statement, expected: 1)
  }

  private func lookUp(_ root: Int, _ reader: Reader) throws -> (Statement, RowPump) {
    let (text, shape) = selects.rows(of: schema.model.layout(number: root), keyCount: 1)
    let lookUp = (try reader.connection.statement(text), pump(shape))
    reader.lookUps[root] = lookUp
    return lookUp
  }

  /// For the commit too, which sees its own changes.
  func rows(with ids: [RowID], _ connection: Connection) throws -> RowList {
    var list = RowList()
    var keysByRoot: [Int: [Int64]] = [:]
    for id in ids where id.store == number && !id.isTemporary {
      keysByRoot[schema.model.layout(number: id.entity).rootNumber, default: []].append(id.key)
    }
    for (root, keys) in keysByRoot {
      var rest = keys[...]
      while !rest.isEmpty {
        let width = Self.width(for: rest.count)
        list.append(try rows(of: root, keys: rest.prefix(width), width, connection))
        rest = rest.dropFirst(width)
      }
    }
    return list
  }

  private func rows(of root: Int, keys: ArraySlice<Int64>, _ width: Int, _ connection: Connection) throws -> RowList {
    let (text, shape) = selects.rows(of: schema.model.layout(number: root), keyCount: width)
    let statement = try connection.statement(text)
    try statement.bind(keys: keys, width: width)
    return try pump(shape).rows(of: statement, expected: keys.count)
  }
}

extension RowList {
  /// Adds rows behind these.
  fileprivate mutating func append(_ other: RowList) {
    if pages.isEmpty {
      self = other
      return
    }
    if order != nil || other.order != nil {
      let first = UInt64(pages.count) << 32
      order = (order ?? Self.order(of: pages)) + (other.order ?? Self.order(of: other.pages)).map { $0 + first }
    }
    pages += other.pages
  }

  private static func order(of pages: [RowPage]) -> [UInt64] {
    pages.enumerated().flatMap { index, page in (0..<page.count).map { UInt64(index) << 32 | UInt64($0) } }
  }
}
