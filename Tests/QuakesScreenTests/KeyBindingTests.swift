import StrataQuakesScreen
import Testing

@testable import strata_quakes

@Suite struct KeyBindingTests {
  @Test(arguments: [ScreenPlace.list, .detail, .map, .help])
  func `each key has one meaning`(place: ScreenPlace) {
    let keys = KeyBinding.all.filter { $0.places.contains(place) }.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
  }

  @Test(arguments: [ScreenPlace.list, .detail, .map, .help])
  func `the footer names the keys' commands`(place: ScreenPlace) {
    let foot = KeyBinding.foot(of: place, newCount: 3, isFiltered: true)
    #expect(foot.map(\.word).suffix(2) == ["help", "quit"])
    #expect(foot.contains { $0.word == "3 new" } == (place != .help))
    #expect(foot.contains { $0 == ("Esc", "clear") } == (place == .list))
    let useless = KeyBinding.foot(of: place, newCount: 0, isFiltered: false)
    #expect(!useless.contains { $0.key == "u" || $0.word == "clear" })
    for (key, word) in foot where key.count == 1 {
      #expect(KeyBinding.command(of: .character(Character(key)), in: place) != nil, "\(key) \(word)")
    }
  }

  @Test(arguments: [ScreenPlace.list, .detail, .map, .help])
  func qGoesBackToTheListAndQuitsThere(place: ScreenPlace) {
    #expect(KeyBinding.command(of: .character("q"), in: place) == (place == .list ? .quit : .back))
    #expect(KeyBinding.command(of: .escape, in: place) == (place == .list ? .clear : .back))
    for key in [Key.character("Q"), .control("c")] { #expect(KeyBinding.command(of: key, in: place) == .quit) }
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
  func `marks can be set wherever an earthquake is selected`(command: ScreenCommand) {
    let places = KeyBinding.all.filter { $0.command == command }.flatMap(\.places)
    #expect(places == [.list, .detail, .map])
  }
}
