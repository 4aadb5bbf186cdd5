import BenchmarkData
import BenchmarkEvents
import Foundation
import GRDB

extension Workloads {
  func all(_ add: (Quake, inout benchmark_sum) -> Void) throws -> benchmark_sum {
    try timed {
      try queue.read { db in
        var sum = benchmark_sum()
        for quake in try Quake.fetchAll(db, sql: "SELECT \(Quake.columns) FROM ZQUAKE") { add(quake, &sum) }
        return sum
      }
    }
  }

  func ids() throws -> benchmark_sum {
    try timed {
      let keys = try queue.read { try Int64.fetchAll($0, sql: "SELECT Z_PK FROM ZQUAKE") }
      return benchmark_sum(reals: 0, integers: Int64(keys.count))
    }
  }

  func lookUps() throws -> benchmark_sum {
    let idents = (0..<min(100_000, rows)).map { Event(Int(benchmark_pick(UInt64($0), UInt64(rows)))).ident }
    return try timed {
      try queue.read { db in
        var sum = benchmark_sum()
        let statement = try db.cachedStatement(sql: "SELECT \(Quake.columns) FROM ZQUAKE WHERE ZIDENT = ?")
        for ident in idents { try Quake.fetchOne(statement, arguments: [ident])?.add(to: &sum) }
        return sum
      }
    }
  }

  func sortedPages() throws -> benchmark_sum {
    try timed {
      try queue.read { db in
        var sum = benchmark_sum()
        let statement = try db.cachedStatement(
          sql: """
            SELECT \(Quake.columns) FROM ZQUAKE WHERE ZMAGNITUDE >= ? AND ZTIME >= ? AND ZTIME < ? \
            ORDER BY ZTIME DESC LIMIT 50
            """)
        for page in 0..<200 {
          let first = 600_000_000 + Double(page) * 1_000_000
          for quake in try Quake.fetchAll(statement, arguments: [5.0, first, first + 100_000_000]) {
            quake.add(to: &sum)
          }
        }
        return sum
      }
    }
  }

  func toMany() throws -> benchmark_sum {
    try timed {
      try queue.read { db in
        var sum = benchmark_sum()
        let statement = try db.cachedStatement(sql: "SELECT \(Quake.columns) FROM ZQUAKE WHERE ZREGION = ?")
        for region in try Int64.fetchAll(db, sql: "SELECT Z_PK FROM ZREGION") {
          for quake in try Quake.fetchAll(statement, arguments: [region]) { sum.reals += quake.magnitude }
        }
        return sum
      }
    }
  }

  func toManyPrefetched() throws -> benchmark_sum {
    try timed {
      try queue.read { db in
        var sum = benchmark_sum()
        let regions = try Int64.fetchAll(db, sql: "SELECT Z_PK FROM ZREGION")
        let quakes = try Quake.fetchAll(
          db, sql: "SELECT \(Quake.columns) FROM ZQUAKE WHERE ZREGION IN (SELECT Z_PK FROM ZREGION)")
        let members = Dictionary(grouping: quakes, by: \.region)
        for region in regions { for quake in members[region] ?? [] { sum.reals += quake.magnitude } }
        return sum
      }
    }
  }

  /// The tags by key.
  private func tags(_ db: Database) throws -> [Int64: Int64] {
    let rows = try Row.fetchAll(db, sql: "SELECT Z_PK, ZNUMBER, ZNAME FROM ZTAG")
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
  }

  func manyToMany() throws -> benchmark_sum {
    try timed {
      try queue.read { db in
        var sum = benchmark_sum()
        let numbers = try tags(db)
        let statement = try db.cachedStatement(sql: "SELECT Z_3TAGS FROM Z_1TAGS WHERE Z_1QUAKES = ?")
        for quake in try Quake.fetchAll(db, sql: "SELECT \(Quake.columns) FROM ZQUAKE LIMIT 10000") {
          for tag in try Int64.fetchAll(statement, arguments: [quake.key]) { sum.integers += numbers[tag] ?? 0 }
        }
        return sum
      }
    }
  }

  func manyToManyPrefetched() throws -> benchmark_sum {
    try timed {
      try queue.read { db in
        var sum = benchmark_sum()
        let numbers = try tags(db)
        let quakes = try Quake.fetchAll(db, sql: "SELECT \(Quake.columns) FROM ZQUAKE")
        var members = [Int64: [Int64]](minimumCapacity: quakes.count)
        let links = try Row.fetchCursor(db, sql: "SELECT Z_1QUAKES, Z_3TAGS FROM Z_1TAGS")
        while let link = try links.next() { members[link[0], default: []].append(link[1]) }
        for quake in quakes { for tag in members[quake.key] ?? [] { sum.integers += numbers[tag] ?? 0 } }
        return sum
      }
    }
  }

  func first50() throws -> benchmark_sum {
    try timed {
      try queue.read { db in
        var sum = benchmark_sum()
        let sql = "SELECT \(Quake.columns) FROM ZQUAKE ORDER BY ZTIME DESC LIMIT 50"
        for quake in try Quake.fetchAll(db, sql: sql) { quake.add(to: &sum) }
        return sum
      }
    }
  }

  /// All keys in order, then the records of the first 50.
  func first50Batched() throws -> benchmark_sum {
    try timed {
      try queue.read { db in
        var sum = benchmark_sum()
        let keys = try Int64.fetchAll(db, sql: "SELECT Z_PK FROM ZQUAKE ORDER BY ZTIME DESC")
        let statement = try db.cachedStatement(sql: "SELECT \(Quake.columns) FROM ZQUAKE WHERE Z_PK = ?")
        for key in keys.prefix(50) { try Quake.fetchOne(statement, arguments: [key])?.add(to: &sum) }
        return sum
      }
    }
  }

  /// Keeps all records, with every value read, until the end of the stretch.
  func hold() throws -> benchmark_sum {
    var kept: [Quake] = []
    let sum = try timed {
      kept = try queue.read { try Quake.fetchAll($0, sql: "SELECT \(Quake.columns) FROM ZQUAKE") }
      var sum = benchmark_sum()
      for quake in kept { quake.add(to: &sum) }
      return sum
    }
    return withExtendedLifetime(kept) { sum }
  }
}
