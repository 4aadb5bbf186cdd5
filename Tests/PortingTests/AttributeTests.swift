import StrataPorting
import Testing

/// `@objc` attributes of declarations.
struct AttributeTests {
  @Test(arguments: [
    Example(
      "@objc(Writer) public class Writer {}",
      "#if canImport(ObjectiveC)\n@objc(Writer)\n#endif\npublic class Writer {}"),
    Example(
      "@objc(Writer) // name\npublic class Writer {}",
      "#if canImport(ObjectiveC)\n@objc(Writer) // name\n#endif\npublic class Writer {}"),
    Example(
      "class A {\n\t@objc dynamic var b = 1\n}",
      "class A {\n\t#if canImport(ObjectiveC)\n\t@objc\n\t#endif\n\tdynamic var b = 1\n}"),
    Example(
      "class A {\n  @available(iOS 10, *) @objc\n  func b() {}\n}",
      "class A {\n  @available(iOS 10, *)\n  #if canImport(ObjectiveC)\n  @objc\n  #endif\n  func b() {}\n}"),
    Example(
      "@available(iOS 10, *) @objc public func b() {}",
      "@available(iOS 10, *)\n#if canImport(ObjectiveC)\n@objc\n#endif\npublic func b() {}"),
    Example(
      "/// A.\n@objcMembers @objc(B) final class B {}",
      "/// A.\n#if canImport(ObjectiveC)\n@objcMembers @objc(B)\n#endif\nfinal class B {}"),
    Example(
      "class A { @objc var b = 1 }",
      "class A {\n#if canImport(ObjectiveC)\n@objc\n#endif\nvar b = 1 }"),
    Example(
      "@objc\n@objcMembers class A {}",
      "#if canImport(ObjectiveC)\n@objc @objcMembers\n#endif\nclass A {}"),
    Example(
      "@objc(A)  @objcMembers\nclass A {}",
      "#if canImport(ObjectiveC)\n@objc(A)  @objcMembers\n#endif\nclass A {}"),
    Example(
      "  @objc\n  @objcMembers // b\n  class A {}",
      "  #if canImport(ObjectiveC)\n  @objc\n  @objcMembers // b\n  #endif\n  class A {}"),
    Example(
      "@objc @MainActor @objcMembers class A {}",
      "#if canImport(ObjectiveC)\n@objc @objcMembers\n#endif\n@MainActor class A {}"),
    Example(
      "@objc /* a\nb */ class A {}",
      "#if canImport(ObjectiveC)\n@objc\n#endif\n/* a\nb */ class A {}"),
    Example(
      "extension A {\r\n  @objc(addBooks:)\r\n  @NSManaged func addToBooks(_ books: NSSet)\r\n}",
      "extension A {\r\n  #if canImport(ObjectiveC)\r\n  @objc(addBooks:)\r\n  #endif\r\n"
        + "  @NSManaged func addToBooks(_ books: NSSet)\r\n}"),
    Example(
      "@objc enum A: Int { case b }", "#if canImport(ObjectiveC)\n@objc\n#endif\nenum A: Int { case b }"),
    // Accepted on Linux.
    Example(unchanged: "class A { @nonobjc dynamic var b = 1; @NSManaged var c: Int }"),
  ]) func `objc attributes get conditional blocks`(_ example: Example) {
    let ported = Ported(example.before)
    // A source that uses Core Data gets its import.
    let imports = ["import CoreData\n\n", "import CoreData\r\n\r\n"]
    let added = imports.first { ported.text.hasPrefix($0) } ?? ""
    #expect(ported.text == added + example.after)
    #expect(ported.remarks.isEmpty)
  }

  @Test(arguments: [
    "// @objc class A {}", "/* @objc /* class */ A */", "let text = \"@objc class A {}\"",
    "let text = \"\"\"\n  @objc class A {}\n  \"\"\"", "let text = #\"\\(@objc)\"#",
    "#if canImport(ObjectiveC)\n@objc(A)\n#endif\nclass A {}",
    "#if os(macOS)\n@objc class A { let a = #keyPath(A.b) }\n#endif",
    "#if os(iOS) || os(tvOS)\nimport UIKit\n@objc class A {}\n#else\nclass A {}\n#endif",
    "#if !os(Linux)\n@objc class A {}\n#endif", "#if canImport(UIKit) && DEBUG\nimport UIKit\n#endif",
    "#if os(Linux)\nclass A {}\n#elseif os(macOS)\n@objc class A {}\n#else\n@objc class A {}\n#endif",
    "#if canImport(CoreData)\nclass A {}\n#else\n@objc class A {}\n#endif",
  ]) func `comments, strings and code for Apple's platforms are unchanged`(_ source: String) {
    let ported = Ported(source)
    #expect(ported.text == source)
    #expect(ported.remarks.isEmpty)
  }

  @Test func `branches that Linux compiles are ported`() {
    let block = "#if canImport(ObjectiveC)\n@objc\n#endif\n"
    #expect(
      Ported("#if os(macOS)\n@objc class A {}\n#else\n@objc class A {}\n#endif").text
        == "#if os(macOS)\n@objc class A {}\n#else\n\(block)class A {}\n#endif")
    #expect(Ported("#if DEBUG\n@objc class A {}\n#endif").text == "#if DEBUG\n\(block)class A {}\n#endif")
  }

  @Test(arguments: [
    Example("protocol A { func b() }", "protocol A: AnyObject { func b() }"),
    Example("protocol A: B { func b() }", "protocol A: B, AnyObject { func b() }"),
    Example("protocol `A` where B == C {}", "protocol `A`: AnyObject where B == C {}"),
    Example(unchanged: "protocol A: NSObjectProtocol {}"), Example(unchanged: "protocol A: AnyObject {}"),
  ]) func `protocols remain limited to classes`(_ example: Example) {
    let ported = Ported("import Foundation\n@objc\n" + example.before)
    #expect(ported.text == "import Foundation\n#if canImport(ObjectiveC)\n@objc\n#endif\n" + example.after)
  }

  @Test func `protocols with optional members are unchanged`() {
    let source = "@objc protocol A {\n  @objc optional func b()\n}\n@objc class C {}"
    let ported = Ported(source)
    #expect(ported.text.hasPrefix("@objc protocol A {\n  @objc optional func b()\n}\n#if"))
    #expect(ported.remarks.count == 1 && ported.remarks[0].hasPrefix("1: The protocol 'A' has optional members"))
  }

  @Test func `Objective-C names of accessors are unchanged`() {
    let ported = Ported("class A {\n  @objc var b: Int {\n    @objc(c) get { 1 }\n  }\n}")
    #expect(ported.text.contains("    @objc(c) get { 1 }"))
    #expect(ported.remarks.count == 1 && ported.remarks[0].hasPrefix("3: "))
  }

  @Test func `a class that the model calls by its Objective-C name is listed`() {
    let source = "import CoreData\n@objc(Book) class ManagedBook: NSManagedObject {}"
    #expect(Ported(source, models: ["Book"]).remarks.count == 1)
    #expect(Ported(source, models: ["ManagedBook"]).remarks.isEmpty)
  }
}
