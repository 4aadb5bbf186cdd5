import Foundation
import StrataTestSupport
import Testing

/// `coredata store tables` and `coredata store fetch`.
@Suite(.waitsForProcesses) struct ToolFetchTests {
  private func fetch(_ everything: EverythingStore, _ arguments: String...) throws -> [[String: Any]] {
    let program = try Program(
      "coredata", ["store", "fetch", everything.store.path] + arguments + ["--json"], home: everything.tool.home.url)
    #expect(program.status() == 0, "\(program.errorText)")
    let text = Data(program.lines.joined(separator: "\n").utf8)
    return try #require(try JSONSerialization.jsonObject(with: text) as? [[String: Any]])
  }

  @Test func `tables lists the column of each property`() throws {
    let everything = try EverythingStore()
    let report = try everything.tool.json("store", "tables", everything.store.path)
    let entities = try #require(report["entities"] as? [[String: Any]])
    let note = try #require(entities.first { $0["name"] as? String == "Note" })
    #expect(note["table"] as? String == "ZTHING" && note["parent"] as? String == "Item" && note["rows"] as? Int == 2)
    let tables = try #require(report["tables"] as? [[String: Any]])
    let things = try #require(tables.first { $0["name"] as? String == "ZTHING" })
    let columns = try #require(things["columns"] as? [[String: Any]])
    let contents = Dictionary(
      uniqueKeysWithValues: columns.map { ($0["name"] as? String ?? "", $0["contents"] as? [String] ?? []) })
    #expect(contents["ZNAME"] == ["Thing.name"] && contents["ZCITY"] == ["Item.home.city"], "\(contents)")
    #expect(contents["ZSHELF"] == ["Item.shelf, the key in ZSHELF"], "\(contents)")
    #expect(columns.allSatisfy { ($0["contents"] as? [String])?.isEmpty == false }, "\(contents)")
    let pairs = tables.filter { ($0["relationships"] as? [String])?.isEmpty == false }
    #expect(Set(pairs.flatMap { $0["relationships"] as? [String] ?? [] }).contains("Item.friends"), "\(pairs)")
    let (status, lines, _) = try everything.tool.run("store", "tables", everything.store.path)
    #expect(status == 0 && lines.contains { $0.contains("index ZTHING_ZSHELF_INDEX (ZSHELF)") }, "\(lines)")
  }

  @Test func `every type is printed with its value`() throws {
    let everything = try EverythingStore()
    let full = try #require(try fetch(everything, "Item", "name BEGINSWITH 'full'").first)
    #expect(full["name"] as? String == "full \u{1B}[31m\n\"quoted\", \\ \u{202E}é𝄞")
    #expect(full["long"] as? Int64 == .min && full["short"] as? Int == -32_768 && full["flag"] as? Bool == true)
    #expect(full["small"] as? Double == 0.1)
    #expect(full["price"] as? String == "1234567.89012")
    #expect(full["date"] as? String == "2023-03-08T20:26:40.123456Z", "\(full)")
    #expect(full["bytes"] as? String == "AAH/" && (full["picture"] as? String)?.count == 266_668)
    #expect(full["uuid"] as? String == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    #expect(full["link"] as? String == "https://example.org/a%20b?c=1")
    #expect((full["home"] as? [String: Any])?["city"] as? String == "Nuku'alofa")
    #expect((full["next"] as? String)?.hasSuffix("/Note/p5") == true, "\(full)")
    #expect((full["tags"] as? [String])?.count == 3 && full["passing"] == nil)
    let note = try #require(try fetch(everything, "Item", "name == 'note'").first)
    #expect(note["entity"] as? String == "Note" && note["text"] as? String == "Aa")
  }

  /// Foundation reads a number with too many digits as a decimal, which converts to a different double.
  @Test func `numbers keep all their digits`() throws {
    let everything = try EverythingStore()
    let (_, lines, _) = try everything.tool.run(
      "store", "fetch", everything.store.path, "Item", "real < 1", "--json", "--properties", "real,long")
    #expect(lines == ["[", "{\"real\":0.30000000000000004,\"long\":-9223372036854775808}", "]"], "\(lines)")
  }

  @Test func `options filter and sort`() throws {
    let everything = try EverythingStore()
    func names(_ arguments: String...) throws -> [String] {
      let program = try Program(
        "coredata", ["store", "fetch", everything.store.path, "Item", "--json"] + arguments,
        home: everything.tool.home.url)
      #expect(program.status() == 0, "\(program.errorText)")
      let text = Data(program.lines.joined(separator: "\n").utf8)
      let objects = try JSONSerialization.jsonObject(with: text) as? [[String: Any]] ?? []
      return objects.map { $0["name"] as? String ?? "" }
    }
    #expect(try names("date > '2001-01-01' AND name != 'note'").map { $0.prefix(4) } == ["full"])
    #expect(try names("--sort", "-name", "--limit", "2") == ["other", "note"])
    #expect(try names("shelf == 'Shelf/p1'", "--sort", "name").last == "other")
    #expect(try names("home.city == \"Nuku'alofa\" AND ANY tags.word == 'a'").count == 1)
    #expect(try names("uuid == 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'").count == 1)
    #expect(try names("FALSEPREDICATE").isEmpty)
    let paths = try fetch(everything, "Note", "--properties", "objectID,owner.label,parent.name,tags", "--sort", "name")
    #expect(Set(paths[1].keys) == ["objectID", "owner.label", "parent.name", "tags"], "\(paths)")
    #expect(paths[1]["owner.label"] as? String == "upper" && paths[0]["parent.name"] is NSNull, "\(paths)")
  }

  @Test func `texts cannot control the terminal or forge lines`() throws {
    let everything = try EverythingStore()
    for form in ["--csv", "--json", "--limit=9"] {
      let (status, lines, errors) = try everything.tool.run(
        "store", "fetch", everything.store.path, "Item", "--properties", "name", form)
      #expect(status == 0, "\(errors)")
      #expect(lines.count == (form == "--json" ? 7 : 6), "\(lines)")
      #expect(!lines.joined().unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" }, "\(lines)")
    }
    let csv = try everything.tool.run(
      "store", "fetch", everything.store.path, "Item", "name BEGINSWITH 'full'", "--csv", "--properties", "name,flag")
    #expect(csv.lines == ["name,flag", "\"full  [31m \"\"quoted\"\", \\  é𝄞\",true"], "\(csv.lines)")
  }

  private static let mistakes = [
    (["Item", "name =="], "column 8"), (["Item", "nam == 'x'"], "'nam'"), (["Item", "tags.wor == 'x'"], "'wor'"),
    (["Item", "name == $x"], "$x"), (["Item", "date > 'now'"], "'now'"), (["Itm"], "'Itm'"),
    (["Item", "--sort", "tags"], "'tags'"), (["Item", "--properties", "tags.word"], "'tags'"),
    (["Item", "--properties", "home.town"], "'town'"), (["Item", "shelf == 'first'"], "'first'"),
    (["Item", "name == %@"], "%@"), (["Item", "--csv", "--json"], "--csv"),
  ]

  @Test func `an invalid request is explained`() throws {
    let everything = try EverythingStore()
    for (arguments, word) in Self.mistakes {
      let program = try Program(
        "coredata", ["store", "fetch", everything.store.path] + arguments, home: everything.tool.home.url)
      #expect(program.status() == 2 && program.errorText.contains(word), "\(program.errorText)")
      #expect(program.lines.isEmpty)
    }
  }
}
