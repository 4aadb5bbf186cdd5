import Foundation
import StrataTestSupport
import Testing

@testable import StrataQuakes

@Suite("Text for output") struct OutputTextTests {
  /// Escape sequences, both forms of control characters, a forged line, direction overrides and invisible characters.
  static let hostile =
    "A\u{1B}]0;x\u{7}\u{9B}2J\r\nquakes: all is well\u{202E}\u{2066}\u{2028}B\u{200B}\u{FEFF}\u{E0041}\u{7F}C"
  static let harmless = "A ]0;x   quakes: all is well   B C"

  @Test func `foreign text is printable wherever it is inserted`() {
    let place = Self.hostile
    #expect(OutputText(place).text == Self.harmless)
    #expect(("quakes: \(place)" as OutputText).text == "quakes: " + Self.harmless)
    #expect(("\(Optional(place)!) \(1.5)" as OutputText).text == Self.harmless + " 1.5")
    #expect(Terminal.printable(Self.harmless) == Self.harmless)
  }

  @Test func `own escape sequences pass and foreign ones do not`() {
    let terminal = Terminal(columns: nil, hasColor: true)
    let colored = terminal.colored("Chile\u{1B}[0m", magnitude: 6.5)
    #expect(colored.text == "\u{1B}[31mChile\u{1B}[0m")
    #expect(("\u{1B}[H\(colored)\n" as OutputText).text == "\u{1B}[H\u{1B}[31mChile\u{1B}[0m\n")
    #expect([colored, "B"].joined(separator: "\n").text == "\u{1B}[31mChile\u{1B}[0m\nB")
  }

  @Test func `styles stay where they are when texts are joined`() {
    let (bold, red) = (TextStyle(.bold), TextStyle(foreground: .palette(1)))
    let text: OutputText = "é \(OutputText("海", bold))\(7)\(OutputText("b", red))"
    #expect(text.text == "é \u{1B}[1m海\u{1B}[0m7\u{1B}[31mb\u{1B}[0m")
    let twice = [text, "", text].joined(separator: "|") + ""
    #expect(twice.text == text.text + "||" + text.text)
    #expect(twice.runs.map { String($0.text) } == ["é ", "海", "7", "b", "||é ", "海", "7", "b"])
    #expect(twice.runs.map(\.style) == [TextStyle(), bold, TextStyle(), red, TextStyle(), bold, TextStyle(), red])
    #expect(OutputText("", bold) == "" && OutputText("a\u{1B}[31mb", red).text == "\u{1B}[31mab\u{1B}[0m")
  }

  @Test(arguments: [
    ("\u{1B}[31mevil\u{1B}[0m", "evil"), ("a\u{1B}[1;38:5:3 qb", "ab"), ("\u{9B}?25lx", "x"),
    // The visible part of an incomplete sequence stays, and a removal does not form another sequence.
    ("a\u{1B}[31", "a [31"), ("\u{1B}\u{1B}[m[2J", " [2J"), ("\u{1B}[3\u{1B}[2J1m", " [31m"), ("\u{1B}", " "),
  ])
  func `complete escape sequences are removed`(text: String, shown: String) {
    #expect(OutputText(text).text == shown)
  }

  @Test(.endsEventually) func `many lines are joined in linear time`() {
    let line = OutputText(String(repeating: "x", count: 49))
    #expect(repeatElement(line, count: 1_000_000).joined(separator: "\n").text.utf8.count == 50_000_000 - 1)
    #expect([OutputText]().joined(separator: "\n") == "")
  }

  @Test func `letters of all scripts are kept`() {
    for text in ["Pāhala", "宮城県沖", "한국", "Türkiye", "❤️", "🇯🇵", "إيران", "Pa\u{304}hala"] {
      #expect(OutputText(text).text == text)
    }
  }

  @Test func `text of several lines keeps its line breaks and tabs`() {
    #expect(OutputText(lines: "a\u{1B}b\n\nc\td\n").text == "a b\n\nc\td\n")
  }

  @Test func `JSON escapes the characters that control a terminal`() throws {
    var json = JSONText()
    json.object { $0.string("place", Self.hostile) }
    #expect(OutputText(json.text).text == json.text)
    #expect(json.text.contains(#"\u009b2J\r\nquakes: all is well\u202e\u2066\u2028B\u200b\ufeff\udb40\udc41\u007fC"#))
    let read = try #require(try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [String: String])
    #expect(read["place"] == Self.hostile)
  }
}
