import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesConfig

/// `quakes config print`: prints each setting as it counts, as TOML, and where it comes from.
struct ConfigPrint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "print", abstract: "Print the effective settings and their sources.")

  @Flag(help: "Print a sample file that explains all settings and their defaults.")
  var sample = false

  @Flag(help: ArgumentHelp("Print the manual page of the settings, for packages.", visibility: .hidden))
  var manual = false

  @OptionGroup var options: ConfigOptions

  mutating func run() throws {
    if sample || manual {
      try Output.write(OutputText(lines: sample ? SettingsFile.sample : SettingsFile.manual))
      return
    }
    let settings = try options.settings()
    let file = options.file
    let places = try file.lines()
    let state = file.exists ? "" : ", which does not exist"
    var lines: [OutputText] = ["# \(file.url.path)\(state)"]
    var table = ""
    for row in Settings.all {
      if row.table != table { lines += ["", "[\(row.table)]"] }
      table = row.table
      lines.append(Self.line(row, settings, places))
    }
    lines += ["", "[keys]"] + ScreenCommand.allCases.map { Self.line(of: $0, settings, places) }
    for name in settings.filterNames {
      lines += ["", OutputText("[filter.\(SettingValue.key(name))]")]
      lines += settings.words(ofFilter: name).map { OutputText("\($0.name) = \($0.value.text)") }
    }
    let views = settings.views(in: places)
    if !views.isEmpty { lines += ["", "[views]"] + views.map { OutputText($0.line) } }
    try Output.line(lines.joined(separator: "\n"))
  }

  private static func line(_ row: any SettingRow, _ settings: Settings, _ places: SettingLines) -> OutputText {
    let (value, origin) = effective(row, settings, places)
    guard let value else { return OutputText("#\(row.name) is not set") }
    return OutputText(DisplayWidth.padded("\(row.name) = \(value)", to: 26) + "  # \(origin)")
  }

  /// As a comment unless the file sets it: a command may have other keys in each view.
  private static func line(of command: ScreenCommand, _ settings: Settings, _ places: SettingLines) -> OutputText {
    let usual = KeyBinding.standard.first { $0.command == command }
    let written = settings.keys.keys.first { ScreenCommand(named: $0) == command }
    let keys = written.flatMap { settings.keys[$0] } ?? usual?.keys.map(\.name) ?? []
    let value = SettingValue.list(keys.map { .text($0) }).text
    let line = written.flatMap { places.line(of: ["keys", $0]) }.map { ", line \($0)" } ?? ""
    let text = "\(written == nil ? "#" : "")\(command.rawValue) = \(value)"
    return OutputText(DisplayWidth.padded(text, to: 40) + "  # \(usual?.words ?? "")\(line)")
  }

  private static func effective(
    _ row: any SettingRow, _ settings: Settings, _ places: SettingLines
  ) -> (value: String?, origin: String) {
    for variable in row.variables {
      if let value = Environment.variable(variable.name).flatMap(variable.value) {
        return (value.text, "$\(variable.name)")
      }
    }
    if let value = settings.value(of: row) {
      return (value.text, places.line(of: [row.table, row.name]).map { "line \($0)" } ?? "the file")
    }
    return (row.defaultValue, "default")
  }
}
