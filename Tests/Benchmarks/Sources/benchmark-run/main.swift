import Foundation

// benchmark-run [--rows N] [--only WORK] [--rounds N] [--json FILE]
//
// Runs each work in turn by C, by this project and by GRDB, several rounds, on copies of one store, and prints what each
// took as a ratio to C within the same round.

let options = try Options(CommandLine.arguments.dropFirst())
let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
  "benchmark-\(ProcessInfo.processInfo.processIdentifier)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

let bench = Bench(options: options, folder: folder)
try bench.prepare()
var rows: [Row] = []
print(Row.heading)
for work in Work.all where options.only.isEmpty || options.only.contains(work.name) {
  let row = try bench.row(for: work)
  print(row.line)
  rows.append(row)
}
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
