import ArgumentParser
import Foundation
import StrataQuakes

/// `quakes import FILE…`: has `quakes-fetch` import files, as only that writes the Catalog.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Import earthquakes from files.",
    discussion: """
      quakes-fetch --once reads them, and recognizes their formats by their content: "quakes-fetch --help" lists them. \
      This command passes on its output and exit status.
      """)

  @Argument(help: "The files to read; - for standard input.", completion: .file())
  var files: [String]

  @Option(help: ArgumentHelp("The format of the files, instead of recognizing it.", valueName: "format"))
  var format: String?

  @OptionGroup var locationOptions: LocationOptions

  mutating func validate() throws {
    if let address = files.first(where: { $0.contains("://") }) {
      throw ValidationError(
        "quakes does not use the network; run \"quakes-fetch --once \(address)\" to fetch an address.")
    }
  }

  /// Becomes the other program, so that its output, its status and its signals are its own.
  mutating func run() throws {
    let program = try SiblingProgram.path("quakes-fetch")
    var arguments = [program, "--once"]
    if let store = locationOptions.store { arguments += ["--store", store] }
    if let format { arguments += ["--format", format] }
    // With its whole path, no file has the name of a feed or of an option.
    arguments += files.map { $0 == "-" ? $0 : URL(fileURLWithPath: $0).path }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    execv(program, &words)
    let reason = Failure.systemError()
    for word in words { free(word) }
    throw Failure(.configuration, "cannot start \(program): \(reason)")
  }
}
