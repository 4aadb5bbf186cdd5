import Foundation
import StrataTestSupport
import Testing

/// `coredata model diff` as run in a terminal.
@Suite(.waitsForProcesses) struct ToolDiffTests {
  private func entities(_ attributes: String, indexes: String = "") -> String {
    #"<entity name="Book" syncable="YES">\#(attributes)\#(indexes)</entity>"#
  }

  private func versions(_ tool: ToolHome, _ old: String, _ new: String) throws -> (old: String, new: String) {
    let folder = try tool.model("Library", [("1", old), ("2", new)])
    return ("\(folder)/1.xcdatamodel", "\(folder)/2.xcdatamodel")
  }

  @Test func `diff prints the steps of a lightweight migration`() throws {
    let tool = try ToolHome()
    let folder = try tool.library()
    let (status, lines, errors) = try tool.run("model", "diff", "\(folder)/Library 1.xcdatamodel", folder)
    #expect(status == 1, "\(errors)")
    #expect(lines.first == "Library 1 -> Library, Library 2: lightweight migration")
    #expect(lines.contains("+ entity Author"), "\(lines)")
    for step in ["  + author, empty at first", "  name was title", "  - shelf, and its values"] {
      #expect(lines.contains(step), "\(step): \(lines)")
    }
  }

  @Test func `diff prints all reasons against a lightweight migration`() throws {
    let tool = try ToolHome()
    let (old, new) = try versions(
      tool, entities(#"<attribute name="pages" attributeType="String"/>"#),
      entities(
        #"<attribute name="pages" attributeType="Integer 32"/><attribute name="title" attributeType="String"/>"#))
    let (status, lines, errors) = try tool.run("model", "diff", old, new)
    #expect(status == 1, "\(errors)")
    #expect(lines.first == "1 -> 2: no lightweight migration")
    let expected = [
      "  cannot: Book.pages: Source and destination attribute types are incompatible",
      "  cannot: Book.title: Validation error missing attribute values on mandatory destination attribute",
    ]
    #expect(lines.filter { $0.hasPrefix("  cannot") } == expected)
    let report = try tool.json("model", "diff", old, new)
    #expect(report["is_lightweight"] as? Bool == false)
    #expect((report["refusals"] as? [[String: Any]])?.map { $0["property"] as? String } == ["pages", "title"])
  }

  @Test func `diff exits with 0 for equal hashes and lists other differences`() throws {
    let tool = try ToolHome()
    let attribute = #"<attribute name="title" optional="YES" attributeType="String" defaultValueString="new"/>"#
    let index = """
      <fetchIndex name="byTitle"><fetchIndexElement property="title" type="Binary" order="ascending"/></fetchIndex>
      """
    let (old, new) = try versions(
      tool, entities(attribute), entities(attribute.replacing("new", with: "newer"), indexes: index))
    let (status, lines, errors) = try tool.run("model", "diff", old, new)
    #expect(status == 0, "\(errors)")
    #expect(lines.first == "1 -> 2: the same version hashes: no migration needed")
    #expect(lines.contains("  Book.title, default: \"new\" -> \"newer\""), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("  + Book, index byTitle: title; set a hash modifier") }, "\(lines)")
  }

  /// One end of the relationship has a new name without a renaming identifier: the other end keeps the links.
  @Test func `diff recognizes a relationship of which one end was renamed`() throws {
    let tool = try ToolHome()
    func library(_ name: String) -> String {
      """
      <entity name="Author"><relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify"
        destinationEntity="Book" inverseName="\(name)" inverseEntity="Book"/></entity>
      <entity name="Book"><relationship name="\(name)" optional="YES" maxCount="1" deletionRule="Nullify"
        destinationEntity="Author" inverseName="books" inverseEntity="Author"/></entity>
      """
    }
    let (old, new) = try versions(tool, library("author"), library("writer"))
    let (status, lines, errors) = try tool.run("model", "diff", old, new)
    #expect(status == 1, "\(errors)")
    #expect(lines.contains("  writer was author"), "\(lines)")
    #expect(!lines.contains { $0.contains("empty at first") || $0.contains("- author") }, "\(lines)")
  }

  @Test func `diff says what becomes of the links of a relationship with one end that is new or removed`() throws {
    let tool = try ToolHome()
    let end = """
      <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Author"
        inverseName="books" inverseEntity="Author"/>
      """
    func library(_ inverse: String, _ book: String) -> String {
      """
      <entity name="Author"><relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify"
        destinationEntity="Book" \(inverse)/></entity>
      <entity name="Book"><attribute name="title" optional="YES" attributeType="String"/>\(book)</entity>
      """
    }
    let both = library(#"inverseName="author" inverseEntity="Book""#, end)
    let (old, new) = try versions(tool, both, library("", ""))
    let removed = try tool.run("model", "diff", old, new).lines
    #expect(removed.contains("  - author; books keeps its references"), "\(removed)")
    let added = try tool.run("model", "diff", new, old).lines
    #expect(added.contains("  + author, with the references of books"), "\(added)")
  }

  @Test func `diff ignores the modules of classes`() throws {
    let tool = try ToolHome()
    func book(_ className: String) -> String { #"<entity name="Book" representedClassName="\#(className)"/>"# }
    let (old, new) = try versions(tool, book("Library.Book"), book(".Book"))
    let same = try tool.run("model", "diff", old, new)
    #expect(same.status == 0 && same.lines.count == 1, "\(same)")
    let (first, second) = try versions(tool, book("Library.Book"), book(".Novel"))
    #expect(try tool.run("model", "diff", first, second).lines.contains("  Book, class: Book -> Novel"))
  }
}
