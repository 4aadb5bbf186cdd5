import ArgumentParser
import Foundation
import StrataQuakes

/// `quakes place`: the places that the user keeps, such as `home`.
struct PlaceCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "place",
    abstract: "Keep places, such as home, to measure from.",
    discussion: "quakes near home, list --near home, and show, which tells how far an earthquake is from each place.",
    subcommands: [PlaceAdd.self, PlaceList.self, PlaceRemove.self],
    defaultSubcommand: PlaceList.self)
}
