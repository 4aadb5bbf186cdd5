import BenchmarkData
import BenchmarkEvents
import GRDB

// benchmark-grdb WORKLOAD STORE ROWS: runs one workload and prints its cost.

let arguments = CommandLine.arguments
guard arguments.count >= 4, let rows = Int(arguments[3]) else {
  fatalError("Usage: benchmark-grdb WORKLOAD STORE ROWS")
}
var configuration = Configuration()
configuration.prepareDatabase { db in
  try db.execute(sql: "PRAGMA journal_mode = WAL")
  try db.execute(sql: "PRAGMA synchronous = NORMAL")
  try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
}
let stopwatch = Stopwatch()
let queue = try DatabaseQueue(path: arguments[2], configuration: configuration)
let sum = try Workloads(queue: queue, rows: rows, timed: stopwatch).run(arguments[1])
benchmark_report(arguments[1], stopwatch.times, sum)
