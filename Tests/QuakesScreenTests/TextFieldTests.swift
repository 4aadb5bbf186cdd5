import StrataQuakesScreen
import Testing

@Suite struct TextFieldTests {
  private func field(_ text: String, _ keys: [Key]) -> TextField {
    var field = TextField(text)
    for key in keys {
      let isHandled = field.handle(key)
      #expect(isHandled)
    }
    return field
  }

  @Test func `keys change the text at the cursor`() {
    #expect(field("abc", [.character("d")]).text == "abcd")
    #expect(field("abc", [.left, .left, .character("x")]).text == "axbc")
    #expect(field("abc", [.home, .delete, .end, .backspace]).text == "b")
    #expect(field("mag>=5 tonga", [.control("w")]).text == "mag>=5 ")
    #expect(field("abc", [.left, .control("u")]).text == "c")
    #expect(field("abc", [.left, .control("k")]).text == "ab")
    #expect(field("", [.backspace, .delete, .left, .right]).text == "")
  }

  @Test func `pasted text becomes one line`() {
    #expect(field("a", [.paste("b\nc\u{1B}[2J")]).text == "ab c")
  }

  @Test func `a text field leaves other keys unhandled`() {
    var field = TextField("abc")
    let isHandled = [Key.up, .down, .enter, .escape, .tab].map { field.handle($0) }
    #expect(isHandled.allSatisfy { !$0 } && field.text == "abc")
  }

  @Test func `the cursor is always visible`() {
    let long = TextField(String(repeating: "日", count: 50))
    let window = long.window(columns: 11)
    #expect(window.cursor <= 10 && window.text.count == 5)
    #expect(TextField("ab").window(columns: 11).cursor == 2)
  }

  @Test func `the length of a text field is limited`() {
    #expect(field("", [.paste(String(repeating: "x", count: 5000))]).text.count == 1000)
    let paste = Key.paste(String(repeating: "x", count: 900))
    #expect(field("", [paste, .home, paste, .character("y")]).text.count == 1000)
    // A character with any number of marks.
    let marked = "e" + String(repeating: "\u{301}", count: 60_000)
    #expect(field("a", [.paste(marked + marked), .paste("日" + marked)]).text.utf8.count <= 4000)
  }

  @Test func `the length of a text that is edited is not limited`() {
    let long = String(repeating: "x", count: 5000)
    #expect(field(long, [.character("y"), .backspace]).text == long.dropLast())
  }
}
