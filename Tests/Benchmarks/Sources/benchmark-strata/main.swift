import BenchmarkData
import BenchmarkEvents
import CoreData

// benchmark-strata prepare|empty STORE ROWS        creates the store that all programs use
// benchmark-strata WORKLOAD STORE ROWS [history]       runs one workload and prints its cost
// benchmark-strata follow STORE ROWS history       merges other processes' commits until standard input ends

let arguments = CommandLine.arguments
guard arguments.count >= 4, let rows = Int(arguments[3]) else {
  fatalError("Usage: benchmark-strata WORKLOAD STORE ROWS [history]")
}
let file = NSPersistentStoreDescription(url: URL(fileURLWithPath: arguments[2]))
let container = try Catalog.open(file, history: arguments.contains("history"))
switch arguments[1] {
case "prepare": try Preparation(container: container).fill(rows: rows)
case "empty": try Preparation(container: container).fill(rows: 0)
case "follow": try Following(container: container).untilInputEnds()
case let work:
  let stopwatch = Stopwatch()
  let sum = try Workloads(container: container, rows: rows, timed: stopwatch).run(work)
  benchmark_report(work, stopwatch.times, sum)
}
