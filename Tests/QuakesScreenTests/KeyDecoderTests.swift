import StrataQuakesScreen
import Testing

@Suite struct KeyDecoderTests {
  private func keys(_ text: String) -> [Key] {
    var decoder = KeyDecoder()
    return decoder.keys(text.utf8) + decoder.flush()
  }

  @Test(
    arguments: [
      ("a", .character("a")), ("G", .character("G")), (" ", .character(" ")), ("é", .character("é")),
      ("海", .character("海")), ("🌋", .character("🌋")), ("\r", .enter), ("\n", .enter), ("\t", .tab),
      ("\u{7F}", .backspace), ("\u{8}", .backspace), ("\u{3}", .control("c")), ("\u{1A}", .control("z")),
      ("\u{1B}", .escape), ("\u{1B}[A", .up), ("\u{1B}[B", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left),
      ("\u{1B}OA", .up), ("\u{1B}OD", .left), ("\u{1B}[H", .home), ("\u{1B}[F", .end), ("\u{1B}OH", .home),
      ("\u{1B}[1~", .home), ("\u{1B}[4~", .end), ("\u{1B}[7~", .home), ("\u{1B}[8~", .end), ("\u{1B}[5~", .pageUp),
      ("\u{1B}[6~", .pageDown), ("\u{1B}[3~", .delete), ("\u{1B}[Z", .backTab), ("\u{1B}[1;5A", .up),
      ("\u{1B}[5;2~", .pageUp), ("\u{1B}OM", .enter),
    ] as [(String, Key)])
  func `each key is decoded`(text: String, key: Key) {
    #expect(keys(text) == [key])
    // The result is the same if the bytes arrive one by one.
    var decoder = KeyDecoder()
    let single = text.utf8.flatMap { decoder.keys([$0]) } + decoder.flush()
    #expect(single == [key])
    #expect(!decoder.isWaiting)
  }

  @Test func `a lone escape waits for more bytes`() {
    var decoder = KeyDecoder()
    var keys = decoder.keys("\u{1B}".utf8)
    #expect(keys.isEmpty && decoder.isWaiting)
    keys = decoder.keys("[B".utf8)
    #expect(keys == [.down] && !decoder.isWaiting)
    keys = decoder.keys("\u{1B}".utf8)
    #expect(keys.isEmpty && decoder.isWaiting)
    keys = decoder.flush()
    #expect(keys == [.escape] && !decoder.isWaiting)
  }

  @Test func `keys that arrive together are separated`() {
    #expect(keys("j\u{1B}[Bk\u{1B}q") == [.character("j"), .down, .character("k"), .escape, .character("q")])
    #expect(keys("\u{1B}\u{1B}[A") == [.escape, .up])
  }

  @Test(arguments: [
    "\u{1B}[15~", "\u{1B}[[A", "\u{1B}[?1;2c", "\u{1B}[<0;10;10M".replacing("M", with: "m"), "\u{1B}OP",
    "\u{1B}[99999999999999999999~",
    "\u{1B}[\u{7F}", "\u{0}",
  ])
  func `unknown sequences are dropped`(text: String) {
    #expect(keys(text + "x").last == .character("x"))
    #expect(keys(text).allSatisfy { $0 == .backspace })
  }

  @Test func `invalid UTF-8 is dropped`() {
    var decoder = KeyDecoder()
    let keys = decoder.keys([0xFF, 0xC3, 0x28, 0xE6, 0xB5, 0x61, 0xED, 0xA0, 0x80])
    #expect(keys == [.character("("), .character("a")])
    let none = decoder.keys([0xF0, 0x9F])
    #expect(none.isEmpty && decoder.isWaiting)
    let end = decoder.flush()
    #expect(end.isEmpty && !decoder.isWaiting)
  }

  @Test func `keys are the same for bytes in parts of any size`() {
    let likely: [UInt8] = [0x1B, 0x5B, 0x4F, 0x7E, 0x32, 0x30, 0x3B]
    let endless = Array("a\u{1B}[".utf8) + [UInt8](repeating: 0x21, count: 50) + Array("Ab".utf8)
    for bytes in [endless] + (0..<500).map({ _ in (0..<60).map { _ in likely.randomElement() ?? 0 } }) {
      var (whole, parts) = (KeyDecoder(), KeyDecoder())
      let keys = whole.keys(bytes) + whole.flush()
      #expect(keys == bytes.flatMap { parts.keys(CollectionOfOne($0)) } + parts.flush(), "\(bytes)")
    }
  }

  @Test func `any input neither traps nor waits forever`() {
    let likely: [UInt8] = [0x1B, 0x5B, 0x4F, 0x7E, 0x32, 0x30]
    for _ in 0..<2000 {
      // Without a paste, whose length is unlimited.
      var decoder = KeyDecoder()
      let bytes = (0..<40).map { _ in
        likely.randomElement().flatMap { Bool.random() ? $0 : nil } ?? .random(in: 0...255)
      }
      _ = decoder.keys(bytes)
      _ = decoder.flush()
      #expect(!decoder.isWaiting, "\(bytes)")
    }
  }

  @Test func `pasted text arrives as one key`() {
    #expect(
      keys("a\u{1B}[200~mag>=5\n\u{1B}[A q海\u{1B}[201~b") == [
        .character("a"), .paste("mag>=5\n\u{1B}[A q海"), .character("b"),
      ])
    var decoder = KeyDecoder()
    let found = "\u{1B}[200~x\u{1B}[201~".utf8.flatMap { decoder.keys([$0]) }
    #expect(found == [.paste("x")])
  }

  @Test func `a long paste is truncated`() {
    var decoder = KeyDecoder()
    let text = String(repeating: "x", count: 100_000)
    guard case .paste(let kept)? = decoder.keys("\u{1B}[200~\(text)\u{1B}[201~".utf8).first else {
      Issue.record("the paste was not decoded")
      return
    }
    #expect(kept.utf8.count == 65_536)
  }
}
