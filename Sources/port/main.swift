import Foundation
import StrataPorting

// The program of the plugin `port-core-data`: ports the sources of one target, prints the diff or, with --write, edits them,
// and lists the places that need manual changes. Exit status: 0 unless a file cannot be read or written.

var arguments = CommandLine.arguments.dropFirst()
let isWriting = arguments.first == "--write"
if isWriting { arguments.removeFirst() }
guard let folder = arguments.popFirst() else {
  FileHandle.standardError.write(Data("Usage: strata-port [--write] FOLDER SOURCE…\n".utf8))
  exit(2)
}
do {
  let run = try PortRun(sources: Array(arguments), folder: folder)
  let report = PortReport(run.files, isWritten: isWriting)
  if isWriting {
    try run.write()
  } else {
    let diff = report.diff(workingDirectory: FileManager.default.currentDirectoryPath)
    FileHandle.standardOutput.write(Data(diff))
  }
  for line in report.remarks { print(line) }
  fflush(nil)
  FileHandle.standardError.write(Data((report.summary + "\n").utf8))
} catch {
  FileHandle.standardError.write(Data("port-core-data: \(error.message)\n".utf8))
  exit(4)
}
