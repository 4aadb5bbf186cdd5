import StrataQuakesScreen
import Testing

@testable import StrataQuakesCommand

@Suite struct KeyBindingTests {
  @Test(arguments: [ScreenKind.list, .detail, .map, .views, .help])
  func `each key has one meaning`(kind: ScreenKind) {
    let keys = KeyBinding.all.filter { $0.kinds.contains(kind) }.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
  }

  @Test(arguments: [ScreenKind.list, .detail, .map, .views, .help])
  func `the footer names the keys' commands`(kind: ScreenKind) {
    let foot = KeyBinding.foot(of: kind, newCount: 3, isFiltered: true)
    #expect(foot.map(\.word).suffix(2) == ["help", "quit"])
    #expect(foot.contains { $0.word == "3 new" } == ([.list, .detail, .map].contains(kind)))
    #expect(foot.contains { $0 == ("Esc", "clear") } == (kind == .list))
    let useless = KeyBinding.foot(of: kind, newCount: 0, isFiltered: false)
    #expect(!useless.contains { $0.key == "u" || $0.word == "clear" })
    for (key, word) in foot where key.count == 1 {
      #expect(KeyBinding.binding(of: .character(Character(key)), in: kind) != nil, "\(key) \(word)")
    }
  }

  @Test(arguments: [ScreenKind.list, .detail, .map, .views, .help])
  func `q returns to the list and quits there`(kind: ScreenKind) {
    #expect(KeyBinding.binding(of: .character("q"), in: kind)?.command == (kind == .list ? .quit : .back))
    #expect(KeyBinding.binding(of: .escape, in: kind)?.command == (kind == .list ? .clear : .back))
    for key in [Key.character("Q"), .control("c")] { #expect(KeyBinding.binding(of: key, in: kind)?.command == .quit) }
  }

  @Test func `arrow keys move the map and leave other views`() {
    #expect(KeyBinding.binding(of: .left, in: .map)?.command == .panLeft)
    #expect(KeyBinding.binding(of: .left, in: .detail)?.command == .back)
    #expect(KeyBinding.binding(of: .down, in: .map)?.command == .panDown)
    #expect(KeyBinding.binding(of: .down, in: .list)?.command == .down)
    #expect(KeyBinding.binding(of: .character("m"), in: .list)?.command == .map)
    #expect(KeyBinding.binding(of: .character("m"), in: .map)?.command == .back)
  }

  @Test(arguments: [ScreenCommand.star, .acknowledge, .note, .page])
  func `marks can be set in every view with a selected earthquake`(command: ScreenCommand) {
    let kinds = KeyBinding.all.filter { $0.command == command }.flatMap(\.kinds)
    #expect(kinds == [.list, .detail, .map])
  }
}
