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
    let frame = Frame(["日本語日本語", "\u{1B}[31mabcdefgh\u{1B}[0m"], size: ScreenSize(columns: 5, rows: 2))
    #expect(frame.rows.allSatisfy { $0.count == 5 })
    #expect(frame.rows[0].compactMap(\.character) == ["日", "本", " "])
    #expect(frame.rows[1].compactMap(\.character) == ["a", "b", "c", "d", "e"])
  }

  @Test func `styles are read from escape sequences`() {
    let cells = [Cell](
      "\u{1B}[1;31mr\u{1B}[0mn\u{1B}[38;5;200mp\u{1B}[38;2;1;2;3mc\u{1B}[39;7mi\u{1B}[27;92mb", columns: 6)
    #expect(
      cells.map(\.style) == [
        TextStyle(.bold, foreground: .palette(1)), TextStyle(), TextStyle(foreground: .palette(200)),
        TextStyle(foreground: .rgb(1, 2, 3)), TextStyle(.reversed), TextStyle(foreground: .palette(10)),
      ])
  }

  @Test func `other escape sequences are dropped`() {
    let cells = [Cell]("\u{1B}[2Ja\u{1B}[10;10Hb\u{1B}", columns: 4)
    #expect(cells.compactMap(\.character) == ["a", "b", " ", " "])
  }

  @Test func `a style survives a round trip`() {
    let text: OutputText = "\u{1B}[1;4;38;5;200;43mx\u{1B}[0m"
    let written = Frame([text], size: size).update(from: nil)
    #expect([Cell](written, columns: 1) == [Cell](text, columns: 1))
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
