#if DeveloperTool
import ArgumentParser
import Foundation
import StrataPorting

/// `coredata port`: rewrites what Swift on Linux cannot compile.
struct PortCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "port", abstract: "Rewrite what Swift on Linux cannot compile in programs for Apple's Core Data.",
    discussion: """
      Prints the changes as a difference that 'patch -p0' applies, or makes them with --write. The result still compiles on \
      Apple's platforms: @objc words go behind #if canImport(ObjectiveC), key paths of Objective-C become text, casts of \
      requests become requests of the right type, missing imports are added, and imports of Apple's frameworks become \
      conditional. Comments, texts, and code that Linux does not compile stay as they are. Files of views and controllers \
      are left alone.

      Then lists the places that are left to you, with file, line, reason, and the section of the article "Porting from \
      Apple's Core Data". A second run changes nothing.

      In a folder, each folder in Sources or Tests counts as a module. Exits with status 1 if there are changes that are not \
      written, or if something is left to you.
      """)

  @Argument(help: ArgumentHelp("Source files, or folders that are searched for them.", valueName: "path"))
  var paths: [String]

  @Flag(help: "Edit the files instead of printing the changes.")
  var write = false

  @Flag(help: "As JSON.")
  var json = false

  private struct Report: Encodable {
    struct File: Encodable {
      var path: String
      var changes: [String: Int]
    }

    struct Place: Encodable {
      var file: String
      var line: Int
      var reason: String
      var section: String
    }

    let formatVersion = 1
    var isWritten: Bool
    var files: [File]
    var left: [Place]
  }

  func run() throws {
    let files = try ported()
    let report = PortReport(files)
    if json {
      try Console.print(json: summary(of: files))
    } else {
      if !write { FileHandle.standardOutput.write(Data(report.diff)) }
      for line in report.remarks { print(Console.printable(line)) }
      fflush(nil)
      Console.printError("coredata: \(report.summary(isWritten: write))")
    }
    if report.hasRemarks || (report.hasChanges && !write) { throw ExitCode(ExitStatus.differs.rawValue) }
  }

  /// The files, which are written if the user wants that.
  private func ported() throws -> [PortedFile] {
    do throws(PortError) {
      let run = try PortRun(paths: paths)
      if write { try run.write() }
      return run.files
    } catch {
      throw Failure(error.isMissing ? .missing : .unusable, error.message)
    }
  }

  private func summary(of files: [PortedFile]) -> Report {
    Report(
      isWritten: write,
      files: files.filter(\.isChanged).map { file in
        .init(path: file.path, changes: Dictionary(uniqueKeysWithValues: file.counts.map { ($0.rawValue, $1) }))
      },
      left: files.flatMap { file in
        file.remarks.map {
          .init(file: file.path, line: $0.line, reason: $0.reason, section: $0.section.rawValue)
        }
      })
  }
}
#endif
