import StrataFormats
import Testing

@Suite struct XMLReaderTests {
  private func root(_ text: String) throws -> ParsedElement {
    try XMLReader.root(Array(text.utf8), file: "contents")
  }

  private func problem(_ text: String) -> String {
    do throws(FileFormatError) {
      _ = try XMLReader.root(Array(text.utf8), file: "contents")
      return "none"
    } catch {
      return "\(error)"
    }
  }

  @Test func `elements have attributes, children and lines`() throws {
    let root = try root(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <!-- a model -->
      <model type="x">
          <entity name="Quake"
                  syncable='YES'/>
          <entity name="Region"></entity>
      </model>
      """)
    #expect(root.name == "model" && root.line == 3 && root["type"] == "x")
    #expect(root.children.map(\.line) == [4, 6])
    #expect(root.children.map { $0["name"] } == ["Quake", "Region"])
    #expect(root.children[0].attributes.map(\.line) == [4, 5])
    #expect(root["nothing"] == nil)
  }

  @Test func `references and CDATA sections are resolved`() throws {
    let root = try root(
      "<a b=\"1 &lt; 2 &amp;&quot;&apos;&gt; &#65;&#x1F30D;é\">x &amp; <![CDATA[<y> & z]]><!-- no --></a>")
    #expect(root["b"] == "1 < 2 &\"'> A🌍é")
    #expect(root.text == "x & <y> & z")
  }

  @Test func `document types and byte order marks are skipped`() throws {
    let root = try root("\u{FEFF}<!DOCTYPE plist PUBLIC \"-//Apple//DTD\" \"http://x\">\n<plist/>")
    #expect(root.name == "plist" && root.line == 2)
  }

  @Test func `errors name the file, the line and the expected token`() {
    #expect(problem("") == "contents:1: error: expected an element, found the end of the file")
    #expect(
      problem("<model>\n<entity>\n</model>")
        == "contents:3: error: expected </entity> for the element of line 2, found </model>")
    #expect(
      problem("<model>\n<entity>")
        == "contents:2: error: expected </entity> for the element of line 2, found the end of the file")
    #expect(problem("<model\n  name=x/>") == "contents:2: error: expected the quoted value of name, found \"x\"")
    #expect(problem("<model name/>") == "contents:1: error: expected \"=\" after name, found \"/\"")
    #expect(problem("<a b=\"1\" b=\"2\"/>") == "contents:1: error: the attribute b occurs twice")
    #expect(problem("<a b=\"&what;\"/>") == "contents:1: error: expected a character reference, found &what;")
    #expect(problem("<a/>\n<b/>") == "contents:2: error: expected the end of the file, found \"<\"")
    #expect(problem("<a><!-- x") == "contents:1: error: expected \"-->\", found the end of the file")
  }
}
