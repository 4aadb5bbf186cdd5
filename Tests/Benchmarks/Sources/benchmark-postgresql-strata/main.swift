import BenchmarkData
import BenchmarkEvents
import CoreDataPostgreSQL

// benchmark-postgresql-strata prepare|empty URL ROWS       creates the store that all programs use
// benchmark-postgresql-strata WORKLOAD URL ROWS [history]  runs one workload and prints its cost
// benchmark-postgresql-strata write URL SECONDS history NUMBER PAUSE   repeatedly saves a quake of its own
// benchmark-postgresql-strata follow URL SECONDS history   merges the saves of other processes

let arguments = CommandLine.arguments
guard arguments.count >= 4, let rows = Int(arguments[3]), let url = URL(string: arguments[2]) else {
  fatalError("Usage: benchmark-postgresql-strata WORKLOAD URL ROWS [history]")
}
let schema = NSPersistentStoreDescription(url: url)
schema.type = NSPostgreSQLStoreType
let container = try Catalog.open(schema, history: arguments.contains("history"))
switch arguments[1] {
case "prepare": try Preparation(container: container).fill(rows: rows)
case "empty": try Preparation(container: container).fill(rows: 0)
case "write":
  try Sharing(container: container, seconds: Double(rows)).write(
    quake: Int(arguments[5]) ?? 0, pause: Double(arguments[6]) ?? 0)
case "follow": try Sharing(container: container, seconds: Double(rows)).follow()
case let work:
  let stopwatch = Stopwatch()
  let sum = try Workloads(container: container, rows: rows, timed: stopwatch).runOnServer(work)
  benchmark_report(work, stopwatch.times, sum)
}
