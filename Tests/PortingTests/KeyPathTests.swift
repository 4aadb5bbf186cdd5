import StrataPorting
import Testing

/// `#keyPath` and `#selector`.
struct KeyPathTests {
  @Test(arguments: [
    Example("#keyPath(Book.title)", #""title""#), Example("#keyPath(Book.author.name)", #""author.name""#),
    Example("#keyPath(title)", #""title""#), Example("#keyPath(Book.`default`)", #""default""#),
    Example("#keyPath( Book . author\n. name )", #""author.name""#), Example("#keyPath(_Book.title)", #""title""#),
    Example("#keyPath(Box<Book>.title)", #""title""#), Example("#keyPath(Library.Shelf.number)", #""number""#),
    Example("#keyPath(Book.isRead)", #""isRead""#), Example("#keyPath(Book.isLent)", #""isLent""#),
    Example("f(#keyPath(Book.title), #keyPath(Book.pages))", #"f("title", "pages")"#),
    Example(##""\(#keyPath(Book.title)) x""##, ##""\("title") x""##),
    Example(
      ##"NSPredicate(format: "\(#keyPath(Book.title)) == %@ && \(other)", a)"##,
      ##"NSPredicate(format: "title == %@ && \(other)", a)"##),
    Example(
      ##"NSPredicate(format: "\(f(#keyPath(Book.title))) == 1")"##, ##"NSPredicate(format: "\(f("title")) == 1")"##),
    Example(
      ###"NSPredicate(format: #"\#(#keyPath(Book.title)) == 1"#)"###, ###"NSPredicate(format: #"title == 1"#)"###),
    Example(
      "f(\"\"\"\n  \\(g(\"\\(#keyPath(Book.title))\"))\n  \"\"\")", "f(\"\"\"\n  \\(g(\"\\(\"title\")\"))\n  \"\"\")"),
    Example(#"NSStringFromSelector(#selector(getter: Book.title))"#, #""title""#),
    Example(
      "#selector(NSString.localizedStandardCompare(_:))", #"Selector(("localizedStandardCompare:"))"#),
    Example("#selector(NSNumber.compare)", #"Selector(("compare:"))"#),
  ]) func `key paths and comparisons become text`(_ example: Example) {
    let types = "import CoreData\nenum Library { class Shelf {} }\nclass Book { var isRead = true }\n"
    let ported = Ported("import CoreData\nlet a = " + example.before, with: [types], models: ["isLent"])
    #expect(ported.text == "import CoreData\nlet a = " + example.after)
    #expect(ported.remarks.isEmpty)
  }

  @Test(arguments: [
    // The key is "finished".
    "#keyPath(Operation.isFinished)", "#keyPath(Task.isFinished)", "#keyPath(Book.isDeleted)",
    // A type or a property?
    "#keyPath(Book.ISBN)", "#keyPath(Book.URL.path)",
    // The key is "name".
    "#keyPath(Book.title)", "#keyPath(self.title)", "#keyPath([Book].count)",
    "#selector(Target.reload)", "#selector(getter: Book.pages)", "#selector(NSString.length)",
  ]) func `ambiguous expressions are unchanged`(_ expression: String) {
    let types =
      "class Task: Operation { override var isFinished: Bool { true } }\nclass Book { @objc(name) var title = 1 }"
    let source = "import CoreData\nlet a = " + expression
    let ported = Ported(source, with: [types])
    #expect(ported.text == source)
    #expect(ported.remarks.count == 1 && ported.remarks[0].hasPrefix("2: #"), "\(ported.remarks)")
  }

  @Test func `names in Objective-C are known when they are conditional too`() {
    let types = "class Book {\n  #if canImport(ObjectiveC)\n  @objc(name)\n  #endif\n  var title = 1\n}"
    let source = "import CoreData\nlet a = #keyPath(Book.title)"
    #expect(Ported(source, with: [types]).text == source)
  }
}
