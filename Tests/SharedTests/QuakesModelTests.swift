import CoreData
import Foundation
import Testing

@testable import StrataQuakes

/// The model embedded in the programs.
struct QuakesModelTests {
  /// A store opens only with a model with the same hashes: these are in all stores that Quakes has written so far.
  @Test func storesThatExistAreOpened() throws {
    let container = QuakesContainer(name: StoreLocation.storeName)
    let hashes = container.managedObjectModel.entityVersionHashesByName.mapValues { $0.base64EncodedString() }
    #expect(
      hashes == [
        "Feed": "2v/mLqlpNOsirtZCwdqimiithz/amePK72GZTZYy6mw=",
        "Quake": "fAycfzuQ9m3CVd4YW/XLx5WgFWbQDLoHhV6eTO0DIEM=",
      ])
  }

  @Test func objectsAreOfTheClassesOfTheModule() throws {
    let model = QuakesContainer(name: StoreLocation.storeName).managedObjectModel
    let classes = model.entitiesByName.mapValues(\.managedObjectClassName)
    #expect(classes == ["Quake": "StrataQuakes.Quake", "Feed": "StrataQuakes.Feed"])
  }
}
