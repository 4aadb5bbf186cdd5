import StrataQuakesScreen
import Testing

@testable import strata_quakes

@Suite struct KeyBindingTests {
  @Test(arguments: [ScreenPlace.list, .detail, .map, .help])
  func noKeyMeansTwoThings(place: ScreenPlace) {
    let keys = KeyBinding.all.filter { $0.places.contains(place) }.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
  }

  @Test(arguments: [ScreenPlace.list, .detail, .map, .help])
  func theFootNamesWhatTheKeysDo(place: ScreenPlace) {
    let foot = KeyBinding.foot(of: place, newCount: 3)
    #expect(foot.map(\.word).suffix(2) == ["help", "quit"])
    #expect(foot.contains { $0.word == "3 new" } == (place != .help))
    #expect(!KeyBinding.foot(of: place, newCount: 0).contains { $0.key == "u" })
    for (key, word) in foot where key.count == 1 {
      #expect(KeyBinding.command(of: .character(Character(key)), in: place) != nil, "\(key) \(word)")
    }
  }

  @Test func theArrowsMoveTheMapAndLeaveOtherViews() {
    #expect(KeyBinding.command(of: .left, in: .map) == .panLeft)
    #expect(KeyBinding.command(of: .left, in: .detail) == .back)
    #expect(KeyBinding.command(of: .down, in: .map) == .panDown)
    #expect(KeyBinding.command(of: .down, in: .list) == .down)
    #expect(KeyBinding.command(of: .character("m"), in: .list) == .map)
    #expect(KeyBinding.command(of: .character("m"), in: .map) == .back)
  }

  @Test(arguments: [ScreenCommand.star, .acknowledge, .note, .page])
  func marksAreSetWhereverAnEarthquakeIsSelected(command: ScreenCommand) {
    let places = KeyBinding.all.filter { $0.command == command }.flatMap(\.places)
    #expect(places == [.list, .detail, .map])
  }
}
