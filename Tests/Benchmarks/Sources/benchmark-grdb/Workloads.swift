import BenchmarkData
import BenchmarkEvents
import GRDB

/// The workloads by name, in GRDB's fastest style: records decoded by column index, statements prepared once.
struct Workloads {
  let queue: DatabaseQueue
  let rows: Int
  let timed: Stopwatch

  func run(_ name: String) throws -> benchmark_sum {
    switch name {
    case "insert": try insert(first: 0, count: rows, saveEvery: rows)
    case "insert-1000": try insert(first: 0, count: rows, saveEvery: 1_000)
    case "single": try insert(first: rows, count: 1_000, saveEvery: 1)
    case "all": try all { $0.add(to: &$1) }
    case "one": try all { $1.reals += $0.magnitude }
    case "ids": try ids()
    case "look-up": try lookUps()
    case "sorted": try sortedPages()
    case "import": try importFeed()
    case "update": try update()
    case "delete": try delete()
    case "to-many": try toMany()
    case "to-many-prefetched": try toManyPrefetched()
    case "many-to-many": try manyToMany()
    case "many-to-many-prefetched": try manyToManyPrefetched()
    case "first-50": try first50()
    case "first-50-batched": try first50Batched()
    case "hold": try hold()
    default: fatalError("Unknown workload '\(name)'.")
    }
  }

  // MARK: Writing

  private static let insertion = """
    INSERT INTO ZQUAKE (Z_PK, Z_ENT, Z_OPT, ZTIME, ZUPDATED, ZMAGNITUDE, ZLATITUDE, ZLONGITUDE, ZDEPTH, ZIDENT, ZPLACE, \
    ZNET, ZSTATUS, ZTYPE, ZFELT, ZSIGNIFICANCE, ZREGION) VALUES (?, 1, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  private func nextKey(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1")! + 1  // the table has every entity
  }

  private func store(nextKey key: Int64, _ db: Database) throws {
    try db.execute(sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = 1", arguments: [key - 1])
  }

  private func regionKeys(_ db: Database) throws -> [Int64] {
    try Int64.fetchAll(db, sql: "SELECT Z_PK FROM ZREGION ORDER BY ZNUMBER")
  }

  private func insert(first: Int, count: Int, saveEvery size: Int) throws -> benchmark_sum {
    let events = (0..<count).map { Event(first + $0) }
    return try timed {
      let regions = try queue.read { try regionKeys($0) }
      for start in stride(from: 0, to: count, by: size) {
        try queue.write { db in
          var key = try nextKey(db)
          let statement = try db.cachedStatement(sql: Self.insertion)
          for event in events[start..<min(start + size, count)] {
            try statement.execute(arguments: event.arguments(key: key, region: regions[event.region]))
            key += 1
          }
          try store(nextKey: key, db)
        }
      }
      return benchmark_sum(reals: 0, integers: Int64(count))
    }
  }

  private func importFeed() throws -> benchmark_sum {
    let feed = (0..<Int(BENCHMARK_FEED)).map { Event(feed: $0, rows: rows) }
    return try timed {
      try queue.write { db in
        var known = [String: Quake](minimumCapacity: feed.count)
        for start in stride(from: 0, to: feed.count, by: 1_000) {
          let idents = feed[start..<start + 1_000].map(\.ident)
          let placeholders = databaseQuestionMarks(count: idents.count)
          let statement = try db.cachedStatement(
            sql: "SELECT \(Quake.columns) FROM ZQUAKE WHERE ZIDENT IN (\(placeholders))")
          for quake in try Quake.fetchAll(statement, arguments: StatementArguments(idents)) {
            known[quake.ident] = quake
          }
        }
        let regions = try regionKeys(db)
        let insertion = try db.cachedStatement(sql: Self.insertion)
        let update = try db.cachedStatement(
          sql: "UPDATE ZQUAKE SET Z_OPT = ?, ZMAGNITUDE = ?, ZUPDATED = ? WHERE Z_PK = ? AND Z_OPT = ?")
        var key = try nextKey(db)
        let first = key
        for event in feed {
          if let quake = known[event.ident] {
            guard !event.isSame(as: quake) else { continue }
            try update.execute(
              arguments: [quake.version + 1, event.magnitude, event.updated, quake.key, quake.version])
          } else {
            try insertion.execute(arguments: event.arguments(key: key, region: regions[event.region]))
            key += 1
          }
        }
        try store(nextKey: key, db)
        return benchmark_sum(reals: 0, integers: key - first)
      }
    }
  }

  /// The number of regions that have about 10,000 quakes in total.
  private var regionsTouched: Int { max(1, min(750, 10_000 * 750 / rows)) }

  private func update() throws -> benchmark_sum {
    try timed {
      try queue.write { db in
        let quakes = try Quake.fetchAll(
          db,
          sql: """
            SELECT \(Quake.columns) FROM ZQUAKE WHERE ZREGION IN (SELECT Z_PK FROM ZREGION WHERE ZNUMBER < ?)
            """, arguments: [regionsTouched])
        let update = try db.cachedStatement(
          sql: "UPDATE ZQUAKE SET Z_OPT = ?, ZMAGNITUDE = ? WHERE Z_PK = ? AND Z_OPT = ?")
        for quake in quakes {
          try update.execute(arguments: [quake.version + 1, quake.magnitude + 0.25, quake.key, quake.version])
        }
        return benchmark_sum(reals: 0, integers: Int64(quakes.count))
      }
    }
  }

  private func delete() throws -> benchmark_sum {
    try timed {
      try queue.write { db in
        let quakes = try Int64.fetchAll(
          db, sql: "SELECT Z_PK FROM ZQUAKE WHERE ZREGION IN (SELECT Z_PK FROM ZREGION WHERE ZNUMBER < ?)",
          arguments: [regionsTouched])
        let links = try db.cachedStatement(sql: "DELETE FROM Z_1TAGS WHERE Z_1QUAKES = ?")
        let rows = try db.cachedStatement(sql: "DELETE FROM ZQUAKE WHERE Z_PK = ?")
        for key in quakes {
          try links.execute(arguments: [key])
          try rows.execute(arguments: [key])
        }
        try db.execute(sql: "DELETE FROM ZREGION WHERE ZNUMBER < ?", arguments: [regionsTouched])
        let left = try Int64.fetchOne(db, sql: "SELECT COUNT(*) FROM ZQUAKE")!  // a count is one row
        return benchmark_sum(reals: 0, integers: left)
      }
    }
  }
}
