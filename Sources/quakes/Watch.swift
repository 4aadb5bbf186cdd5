import ArgumentParser
import Dispatch
import Foundation
import StrataQuakes

/// `quakes watch`: the list, kept up to date while other processes commit.
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Keep the list on the screen, and follow what the worker commits.",
    discussion: "Nothing is polled: the store tells of each commit. Ctrl-C ends it.")

  @OptionGroup var storeOptions: StoreOptions
  @OptionGroup var filterOptions: FilterOptions
  @OptionGroup var look: LookOptions

  mutating func run() throws {
    let (container, location) = try storeOptions.open()
    let options = WatchScreen.Options(
      filter: filterOptions, look: look, location: location, isInPlace: look.terminal.isTerminal)
    DispatchQueue.main.async {
      MainActor.assumeIsolated { WatchScreen(container, options).begin() }
    }
    dispatchMain()
  }
}
