import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesCompletion

/// `quakes open ID`: opens an earthquake's page.
struct Open: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Open the page that a service has of an earthquake, in a browser.",
    discussion: """
      The browser is the first that can be started of those in $BROWSER, which are separated by colons; each may have \
      arguments, and %s where the address belongs. Without $BROWSER it is xdg-open. Only http and https addresses are \
      opened, and no shell sees them.
      """)

  @Flag(help: "Print the address instead.")
  var print = false

  @Argument(help: "The earthquake's id, or a part of it that no other has.", completion: .earthquakes)
  var id: String

  @OptionGroup var locationOptions: LocationOptions

  mutating func run() throws {
    let store = try OpenStore(locationOptions, needsCities: false)
    let found = try store.read { context in try Quake.find(typed: id, in: context)?.facts }
    guard let quake = found else { throw Failure.noQuake(id) }
    guard let page = quake.page else {
      let reason = quake.url.map { "\"\($0)\" is no http or https address" } ?? "its service gave none"
      throw Failure(.notFound, "there is no page of \"\(quake.identifier)\" to open: \(reason)")
    }
    if !print {
      guard let trouble = Browser.open(page) else { return }
      StandardStream.error.line("quakes: no browser opened it: \(trouble); open the address yourself, or set BROWSER")
    }
    try Output.line("\(page)")
  }
}
