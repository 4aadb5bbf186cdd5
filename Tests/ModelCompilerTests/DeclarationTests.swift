import StrataSwiftSource
import Testing

@testable import StrataModelCompiler

/// Tests that the parser finds the same declarations as the compiler.
struct DeclarationTests {
  private func names(_ source: String) -> [String] {
    DeclarationParser.findings(in: Array(source.utf8), named: "Source.swift").managed.map(\.name)
  }

  @Test func `comments and strings contain no declarations`() {
    let source = ##"""
      // class A { @NSManaged var a: Int }
      /* /* @NSManaged */ var b: Int } */
      let text = "} @NSManaged \("inner } \(1) @NSManaged")"
      let raw = #"" } \#(text) \("#
      let long = """
        } " @NSManaged var c: Int "" \(text.map { "}" })
        """
      let regex = /[}"]+/
      let extended = #/ } " /#
      class Book: NSManagedObject {
        @NSManaged var title: String? // " {
        var half: Int { a / b } ; var c: Int { "/".count / 2 }
        @NSManaged /* { */ public  var
          author: String?
      }
      """##
    #expect(names(source) == ["title", "author"])
  }

  @Test func `a backslash may be the last character`() {
    for end in ["\"\\", "\"\\(", "\"\"\"\n\\", "#\"\\#", "= /a\\", "\"\\(\"\\"] {
      #expect(names("@NSManaged var a: Int\nlet b " + end) == ["a"])
    }
  }

  @Test func `bodies of functions and closures are skipped`() {
    let source = """
      class Book: NSManagedObject {
        func f(_ g: () -> Void = { class X {} }) -> [Int] { if x { return [1] }; let class_ = self.class; return [] }
        var closure = { (a: Int) in a }(1)
        init() { super.init() }
        subscript(i: Int) -> Int { get { 1 } set {} }
        static var all: [String] = ["}"]
        class func make() -> Self { fatalError() }
        @NSManaged var title: String?
      }
      @NSManaged var global: Int
      """
    #expect(names(source) == ["title", "global"])
  }

  @Test func `declarations have their conditions`() {
    let source = """
      #if canImport(ObjectiveC)
      @objc(Book)
      #endif
      public class Book: NSManagedObject {
        #if os(Linux) // here
        @NSManaged var a: Int
        #elseif DEBUG && compiler(>=6)
        @NSManaged var b: Int
        #else
        @NSManaged var c: Int
        #endif
        @NSManaged var d: Int
      }
      """
    let findings = DeclarationParser.findings(in: Array(source.utf8), named: "Source.swift")
    let found = findings.managed
    #expect(found.map(\.name) == ["a", "b", "c", "d"])
    #expect(
      found.map(\.conditions) == [
        ["(os(Linux))"], ["!(os(Linux)) && (DEBUG && compiler(>=6))"],
        ["!(os(Linux)) && !(DEBUG && compiler(>=6))"], [],
      ])
    #expect(found.first?.scope.name == "Book")
    #expect(found.first?.scope.access == .public)
    #expect(findings.imports == [])
  }

  @Test func `attributes and modifiers belong to their declaration`() {
    let source = """
      class Book: NSManagedObject {
        @objc(addPagesObject:) @NSManaged public func addToPages(_ value: Page)
        @available(*, deprecated, message: "{") @NSManaged internal private(set) var a: Int
        @NSManaged final nonisolated(unsafe) override open var b: Int
      }
      """
    let findings = DeclarationParser.findings(in: Array(source.utf8), named: "Source.swift")
    let found = findings.managed
    #expect(found.map(\.access) == [.public, .internal, .open])
    #expect(found.map(\.setterAccess) == [nil, .private, nil])
    #expect(findings.scope.types.keys.sorted() == ["Book"])
    #expect(found.first?.selector == "addPagesObject:")
  }

  @Test(arguments: [
    "##\"\"\"\"##", "#\"\"\"#", "#\"\"\"\"#", "#\"\"\"a\"#", "#\"\"#", "#\"\"\"\n\"\"\" \"#\n\"\"\"#",
    "\"\\(f(##\"\"#\")\"##))\"",
  ])
  func `a raw string ends where the compiler ends it`(text: String) {
    let source = "let a = \(text); class Book {}\nclass Page {}"
    let findings = DeclarationParser.findings(in: Array(source.utf8), named: "Source.swift")
    #expect(findings.scope.types.keys.sorted() == ["Book", "Page"])
  }

  @Test(arguments: [
    ("String?", "String?"), ("Foundation.Date!", "Foundation.Date?"), ("[ String : [Int]? ]", "[String: [Int]?]"),
    ("Set< Tag >", "Set<Tag>"), ("(a: Int, String)", "(a: Int, String)"), ("any P & Q", "any P & Q"),
    ("(any P)?", "(any P)?"), ("Int.Type", "Int.Type"), ("(Int) -> Void", "a function"),
    ("[Int: Int]", "[Int: Int]"), ("([Int: Error], x: Int)", "([Int: Error], x: Int)"),
  ])
  func `types are parsed`(text: String, type: String) {
    var cursor = TokenCursor(Array(text.utf8))
    #expect(cursor.consumeType().description == type)
  }
}
