import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesCompletion

/// `quakes open ID`: opens an earthquake's page.
struct Open: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Open an earthquake's web page in the browser.",
    discussion: """
      Uses the first browser of the colon-separated list $BROWSER that starts; each may have arguments, and %s stands for \
      the address. Without $BROWSER, uses xdg-open. Only http and https addresses are opened, and without a shell.
      """)

  @Flag(help: "Print the address instead.")
  var print = false

  @Argument(help: "The earthquake's ID, or any unambiguous part of it.", completion: .earthquakes)
  var id: String

  @OptionGroup var locationOptions: LocationOptions

  mutating func run() throws {
    let store = try OpenStore(locationOptions, needsCities: false)
    let found = try store.read { context in try Quake.find(typed: id, in: context)?.facts }
    guard let quake = found else { throw Failure.noQuake(id) }
    guard let page = quake.page else {
      let reason = quake.url.map { "\"\($0)\" is not an http or https address" } ?? "its service does not have one"
      throw Failure(.notFound, "cannot open the page of \"\(quake.identifier)\": \(reason)")
    }
    if !print {
      guard let trouble = Browser.open(page) else { return }
      StandardStream.error.line("quakes: no browser opened it: \(trouble); open the address yourself, or set BROWSER")
    }
    try Output.line("\(page)")
  }
}
