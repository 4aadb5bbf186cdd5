import StrataPorting
import Testing

/// Imports, and names that belong to other modules on Linux.
struct ImportTests {
  @Test(arguments: [
    Example("let a = UnitMass.grams", "import Foundation\n\nlet a = UnitMass.grams"),
    Example("class A: NSManagedObject {}", "import CoreData\n\nclass A: NSManagedObject {}"),
    Example("let a = Date()", "import Foundation\n\nlet a = Date()"),
    Example(
      "//\n// A.swift\n//\n\n/// A.\nlet a = Date()",
      "//\n// A.swift\n//\n\nimport Foundation\n\n/// A.\nlet a = Date()"),
    Example("/* a\n\n b */\nlet a = Date()", "import Foundation\n\n/* a\n\n b */\nlet a = Date()"),
    Example("#!/usr/bin/swift\nlet a = Date()", "#!/usr/bin/swift\nimport Foundation\n\nlet a = Date()"),
    Example("@testable import B\nlet a = UUID()\n", "import Foundation\n@testable import B\nlet a = UUID()\n"),
    Example("import Foundation\nlet a: NSManagedObject", "import CoreData\nimport Foundation\nlet a: NSManagedObject"),
    Example(
      "import class Foundation.Date\nlet a = Data()", "import Foundation\nimport class Foundation.Date\nlet a = Data()"),
    Example(
      "import UIKit\r\nlet a = Date()\r\n",
      "import Foundation\r\n#if canImport(UIKit)\r\nimport UIKit\r\n#endif\r\nlet a = Date()\r\n"),
    Example(
      "#if os(iOS)\nimport UIKit\n#else\nimport AppKit\n#endif\nlet a = Date()",
      "import Foundation\n#if os(iOS)\nimport UIKit\n#else\n#if canImport(AppKit)\nimport AppKit\n#endif\n#endif\nlet a = Date()"
    ),
    Example("import AVFAudio\nlet a = 1", "#if canImport(AVFAudio)\nimport AVFAudio\n#endif\nlet a = 1"),
    Example("import os.log // a\nlet a = 1", "#if canImport(os)\nimport os.log // a\n#endif\nlet a = 1"),
    Example("import CoreData.NSFetchRequest\nlet a = 1", "import CoreData\nlet a = 1"),
    Example(
      "import Foundation\nlet a = URLSession.shared",
      "#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif\nimport Foundation\nlet a = URLSession.shared"
    ),
    Example(
      "let a = XMLParser(data: b), c = URLRequest(url: d)",
      "import Foundation\n#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif\n"
        + "#if canImport(FoundationXML)\nimport FoundationXML\n#endif\n\nlet a = XMLParser(data: b), c = URLRequest(url: d)"
    ),
    Example(unchanged: "import Foundation\nimport FoundationXML\nlet a: XMLElement"),
    Example(
      "import CoreData\nclass A: Foundation.ValueTransformer {}", "import CoreData\nclass A: ValueTransformer {}"),
    Example(
      "import class Foundation.ValueTransformer\nlet a: ValueTransformer.Type",
      "import CoreData\nlet a: ValueTransformer.Type"),
    Example(
      "import struct Foundation.NSValueTransformerName\nlet a: NSValueTransformerName",
      "import CoreData\nlet a: NSValueTransformerName"),
    Example(unchanged: "import OtherXML\nlet a: XMLElement"),
    Example(
      "@preconcurrency import class Foundation.UndoManager\nlet a: NSManagedObject",
      "@preconcurrency import CoreData\nlet a: NSManagedObject"),
    Example(
      "import XCTest\nlet a = Bundle(for: self.classForCoder)", "import XCTest\nlet a = Bundle(for: type(of: self))"),
    Example("import XCTest\nlet a = Bundle(for: classForCoder)", "import XCTest\nlet a = Bundle(for: type(of: self))"),
    Example("import CoreData\nlet a = [b] as NSSet", "import CoreData\nlet a = NSSet(array: [b])"),
    Example(
      "import CoreData\nlet a: NSSet = [b]\nlet c = 1", "import CoreData\nlet a: NSSet = NSSet(array: [b])\nlet c = 1"),
    Example(
      "import CoreData\nlet p = withVaList(args) { NSPredicate(format: format, arguments: $0) }",
      "import CoreData\nlet p = NSPredicate(format: format, argumentArray: args)"),
    Example(
      "import CoreData\nlet a = NSExpression(forKeyPath: b)",
      "import CoreData\n\n#if os(Linux)\npublic typealias NSExpression = CoreData.NSExpression\n#endif\nlet a = NSExpression(forKeyPath: b)"
    ),
    Example(unchanged: "import CoreData\nlet a: NSSet = [b].c\nlet d = e[f] as NSSet\nlet g = [h: i] as NSSet"),
    Example(
      "@_spi(B)\nimport C\nlet a = Date()", "import Foundation\n@_spi(B)\nimport C\nlet a = Date()"),
    Example(unchanged: "struct Date {}\nlet a = Date()"), Example(unchanged: "let a = B.Date(); f(Date: 1)"),
    Example(unchanged: "import XCTest\nlet a = Bundle(for: other.classForCoder)"),
    Example(unchanged: "import class Foundation.DateFormatter\nlet a = 1"),
    Example(unchanged: "import XCTest\nlet a = Date()"), Example(unchanged: "let a = 1"),
    Example(unchanged: "import CoreData\ntypealias NSExpression = CoreData.NSExpression\nlet a: NSExpression"),
  ]) func `imports and names suit both platforms`(_ example: Example) {
    let ported = Ported(example.before)
    #expect(ported.text == example.after)
    #expect(ported.remarks.isEmpty, "\(ported.remarks)")
  }

  @Test func `names that belong to Core Data on Linux need a module that imports it`() {
    let source = "import Foundation\nlet a = Selector(b); autoreleasepool {}"
    #expect(Ported(source).text == source)
    #expect(Ported(source, with: ["import CoreData"]).text == "import CoreData\n" + source)
  }

  @Test func `one file gets the aliases of the module`() {
    let source = "import CoreData\nlet a: NSComparisonPredicate"
    #expect(Ported(source, with: [source]).text.contains("public typealias NSComparisonPredicate"))
    #expect(
      Ported(source, with: ["public typealias NSComparisonPredicate = CoreData.NSComparisonPredicate"]).text == source)
  }

  @Test(arguments: [
    ("import UIKit\nlet a = UIColor.red", "2: 'UIColor' belongs to UIKit"),
    ("import CoreData\nimport os\nlet log = Logger()", "3: 'Logger' belongs to os"),
    ("import CoreData\nimport os\nlet a = UIColor.red", "3: 'UIColor' belongs to UIKit"),
    ("import CoreData\nlet a = UIColor.red", "2: 'UIColor' belongs to UIKit"),
    ("import CoreData\nclass A: ObservableObject {}", "2: 'ObservableObject' belongs to Combine"),
    ("import Foundation\nlet a = os_unfair_lock()", "2: 'os_unfair_lock' belongs to os"),
    ("import Foundation\nlet a = Bundle.main.bundleIdentifier!", "2: Programs on Linux have no bundle identifier"),
    ("import CoreData\nextension Book {\n  override func willSave() {}\n}", "3: Move the override of 'willSave'"),
    ("import CoreData\nclass A { override func observeValue() {} }", "2: Without Objective-C, observeValue"),
    ("import CoreData\nlet a = NSPersistentCloudKitContainer(name: b)", "2: CloudKit exists only"),
    ("import CoreData\nlet a = b.responds(to: c)", "2: Use a protocol"),
    ("import CoreData\nlet a = Thread.isMainThread", "2: May be false on the main queue"),
    ("import CoreData\nlet a = Thread.current.isMainThread", "2: May be false on the main queue"),
    (
      "import CoreData\nclass ValueTransformer: Foundation.ValueTransformer {}",
      "2: 'ValueTransformer' is not in Foundation"
    ),
    ("import CoreData\nlet a = \"\\(NSException.self)\"", "2: Check before the call"),
  ]) func `code that needs a manual change is listed`(_ source: String, _ start: String) {
    let left = Ported(source).remarks
    #expect(left.count == 1 && left[0].hasPrefix(start), "\(left)")
  }

  @Test(arguments: [
    "import SwiftUI\nimport CoreData\nstruct A: View { let b = #keyPath(Book.title) }",
    "import UIKit\nclass A: UITableViewController { @objc func b() {} }",
    "import Cocoa\nextension NSViewController { @objc func b() {} }",
  ]) func `files of views and controllers are unchanged`(_ source: String) {
    let ported = Ported(source)
    #expect(ported.text == source)
    #expect(ported.remarks.count == 1 && ported.remarks[0].hasSuffix("the file stays as it is (Frameworks)"))
  }

  @Test func `a byte order mark stays at the start`() {
    #expect(Ported("\u{FEFF}let a = Date()").text == "\u{FEFF}import Foundation\n\nlet a = Date()")
  }

  @Test func `remarks are listed until the code is changed`() {
    let ported = Ported("import UIKit\nlet a = UIColor.red\n")
    #expect(Ported(ported.text).remarks == ["4: 'UIColor' belongs to UIKit, which Linux does not have (Frameworks)"])
    let changed = ported.text.replacing("let a", with: "#if canImport(UIKit)\nlet a").appending("#endif\n")
    #expect(Ported(changed).remarks.isEmpty)
  }
}
