import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesConfig

/// `quakes config`: shows, checks and edits the settings.
struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show, check or edit the settings.",
    discussion: SettingsFile.about,
    subcommands: [ConfigPath.self, ConfigCheck.self, ConfigPrint.self, ConfigEdit.self],
    defaultSubcommand: ConfigPrint.self)
}

/// Which settings file.
struct ConfigOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The settings (default: $QUAKES_CONFIG).", valueName: "file"), completion: .file())
  var config: String?

  var file: SettingsFile { SettingsFile(option: config) }

  /// - Parameter onWarning: called for each warning, which is also written to standard error.
  func settings(onWarning: () -> Void = {}) throws(Failure) -> Settings {
    try file.settings { warning in
      StandardStream.error.line("quakes: \(warning)")
      onWarning()
    }
  }
}

/// `quakes config path`: prints where the settings are.
struct ConfigPath: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "path", abstract: "Print the path of the settings file, even if it does not exist.")

  @OptionGroup var options: ConfigOptions

  mutating func run() throws { try Output.line(OutputText(options.file.url.path)) }
}

/// `quakes config check`: reports mistakes in the settings.
struct ConfigCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the settings: status 0 if they can be used, 78 if not.")

  @OptionGroup var options: ConfigOptions

  mutating func run() throws {
    var warnings = 0
    let settings = try options.settings { warnings += 1 }
    let path = options.file.url.path
    let places = try options.file.lines()
    _ = try KeyTable(settings)
    for view in settings.views(in: places) {
      do {
        _ = try ScreenFilter(view.filter)
      } catch {
        let place = places.lineText(of: ["views", view.name])
        throw Failure(.configuration, "\(path): views.\(view.name)\(place): \(error.text)")
      }
    }
    let mistakes = warnings == 0 ? "no mistakes" : "can be used, with \(CountText.of(warnings, "warning"))"
    let state = options.file.exists ? mistakes : "there is no such file; all settings have their defaults"
    try Output.line("\(path): \(state)")
  }
}
