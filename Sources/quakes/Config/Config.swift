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

  func settings() throws(Failure) -> Settings { try file.settings { StandardStream.error.line("quakes: \($0)") } }
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
    let settings = try options.settings()
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
    let state = options.file.exists ? "no mistakes" : "there is no such file; all settings have their defaults"
    try Output.line("\(path): \(state)")
  }
}
