import Testing

@testable import StrataQuakesFeeds

@Suite("Markup reader") struct MarkupReaderTests {
  private func text(_ content: String) throws -> String {
    try MarkupReader.element(in: "<a>\(content)</a>").element.text
  }

  static let texts: [(content: String, text: String)] = [
    ("x &amp; y &lt;&gt;&quot;&apos;", "x & y <>\"'"), ("&#233;&#xe9;&#xE9;&#x1F30B;", "ééé🌋"), ("é🌋", "é🌋"),
    ("<![CDATA[<b>&amp;</b> ]] > ]]>x", "<b>&amp;</b> ]] > x"), ("x<!-- <b> -- -->y<?z <b>?>w", "xyw"),
    ("1\r\n2\r3\n4", "1\n2\n3\n4"), ("x<b>inner</b>y", "xy"), ("<![CDATA[]]>", ""), (" \n x\t", "x"),
    ("&#0000065;", "A"),
  ]

  @Test(arguments: texts) func `references and CDATA are resolved to text`(content: String, text: String) throws {
    #expect(try self.text(content) == text)
    #expect(try MarkupReader.element(in: "<a>\(content)</a>").failure == nil)
  }

  static let unknown = [
    "&", "& x", "&&", "&amp", "&eacute;", "&#0;", "&#x1;", "&#xD800;", "&#xFFFE;", "&#1114112;", "&#99999999999;",
    "&#;",
    "&#x;", "&;", "&\(String(repeating: "a", count: 100));",
  ]

  @Test(arguments: unknown) func `unknown references stay unchanged`(reference: String) throws {
    let (element, failure) = try MarkupReader.element(in: "<a><b>x\(reference)</b>y</a>")
    #expect(element["b"]?.text == "x\(reference)" && element.text == "y" && failure == .reference)
  }

  @Test func `attributes lose their prefixes, and the first of a name counts`() throws {
    let (element, failure) = try MarkupReader.element(
      in: "<x:a\n x:one='1' two = \"&lt;'2'>\" one='3'/><b>what follows does not matter")
    #expect(element.name == "a" && element.attributes == ["one": "1", "two": "<'2'>"] && failure == nil)
  }

  static let odd: [(tag: String, attributes: [String: String])] = [
    ("<a one>", [:]), ("<a one two='2'>", ["two": "2"]), ("<a one=1 two='2'>", ["two": "2"]), ("<a ='1'>", [:]),
    ("<a 'one'>", [:]), ("<a / one='1'>", ["one": "1"]), ("<a one=>", [:]),
  ]

  @Test(arguments: odd) func `only an invalid attribute is skipped`(tag: String, attributes: [String: String]) throws {
    let (element, failure) = try MarkupReader.element(in: "\(tag)x</a>")
    #expect(element.attributes == attributes && element.text == "x" && failure == .attribute)
  }

  @Test func `an unmatched end tag closes the innermost element`() throws {
    let (element, failure) = try MarkupReader.element(in: "<a><b>1</c><d>2</d></e><f>3</a>")
    #expect(element.children.map(\.name) == ["b", "d", "f"] && failure == .unmatchedTags)
    #expect(element.children.map(\.text) == ["1", "2", "3"])
  }

  @Test func `ignored elements do not count against the limits`() throws {
    let ignored = String(repeating: "<b><c x=\"1\">&amp;</c></b>", count: 20_000)
    let (element, failure) = try MarkupReader.element(in: "<a>\(ignored)<c>1</c></a>", ignoring: ["b"])
    #expect(element.children.map(\.name) == ["c"] && failure == nil)
  }

  static let failures: [(text: String, failure: MarkupFailure)] = [
    ("", .unmatchedTags), ("x", .unmatchedTags), ("<a>", .unmatchedTags), ("<a><b></b>", .unmatchedTags),
    ("<a", .endlessTag), ("<a b", .endlessTag), ("<a b='", .endlessTag), ("<a b='<c>'></a>", .endlessTag),
    ("<a>x</a", .endlessTag), ("<a></b<c></a>", .endlessTag), ("<a><!-- </a>", .endlessTag),
    ("<a><![CDATA[</a>", .endlessTag), ("<a><?x </a>", .endlessTag), ("<a>&</b>", .reference),
    (String(repeating: "<a>", count: 101), .tooMuch),
    ("<a>\(String(repeating: "<b/>", count: 10_000))</a>", .tooMuch),
  ]

  @Test(arguments: failures) func `unterminated or oversized markup is refused`(text: String, failure: MarkupFailure) {
    #expect(throws: failure) { try MarkupReader.element(in: text) }
  }

  @Test func `text is truncated at its limit`() throws {
    let long = String(repeating: "<![CDATA[0123456789]]>&amp;", count: 100_000)
    let count = try text(long).utf8.count
    #expect((MarkupElement.maximumTextLength..<MarkupElement.maximumTextLength * 2).contains(count))
  }

  /// Every part of a document results in an element or a failure.
  @Test func `every part of a document is handled`() throws {
    let text = Array(MarkupSamples.usgsEntry.utf8)
    for start in stride(from: 0, to: text.count, by: 3) {
      for end in stride(from: start, through: text.count, by: 7) {
        let part = String(decoding: text[start..<end], as: UTF8.self)
        let element = try? MarkupReader.element(in: part).element
        #expect(element == nil || part.hasPrefix("<"), "\(part)")
      }
    }
  }
}
