import StrataManagedModel
import StrataRowStore
import StrataSQLiteEngine

/// Look-ups by ID.
extension SQLStore {
  package func rows(with ids: [RowID]) throws -> RowList { try rows(with: ids, by: readers) }

  func rows(with ids: [RowID], by readers: some Readers) throws -> RowList {
    if ids.count == 1 { return try readers.read { try row(with: ids[0], $0) } }
    return try readers.readInOneTransaction { try rows(with: ids, $0.connection) }
  }

  /// The path of a firing fault: no SQL text is built or looked up.
  private func row(with id: RowID, _ reader: Reader) throws -> RowList {
    guard id.store == number, !id.isTemporary else { return RowList() }
    let root = schema.model.layout(number: id.entity).rootNumber
    let (statement, fetcher) = try reader.lookUps[root] ?? lookUp(root, on: reader)
    statement.bind(id.key, at: 1)
    return try fetcher.rows(of: statement, expected: 1)
  }

  private func lookUp(_ root: Int, on reader: Reader) throws -> (Statement, RowFetcher) {
    let (text, shape) = selects.rows(of: schema.model.layout(number: root), .one, packing: true)
    let lookUp = (try reader.connection.statement(text), fetcher(shape))
    reader.lookUps[root] = lookUp
    return lookUp
  }

  /// Used by commits too, which see their own changes.
  func rows(with ids: [RowID], _ connection: Connection) throws -> RowList {
    var list = RowList()
    for (root, keys) in keysByRoot(ids) {
      for part in KeyParts(keys.ascendingKeys()) { list.append(try rows(of: root, part: part, on: connection)) }
    }
    return list
  }

  private func keysByRoot(_ ids: [RowID]) -> [Int: [Int64]] {
    var keys: [Int: [Int64]] = [:]
    // Ids mostly come in runs of one root.
    var (entity, root) = (-1, -1)
    var run: [Int64] = []
    run.reserveCapacity(ids.count)
    for id in ids where id.store == number && !id.isTemporary {
      if id.entity != entity {
        entity = id.entity
        let next = schema.model.layout(number: entity).rootNumber
        if next != root, !run.isEmpty {
          keys[root, default: []] += run
          run = []
        }
        root = next
      }
      run.append(id.key)
    }
    guard !run.isEmpty else { return keys }
    if keys.isEmpty { return [root: run] }
    keys[root, default: []] += run
    return keys
  }

  private func rows(of root: Int, part: KeyParts.Part, on connection: Connection) throws -> RowList {
    let (text, shape) = selects.rows(of: schema.model.layout(number: root), part.test, packing: true)
    let statement = try connection.statement(text)
    try part.bind(to: statement)
    func read() throws -> RowList { try fetcher(shape).rows(of: statement, expected: part.keys.count) }
    let isScan = part.test == .range && part.keys.count >= Connection.minimumScanRows
    let rows = try isScan ? connection.withSmallCache(read) : read()
    return part.isWhole ? rows : rows.only(part.keys)
  }
}

extension RowList {
  /// The rows with the given keys, from a list in key order.
  fileprivate func only(_ keys: ArraySlice<Int64>) -> RowList {
    var wanted = keys[...]
    let positions = order ?? Self.positions(in: pages)
    return RowList(
      pages: pages,
      order: positions.filter { position in
        let key = pages[Int(position >> 32)].id(Int(position & 0xFFFF_FFFF)).key
        while let first = wanted.first, first < key { wanted.removeFirst() }
        return wanted.first == key
      })
  }

  fileprivate mutating func append(_ other: RowList) {
    if pages.isEmpty {
      self = other
      return
    }
    if order != nil || other.order != nil {
      let first = UInt64(pages.count) << 32
      order = (order ?? Self.positions(in: pages)) + (other.order ?? Self.positions(in: other.pages)).map { $0 + first }
    }
    pages += other.pages
    isInOrderOfKeys = false
  }
}
