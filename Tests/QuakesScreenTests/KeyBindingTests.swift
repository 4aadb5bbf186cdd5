import Foundation
import StrataQuakes
import StrataQuakesConfig
import StrataQuakesScreen
import Testing

@testable import StrataQuakesCommand

@Suite struct KeyBindingTests {
  @Test(arguments: [ScreenKind.list, .detail, .map, .views, .help])
  func `each key has one meaning`(kind: ScreenKind) {
    let keys = KeyBinding.standard.filter { $0.kinds.contains(kind) }.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
  }

  @Test(arguments: [ScreenKind.list, .detail, .map, .views, .help])
  func `the footer names the keys' commands`(kind: ScreenKind) {
    let foot = KeyTable.standard.foot(of: kind, newCount: 3, isFiltered: true)
    #expect(foot.map(\.word).suffix(2) == ["help", "quit"])
    #expect(foot.contains { $0.word == "3 new" } == ([.list, .detail, .map].contains(kind)))
    #expect(foot.contains { $0 == ("Esc", "clear") } == (kind == .list))
    let useless = KeyTable.standard.foot(of: kind, newCount: 0, isFiltered: false)
    #expect(!useless.contains { $0.key == "u" || $0.word == "clear" })
    for (key, word) in foot where key.count == 1 {
      #expect(KeyTable.standard.binding(of: .character(Character(key)), in: kind) != nil, "\(key) \(word)")
    }
  }

  @Test(arguments: [ScreenKind.list, .detail, .map, .views, .help])
  func `q returns to the list and quits there`(kind: ScreenKind) {
    #expect(KeyTable.standard.binding(of: .character("q"), in: kind)?.command == (kind == .list ? .quit : .back))
    #expect(KeyTable.standard.binding(of: .escape, in: kind)?.command == (kind == .list ? .clear : .back))
    for key in [Key.character("Q"), .control("c")] {
      #expect(KeyTable.standard.binding(of: key, in: kind)?.command == .quit)
    }
  }

  @Test func `arrow keys move the map and leave other views`() {
    #expect(KeyTable.standard.binding(of: .left, in: .map)?.command == .panLeft)
    #expect(KeyTable.standard.binding(of: .left, in: .detail)?.command == .back)
    #expect(KeyTable.standard.binding(of: .down, in: .map)?.command == .panDown)
    #expect(KeyTable.standard.binding(of: .down, in: .list)?.command == .down)
    #expect(KeyTable.standard.binding(of: .character("m"), in: .list)?.command == .map)
    #expect(KeyTable.standard.binding(of: .character("m"), in: .map)?.command == .back)
  }

  @Test(arguments: [ScreenCommand.star, .acknowledge, .note, .page])
  func `marks can be set in every view with a selected earthquake`(command: ScreenCommand) {
    let kinds = KeyBinding.standard.filter { $0.command == command }.flatMap(\.kinds)
    #expect(kinds == [.list, .detail, .map])
  }

  /// The table with keys of a settings file.
  private func table(_ keys: String) throws -> KeyTable {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID().uuidString).toml")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("[keys]\n\(keys)".utf8).write(to: file)
    return try KeyTable(SettingsFile(option: file.path).settings())
  }

  @Test func `the settings change keys, help and foot`() throws {
    let table = try table(
      "star = \"f\"\npage-down = [\"Space\", \"ctrl-d\"]\nquit = \"x\"\nnote = []\ndown = [\"n\", \"Down\"]\nnext = \"j\""
    )
    #expect(table.binding(of: .character("f"), in: .map)?.command == .star)
    #expect(table.binding(of: .character("*"), in: .list) == nil)
    #expect(table.binding(of: .control("d"), in: .help)?.command == .pageDown)
    #expect(table.binding(of: .pageDown, in: .list) == nil && table.binding(of: .character("N"), in: .list) == nil)
    #expect(table.binding(of: .character("n"), in: .detail)?.command == .down)
    // In the map, nothing else has the key.
    #expect(table.binding(of: .character("j"), in: .map)?.command == .next)
    #expect(table.binding(of: .down, in: .map)?.command == .panDown)
    #expect(table.binding(of: .character("x"), in: .list)?.names == "x Ctrl-C")
    #expect(table.foot(of: .list, newCount: 0, isFiltered: false).last.map { $0 == ("x", "quit") } == true)
    #expect(table.bindings(in: .list).contains { $0.names == "Space Ctrl-D" && $0.words == "page down" })
    #expect(!table.bindings(in: .list).contains { $0.command == .note })
  }

  static let mistakes = [
    ("quti = \"q\"", "keys.quti (line 2) is not a command; did you mean quit? The commands are open, back"),
    ("\nquit = \"Strg-Q\"", "keys.quit (line 3) must be keys such as \"q\", \"Enter\""),
    ("quit = \"\"", "not \"\""), ("quit = \"Ctrl-M\"", "not \"Ctrl-M\""),
    ("help = \"Ctrl-C\"", "keys.help (line 2) cannot be Ctrl-C, which is a signal"),
    ("star = \"f\"\nnote = \"f\"", "and keys.star are both \"f\" in the list"),
    ("star = \"n\"", "keys.star (line 2) takes \"n\", the only key of next in the details; set keys.next too"),
    (
      "page_down = \"x\"\npage-down = \"X\"",
      "keys.page_down (line 2) and keys.page-down are the same command; remove one of them"
    ),
    ("quit = 5", "keys.quit (line 2) must be a key such as \"q\", or a list of keys, not 5"),
  ]

  @Test(arguments: mistakes) func `mistakes in keys are reported`(keys: String, message: String) {
    let failure = #expect(throws: Failure.self) { try table(keys) }
    #expect(
      failure?.status == .configuration && failure?.message.contains(message) == true, "\(failure?.message ?? "")")
  }

  @Test func `the name of each key leads to it`() {
    for key in KeyBinding.standard.flatMap(\.keys) { #expect(Key(name: key.name) == key, "\(key)") }
    for (name, key) in [("pagedown", Key.pageDown), ("LEFT", .left), ("Ctrl-x", .control("x")), ("é", .character("é"))]
    {
      #expect(Key(name: name) == key)
    }
    for name in ["", "ab", "Ctrl-", "Ctrl-1", "Ctrl-i", "\n"] { #expect(Key(name: name) == nil, "\(name)") }
  }
}
