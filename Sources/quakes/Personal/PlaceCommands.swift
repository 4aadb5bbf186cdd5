import ArgumentParser
import Foundation
import StrataQuakes

/// `quakes place`: the places that the user keeps, such as `home`.
struct PlaceCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "place",
    abstract: "Manage your places, such as home.",
    discussion: "quakes near home and quakes list --near home use a place; quakes show prints the distance from each.",
    subcommands: [PlaceAdd.self, PlaceList.self, PlaceRemove.self],
    defaultSubcommand: PlaceList.self)
}
