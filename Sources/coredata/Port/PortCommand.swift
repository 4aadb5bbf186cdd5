#if DeveloperTool
import ArgumentParser
import Foundation
import StrataPorting

/// `coredata port`: prints or makes the changes that sources for Apple's platforms need on Linux.
struct PortCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "port",
    abstract: "Rewrite Swift sources for Apple's platforms so that they also compile on Linux.",
    discussion: """
      Without --write, prints a diff. Wraps @objc attributes in #if canImport(ObjectiveC), turns #keyPath into string \
      literals, replaces casts of fetch requests, adds missing imports, makes imports of Apple-only modules conditional. Then \
      lists what needs manual changes: file, line, reason, and a section of the article "Porting from Apple's Core Data".

      Apply the diff in the working directory with 'git apply' or 'patch -p1'. If a changed file is outside of the working \
      directory, apply the diff in '/'.

      In a folder, each folder in Sources or Tests counts as a module. Exits with status 1 if there are changes that are not \
      written, or places that need manual changes, and with status 3 if a path has no Swift sources.
      """)

  @Argument(help: ArgumentHelp("Source files, or folders that are searched for them.", valueName: "path"))
  var paths: [String]

  @Flag(help: "Edit the files instead of printing the changes.")
  var write = false

  @Flag(help: "Print the report as JSON.")
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
      /// Absent if the file cannot be parsed.
      var section: String?
    }

    let formatVersion = 1
    var isWritten: Bool
    var files: [File]
    var remarks: [Place]
  }

  func run() throws {
    let files = try ported()
    let report = PortReport(files, isWritten: write)
    if json {
      try Console.print(json: summary(of: files, report))
    } else {
      if !write {
        let diff = report.diff(workingDirectory: FileManager.default.currentDirectoryPath)
        FileHandle.standardOutput.write(Data(diff))
      }
      for line in report.remarks { print(Console.printable(line)) }
      fflush(nil)
      Console.printError("coredata: \(report.summary)")
    }
    if report.hasRemarks || (report.hasChanges && !write) { throw ExitCode(ToolStatus.differs.rawValue) }
  }

  /// The files, which are written if the user wants that.
  private func ported() throws -> [PortedFile] {
    do throws(PortError) {
      let run = try PortRun(paths: paths)
      if write { try run.write() }
      return run.files
    } catch {
      throw ToolFailure(error.isMissing ? .missing : .unusable, error.message)
    }
  }

  private func summary(of files: [PortedFile], _ report: PortReport) -> Report {
    Report(
      isWritten: write,
      files: files.filter(\.isChanged).map { file in
        .init(path: file.path, changes: Dictionary(uniqueKeysWithValues: file.counts.map { ($0.rawValue, $1) }))
      },
      remarks: report.places.map { path, remark in
        .init(file: path, line: remark.line, reason: remark.reason, section: remark.section?.rawValue)
      })
  }
}
#endif
