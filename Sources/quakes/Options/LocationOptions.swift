import ArgumentParser
import Foundation
import StrataQuakes
import StrataQuakesConfig

/// Which store to read, and which settings.
struct LocationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The store's folder (default: $QUAKES_STORE).", valueName: "folder"), completion: .directory)
  var store: String?

  @Option(
    help: ArgumentHelp("The settings (default: $QUAKES_CONFIG, else ~/.config/quakes/config.toml).", valueName: "file"),
    completion: .file())
  var config: String?

  /// - Throws: `Failure` with status 78 if the file has mistakes.
  func settings() throws(Failure) -> Settings {
    try SettingsFile(option: config).settings { StandardStream.error.line("quakes: \($0)") }
  }

  /// - Parameter isChecked: whether a folder that others may write is refused.
  func location(isChecked: Bool = true) throws(Failure) -> StoreLocation {
    try StoreLocation(option: store, isChecked: isChecked)
  }

  /// Opens an existing store.
  ///
  /// - Parameter isWatched: whether `.NSPersistentStoreRemoteChange` is posted for every commit.
  func open(isWatched: Bool = false) throws(Failure) -> (container: QuakesContainer, location: StoreLocation) {
    let location = try location()
    guard location.hasStore else { throw Failure.noStore(location) }
    return (try QuakesContainer.open(location, for: .reading, isWatched: isWatched), location)
  }

  /// Adds the Reference store to a container, for the names of cities; warns if it cannot be used.
  ///
  /// - Returns: nil without a Reference store; earthquakes are then shown without nearest cities.
  static func addReference(to container: QuakesContainer) -> ReferenceLocation? {
    guard let location = ReferenceLocation.find() else { return nil }
    do {
      try container.addReference(location)
      return location
    } catch {
      StandardStream.error.line("quakes: \(error.message)")
      return nil
    }
  }
  /// Adds the user's own data to a container, if it exists; warns if it cannot be used.
  ///
  /// - Returns: whether there are any; earthquakes are then shown with marks and places.
  static func addPersonal(to container: QuakesContainer, _ location: StoreLocation) -> Bool {
    do {
      return try container.addPersonal(location, for: .reading) != nil
    } catch {
      StandardStream.error.line("quakes: \(error.message)")
      return false
    }
  }
}
