import BenchmarkData
import BenchmarkEvents
import CoreData

// benchmark-strata prepare|empty STORE ROWS        makes the store that all programs work on
// benchmark-strata WORK STORE ROWS [history]       does one work and prints what it took
// benchmark-strata follow STORE ROWS history       merges what others commit, until standard input ends

let arguments = CommandLine.arguments
guard arguments.count >= 4, let rows = Int(arguments[3]) else {
  fatalError("Usage: benchmark-strata WORK STORE ROWS [history]")
}
let container = try Catalog.open(arguments[2], history: arguments.contains("history"))
switch arguments[1] {
case "prepare": try Preparation(container: container).fill(rows: rows)
case "empty": try Preparation(container: container).fill(rows: 0)
case "follow": try Following(container: container).untilInputEnds()
case let work:
  let stopwatch = Stopwatch()
  let sum = try Works(container: container, rows: rows, timed: stopwatch).run(work)
  benchmark_report(work, stopwatch.times, sum)
}
