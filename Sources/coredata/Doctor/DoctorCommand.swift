#if DeveloperTool
import ArgumentParser
import Foundation

/// `coredata doctor`: checks what stores need of the system.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check the system and, with a path, a store's folder for problems.",
    discussion: """
      Changes nothing. Exits with status 1 if a check fails; warnings do not affect it.
      """)

  @Argument(help: ArgumentHelp("A store, or its folder.", valueName: "path"))
  var path: String?

  @Flag(help: "Print JSON.")
  var json = false

  private struct Report: Encodable {
    let formatVersion = 1
    var ok: Bool
    var checks: [DoctorFinding]
  }

  func run() throws {
    let url = try path.map(ModelLocation.url)
    var isFolder: ObjCBool = false
    if let url { _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) }
    let folder = url.map { isFolder.boolValue ? $0 : $0.deletingLastPathComponent() }
    var findings = SystemCheck().findings + InotifyLimitsCheck(folder: folder).findings
    if let folder { findings += StoreFolderCheck(path: folder.path).findings }
    if let url, !isFolder.boolValue { findings += StoreFileCheck(url: url).findings }
    let isSound = !findings.contains { $0.state == .fail }
    if json {
      try Console.print(json: Report(ok: isSound, checks: findings))
    } else {
      for line in Self.lines(findings) { print(Console.printable(line)) }
    }
    if !isSound { throw ExitCode(ToolStatus.differs.rawValue) }
  }

  private static func lines(_ findings: [DoctorFinding]) -> [String] {
    Console.table(
      findings.flatMap { finding in
        [[finding.state.rawValue, finding.name, finding.text]] + (finding.advice.map { [["", "", "→ \($0)"]] } ?? [])
      })
  }
}
#endif
