#if DeveloperTool
import ArgumentParser
import Foundation
import StrataSystemChecks

/// `coredata doctor`: checks what stores need of the system.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check the system and, with a path, a store's folder or a package for problems.",
    discussion: """
      In the folder of a Swift package, it checks whether the targets with models or @NSManaged members use the plugin \
      CoreDataModel: without it, the linker reports their accessors as undefined symbols.

      Changes nothing. Exits with status 1 if a check fails; warnings do not affect it.
      """)

  @Argument(help: ArgumentHelp("A store, its folder, or the folder of a package.", valueName: "path"))
  var path: String?

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let url = try path.map(ModelLocation.url)
    var isFolder: ObjCBool = false
    if let url { _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) }
    let folder = url.map { isFolder.boolValue ? $0 : $0.deletingLastPathComponent() }
    var findings = SystemCheck().findings + InotifyCheck(folder: folder?.path).findings
    if let folder {
      findings +=
        FolderCheck(
          folder.path, isPrivate: false, harm: "replace stores in it", comfortableBytes: 100 << 20,
          adviceToMove: "move the store to a local disk"
        ).findings
    }
    if let url {
      findings += isFolder.boolValue ? PackageCheck(folder: url)?.findings ?? [] : StoreFileCheck(url: url).findings
    }
    let report = DoctorReport(findings)
    if json {
      print(try report.json(isPretty: true))
    } else {
      for line in Self.lines(findings) { print(Console.printable(line)) }
    }
    if !report.isSound { throw ExitCode(ToolStatus.differs.rawValue) }
  }

  private static func lines(_ findings: [Finding]) -> [String] {
    Console.table(
      findings.flatMap { finding in
        [[finding.state.rawValue, finding.name, finding.text]] + (finding.advice.map { [["", "", "→ \($0)"]] } ?? [])
      })
  }
}
#endif
