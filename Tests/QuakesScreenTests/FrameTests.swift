import StrataQuakes
import StrataQuakesScreen
import Testing

@Suite struct FrameTests {
  private let size = ScreenSize(columns: 20, rows: 3)

  private func frame(_ lines: [OutputText], cursor: Frame.Position? = nil) -> Frame {
    Frame(lines, size: size, cursor: cursor)
  }

  @Test func `an unchanged frame writes nothing`() {
    #expect(frame(["one", "two"]).update(from: frame(["one", "two"])) == "")
  }

  @Test func `only changed cells are written`() {
    let update = frame(["one line", "two lines!"]).update(from: frame(["one line", "two linen!"])).text
    #expect(update.contains("\u{1B}[2;9H"))
    #expect(update.contains("s") && !update.contains("line") && !update.contains("two"))
  }

  @Test func `a shorter row is erased after its end`() {
    let update = frame(["ab"]).update(from: frame(["ab and more"])).text
    #expect(update.contains("\u{1B}[1;3H\u{1B}[0m\u{1B}[K") && !update.contains("a"))
  }

  @Test func `a resized frame is redrawn completely`() {
    let update = frame(["one"]).update(from: Frame(["one"], size: ScreenSize(columns: 30, rows: 3))).text
    #expect(update.contains("\u{1B}[2J") && update.contains("one"))
  }

  @Test func `a row with wide characters is rewritten completely`() {
    let update = frame(["日本 a"]).update(from: frame(["日本 b"])).text
    #expect(update.contains("日本 a"))
  }

  @Test func `lines are cut at the width of the screen`() {
    let frame = Frame(["日本語日本語", OutputText("abcdefgh", TextStyle(.bold))], size: ScreenSize(columns: 5, rows: 2))
    #expect(frame.rows.allSatisfy { $0.count == 5 })
    #expect(frame.rows[0].compactMap(\.character) == ["日", "本", " "])
    #expect(frame.rows[1].compactMap(\.character) == ["a", "b", "c", "d", "e"])
  }

  @Test func `styles of a text become styles of its cells`() {
    let (red, color) = (TextStyle(.bold, foreground: .palette(1)), TextStyle(foreground: .rgb(1, 2, 3)))
    let cells = [Cell](OutputText("r日", red) + "n" + [OutputText("c", color), "i"].joined(separator: "-"), columns: 8)
    let plain = TextStyle()
    #expect(cells.map(\.style) == [red, red, red, plain, color, plain, plain, plain])
    #expect(cells.map(\.character) == ["r", "日", nil, "n", "c", "-", "i", " "])
  }

  @Test func `control characters take no cells`() {
    let cells = [Cell]("a\u{1B}\u{8}b", columns: 4)
    #expect(cells.compactMap(\.character) == ["a", "b", " ", " "])
  }

  @Test func `styles are written as escape sequences`() {
    let style = TextStyle([.bold, .underlined], foreground: .palette(200), background: .palette(3))
    #expect(frame([OutputText("x", style)]).update(from: nil).text.contains("\u{1B}[0;1;4;38;5;200;43mx\u{1B}[0m"))
    #expect(OutputText("x", style).text == "\u{1B}[1;4;38;5;200;43mx\u{1B}[0m")
    #expect(
      OutputText("x", TextStyle(foreground: .palette(10), background: .rgb(1, 2, 3))).text.contains("[92;48;2;1;2;3m"))
  }

  @Test func `a full row keeps its last column`() {
    let full = OutputText(String(repeating: "x", count: 20))
    let update = frame([full]).update(from: nil).text
    #expect(!update.contains("\u{1B}[1;21H"))
  }

  @Test func `the cursor is shown at the typed text`() {
    let update = frame(["/a"], cursor: Frame.Position(row: 0, column: 2)).update(from: frame(["/a"])).text
    #expect(update.contains("\u{1B}[1;3H\u{1B}[?25h"))
    let hidden = frame(["/a"]).update(from: frame(["/a"], cursor: Frame.Position(row: 0, column: 2))).text
    #expect(hidden.contains("\u{1B}[?25l") && !hidden.contains("\u{1B}[?25h"))
  }
}
