import Testing

@testable import StrataPorting

/// The list of places that need manual changes.
struct RemarkTests {
  @Test func `remarks have the lines of the original and of the result`() throws {
    let source = """
      import CoreData
      @objc(Writer) class Writer: NSManagedObject { @objc var a = #selector(Writer.write) }
      let key = #keyPath(
        Writer.name
      )
      let action = #selector(Writer.write)
      """
    let file = try #require(PortedModule([("Writer.swift", Array(source.utf8))]).files.first)
    #expect(file.remarks.map(\.line) == [2, 6])
    let lines = String(decoding: file.result, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let found = lines.indices.filter { lines[$0].contains("#selector") }.map { $0 + 1 }
    #expect(file.resultRemarks.map(\.line) == found)
    #expect(found == [9, 11])
  }

  @Test func `a raw string with three quotation marks on one line is closed`() {
    let ported = Ported("import CoreData\nlet a = #\"\"\"\"#\nlet b = #\"\"\"#\nlet c = [d] as NSSet\n")
    #expect(ported.remarks == [])
    #expect(ported.text.hasSuffix("let c = NSSet(array: [d])\n"))
  }

  @Test func `a source that cannot be parsed has a remark without a section`() {
    let ported = Ported("class A {\n  let a = #selector(b)\n")
    #expect(ported.remarks == ["1: Not ported: unbalanced quotes, comments, brackets or #if blocks"])
  }
}
