import Foundation

// benchmark-run [--rows N]... [--only WORKLOAD]... [--rounds N] [--history | --obligations] [--json FILE]
//
// Runs each workload in C, in this project and in GRDB, for several rounds, on copies of one store, and prints ratios
// within the same round. With --history, it compares this project with history and two merging processes to itself without
// them; with --obligations, to C that has the obligations of an object graph. With several sizes, it adds a table of the
// growth of the costs.
//
// benchmark-run --postgresql FOLDER [--sqlalchemy FILE] ...
//
// Runs the workloads in C, in this project and in SQLAlchemy on the PostgreSQL server whose socket is in the folder.
//
// benchmark-run --instructions FILE [--record]
//
// Counts the instructions of this project's workloads and compares them with the file, or writes it.

let options = try Options(CommandLine.arguments.dropFirst())
let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
  "benchmark-\(ProcessInfo.processInfo.processIdentifier)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

if let file = options.instructions {
  let guardian = InstructionGuard(bench: Bench(rows: 2_000, rounds: 1, folder: folder), file: file)
  let isWithinLimit = try options.records ? guardian.record(options.workloads) : guardian.check(options.workloads)
  try? FileManager.default.removeItem(at: folder)
  exit(isWithinLimit ? 0 : 1)
}

var rows: [Row] = []
for size in options.sizes {
  let own = folder.appendingPathComponent(String(size))
  let bench = Bench(rows: size, rounds: options.rounds, folder: own, server: options.server)
  try FileManager.default.createDirectory(at: bench.folder, withIntermediateDirectories: true)
  try bench.prepare()
  print(Row.heading(options.comparison, rows: size))
  for work in options.workloads {
    let row = try bench.row(for: work, options.comparison)
    print(row.line)
    fflush(nil)
    rows.append(row)
  }
  try FileManager.default.removeItem(at: bench.folder)
  print()
}
if options.sizes.count > 1 { Curve(rows: rows, comparison: options.comparison).print() }
if let json = options.json {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
  try encoder.encode(rows).write(to: json)
}
let wrong = rows.filter { !$0.isEqualWork }
if !wrong.isEmpty {
  print("Not the same work: \(wrong.map(\.work).joined(separator: ", "))")
  exit(1)
}
