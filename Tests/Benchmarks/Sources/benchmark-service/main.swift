import BenchmarkService
import Foundation

// benchmark-service [--tasks N]... [--rounds N] [--seconds N] [--merging] [--folder FOLDER]
//
// Runs the load of a web service in GRDB and in this project, without and with history, in alternating order on new
// stores, and prints the medians of the rounds, and ratios to GRDB.

let options = Options(CommandLine.arguments.dropFirst())
let system = try FileSystemCheck(of: options.folder)
guard !system.isInMemory else {
  Options.fail("'\(options.folder.path)' is in memory (\(system.name)): name a folder on a disk with --folder.")
}
let contenders: [Contender] = [.grdb, .grdbSQL, .plain, .history] + (options.withMerging ? [.merging] : [])
print("Each save reads the same two tags and inserts a book with links to them. All tasks are in one process.")
print("The stores are on a disk (\(system.name)), in '\(options.folder.path)'.")
print("Medians of \(options.rounds) rounds of \(options.seconds) s; in parentheses, the ratio to GRDB with records.\n")

func cell(_ value: Double, _ base: Double, digits: Int) -> String {
  String(format: "%.\(digits)f (%.2f)", value, value / base).leftPadded(to: 15)
}

extension String {
  func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
  func rightPadded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

let headings = ["saves/s", "p50 ms", "p99 ms", "max ms", "CPU µs a save", "WAL MiB"].map { $0.leftPadded(to: 15) }
print("tasks " + "".rightPadded(to: 22) + headings.joined())
for tasks in options.tasks {
  var runs = [[ServiceFigures]](repeating: [], count: contenders.count)
  for round in 0..<options.rounds {
    for place in contenders.indices {
      // Another one begins each round.
      let index = (place + round) % contenders.count
      runs[index].append(
        try contenders[index].run(tasks: tasks, seconds: options.seconds, in: options.folder))
    }
  }
  let figures = runs.map(ServiceFigures.init(medianOf:))
  for (contender, own) in zip(contenders, figures) {
    let base = figures[0]
    print(
      "\(tasks)".leftPadded(to: 5) + " " + contender.title.rightPadded(to: 22)
        + cell(own.savesPerSecond, base.savesPerSecond, digits: 0) + cell(own.median, base.median, digits: 2)
        + cell(own.percentile99, base.percentile99, digits: 1) + cell(own.maximum, base.maximum, digits: 0)
        + cell(own.cpu, base.cpu, digits: 0) + cell(own.log, base.log, digits: 1))
  }
  fflush(nil)
}
