import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesConfig
import StrataSystemChecks

/// `quakes doctor`: checks whatever the programs need.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the stores, the worker and the system, and suggest fixes.",
    discussion: """
      Changes nothing. Exit status: 0 if no check fails, 1 otherwise. Warnings do not affect the exit status.
      """)

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var locationOptions: LocationOptions

  mutating func run() throws {
    var findings: [Finding] = []
    var settings = Settings(of: SettingsFile(option: locationOptions.config))
    do throws(Failure) {
      settings = try locationOptions.settings()
    } catch {
      findings.append(Finding("settings", .fail, error))
    }
    let terminal = output.terminal(settings)
    do throws(Failure) {
      let location = try locationOptions.location(isChecked: false)
      findings += Self.folderCheck(location.folder.path).findings
      findings += StoresCheck(location: location, now: Date()).findings
      findings += InotifyCheck(folder: location.folder.path).findings
    } catch {
      findings.append(Finding("folder", .fail, error))
    }
    findings += [TerminalCheck(terminal: terminal).finding] + ProgramCheck().findings
    let report = DoctorReport(findings)
    try Output.line(json ? OutputText(report.json()) : lines(findings, terminal))
    if !report.isSound { Foundation.exit(ExitStatus.noMatch.rawValue) }
  }

  /// A month of all earthquakes takes about 30 MB, and writing it as much again.
  private static func folderCheck(_ path: String) -> FolderCheck {
    let other = "choose another folder with --store or QUAKES_STORE"
    return FolderCheck(
      path, isPrivate: true, harm: "change what you read and what your alerts run", minimumBytes: 50 << 20,
      comfortableBytes: 500 << 20, adviceIfMissing: "run \"quakes workers start\", which creates it, or \(other)",
      adviceToMove: other)
  }

  private func lines(_ findings: [Finding], _ terminal: Terminal) -> OutputText {
    let width = findings.map(\.name.count).max() ?? 0
    let start = "STATE".count + 2 + width + 2
    let lines = findings.map { finding in
      let state = DisplayWidth.padded(finding.state.rawValue, to: "STATE".count)
      let name = DisplayWidth.padded(finding.name, to: width)
      // The colors of a magnitude that is harmless, moderate or large.
      let mark = terminal.colored(state, magnitude: [.ok: 3, .warn: 5, .fail: 7][finding.state])
      let texts = [finding.text, finding.advice.map { "→ \($0)" }].compactMap { $0 }
      let text = texts.flatMap { wrapped($0, from: start, in: terminal) }
        .joined(separator: "\n" + OutputText(String(repeating: " ", count: start)))
      return "\(mark)  \(name)  \(text)" as OutputText
    }
    let head = terminal.heading("STATE  \(DisplayWidth.padded("CHECK", to: width))  FINDING")
    return ([head] + lines).joined(separator: "\n")
  }

  /// The lines of a text that begins in a column.
  private func wrapped(_ text: String, from start: Int, in terminal: Terminal) -> [OutputText] {
    guard let columns = terminal.columns, columns - start >= 20 else { return [OutputText(text)] }
    var lines: [String] = []
    for word in Terminal.printable(text).split(separator: " ") {
      if let last = lines.last, DisplayWidth.columns(last) + 1 + DisplayWidth.columns(String(word)) <= columns - start {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines.map { OutputText($0) }
  }
}
