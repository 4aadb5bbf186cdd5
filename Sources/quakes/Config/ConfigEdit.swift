import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesConfig

/// `quakes config edit`: opens the settings in the user's editor.
struct ConfigEdit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit the settings with $VISUAL or $EDITOR; creates the file if it is missing.")

  @OptionGroup var options: ConfigOptions

  mutating func run() throws {
    let file = options.file
    if !file.exists { try Self.make(file) }
    let command = Self.editor
    // A shell reads the command, so it may have options and quotes; the path is a word of its own.
    guard let editor = ChildProcess(["/bin/sh", "-c", "\(command) \"$1\"", "sh", file.url.path]) else {
      throw Failure(.configuration, "cannot start \"\(command)\": \(Failure.systemError()); set EDITOR")
    }
    let status = editor.wait()
    guard status == 0 else {
      throw Failure(.configuration, "the editor \"\(command)\" ended with status \(status); set EDITOR to another")
    }
    _ = try options.settings()
  }

  private static var editor: String {
    let chosen = ["VISUAL", "EDITOR"].compactMap { Environment.variable($0) }.first { !$0.isEmpty }
    return chosen ?? (access("/usr/bin/editor", X_OK) == 0 ? "/usr/bin/editor" : "vi")
  }

  private static func make(_ file: SettingsFile) throws(Failure) {
    do {
      try FileManager.default.createDirectory(
        at: file.url.deletingLastPathComponent(), withIntermediateDirectories: true)
      // Does not overwrite a file that another process created in the meantime.
      try Data(SettingsFile.sample.utf8).write(to: file.url, options: .withoutOverwriting)
    } catch {
      throw Failure(
        .configuration,
        "cannot create \(file.url.path): \(Failure.systemError(of: error)); choose another file with --config",
        cause: error)
    }
  }
}
