import StrataQuakesScreen
import Testing

@testable import StrataQuakesCommand

@Suite struct KeyBindingTests {
  @Test(arguments: [ScreenKind.list, .detail, .map, .help])
  func `each key has one meaning`(kind: ScreenKind) {
    let keys = KeyBinding.all.filter { $0.kinds.contains(kind) }.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
  }

  @Test(arguments: [ScreenKind.list, .detail, .map, .help])
  func `the footer names the keys' commands`(kind: ScreenKind) {
    let foot = KeyBinding.foot(of: kind, newCount: 3, isFiltered: true)
    #expect(foot.map(\.word).suffix(2) == ["help", "quit"])
    #expect(foot.contains { $0.word == "3 new" } == (kind != .help))
    #expect(foot.contains { $0 == ("Esc", "clear") } == (kind == .list))
    let useless = KeyBinding.foot(of: kind, newCount: 0, isFiltered: false)
    #expect(!useless.contains { $0.key == "u" || $0.word == "clear" })
    for (key, word) in foot where key.count == 1 {
      #expect(KeyBinding.command(of: .character(Character(key)), in: kind) != nil, "\(key) \(word)")
    }
  }

  @Test(arguments: [ScreenKind.list, .detail, .map, .help])
  func `q returns to the list and quits there`(kind: ScreenKind) {
    #expect(KeyBinding.command(of: .character("q"), in: kind) == (kind == .list ? .quit : .back))
    #expect(KeyBinding.command(of: .escape, in: kind) == (kind == .list ? .clear : .back))
    for key in [Key.character("Q"), .control("c")] { #expect(KeyBinding.command(of: key, in: kind) == .quit) }
  }

  @Test func `arrow keys move the map and leave other views`() {
    #expect(KeyBinding.command(of: .left, in: .map) == .panLeft)
    #expect(KeyBinding.command(of: .left, in: .detail) == .back)
    #expect(KeyBinding.command(of: .down, in: .map) == .panDown)
    #expect(KeyBinding.command(of: .down, in: .list) == .down)
    #expect(KeyBinding.command(of: .character("m"), in: .list) == .map)
    #expect(KeyBinding.command(of: .character("m"), in: .map) == .back)
  }

  @Test(arguments: [ScreenCommand.star, .acknowledge, .note, .page])
  func `marks can be set in every view with a selected earthquake`(command: ScreenCommand) {
    let kinds = KeyBinding.all.filter { $0.command == command }.flatMap(\.kinds)
    #expect(kinds == [.list, .detail, .map])
  }
}
