import Testing

@testable import StrataPorting

/// A seeded random number generator.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

/// Sources put together at random, many of which do not compile.
struct RandomSourceTests {
  private static let pieces = [
    "@objc", "@objc(A)", "@objcMembers", "@available(iOS 10, *)", "public", "dynamic", "override", "class A",
    "protocol P",
    "extension A", "func f()", "var a", "let b", ":", "=", "{", "}", "(", ")", "[", "]", "#keyPath(A.b)", "#keyPath(",
    ".",
    "#selector(A.b)", "#selector(NSString.compare(_:))", "\"text\"", "\"\\(#keyPath(A.b)) == 1\"", "format:", "\"\"\"",
    "\"", "as! NSFetchRequest<A>", "as", "!", "NSFetchRequest<A>", "(entityName: a)", "A.fetchRequest()",
    "import UIKit",
    "import os.log", "import CoreData", "import Foundation", "@testable", "#if os(iOS)", "#if DEBUG", "#else", "#endif",
    "// comment", "/*", "*/", "NSSet", "as NSSet", "NSExpression", "Foundation.ValueTransformer", "optional",
    "@NSManaged",
    "withVaList(a) { NSPredicate(format: b, arguments: $0) }", "Date()", "URLSession", ";", "`A`", "é", "/a/", "#\"",
    "\"#",
    "NSStringFromSelector(#selector(getter: A.b))", "let request = NSFetchRequest<B>(entityName: c)", "request",
  ]

  private static func source(_ generator: inout Seeded) -> String {
    let endings = ["\n", "\r\n", " ", "  ", "", "\t", "\n\n"]
    return (0..<Int.random(in: 0...40, using: &generator)).map { _ in
      (pieces.randomElement(using: &generator) ?? "") + (endings.randomElement(using: &generator) ?? "")
    }.joined() + "\nfunc end() {}\n"
  }

  @Test(arguments: 0..<20) func `a second run changes nothing`(_ seed: UInt64) {
    var generator = Seeded(state: seed)
    for _ in 0..<60 {
      let sources = (0..<2).map { _ in Self.source(&generator) }
      let files = sources.enumerated().map { (path: "\($0)", bytes: Array($1.utf8)) }
      let once = PortedModule(files).files
      let twice = PortedModule(once.map { ($0.path, $0.result) }).files
      for (first, second) in zip(once, twice) {
        let isStable = !second.isChanged
        #expect(
          isStable,
          """
          seed \(seed): \(String(reflecting: String(decoding: first.original, as: UTF8.self)))
          \(String(decoding: second.original, as: UTF8.self)) became
          \(String(decoding: second.result, as: UTF8.self))
          """)
        let (moved, found) = (first.resultRemarks.map(\.lineAndReason), second.remarks.map(\.lineAndReason))
        #expect(moved == found, "seed \(seed): \(String(reflecting: String(decoding: first.original, as: UTF8.self)))")
      }
    }
  }

  @Test func `porting arbitrary bytes is idempotent`() {
    var generator = Seeded(state: 7)
    let likely = Array("@objc(\"\\#)if\n/*{}[]<>!as .:`$é".utf8)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? UInt8.random(in: 0...255, using: &generator) : likely.randomElement(using: &generator) ?? 0
      }
      let once = PortedModule([("a", bytes)]).files[0]
      #expect(!PortedModule([("a", once.result)]).files[0].isChanged, "\(bytes)")
    }
  }

  @Test(arguments: 0..<20) func `comments, strings and inactive code keep their text and order`(_ seed: UInt64) {
    var generator = Seeded(state: seed)
    for _ in 0..<50 {
      var marks: [String] = []
      let parts = (0..<12).map { number in
        let mark = "@objc #keyPath(A.b\(number)) as! NSFetchRequest<B>"
        let inert =
          [
            "// \(mark)\n", "/* \(mark) */", "\"\(mark)\"", "#\"\\(\(mark))\"#", "\"\"\"\n\(mark)\n\"\"\"\n",
            "\n#if os(macOS)\n\(mark)\n#endif\n", "\n#if canImport(ObjectiveC)\n\(mark)\n#endif\n",
          ].randomElement(using: &generator) ?? ""
        marks.append(inert)
        let code = ["@objc var a = 1\n", "class A {}\n", "let a = #keyPath(A.b)\n", "import UIKit\n", "f();"]
        return inert + (code.randomElement(using: &generator) ?? "")
      }
      let ported = Ported(parts.joined()).text
      var position = ported.startIndex
      for mark in marks {
        let range = ported.range(of: mark, from: position)
        guard let range else {
          Issue.record("seed \(seed): \(mark) is not in \(ported)")
          break
        }
        position = range.upperBound
      }
    }
  }
}

extension Remark {
  fileprivate var lineAndReason: String { "\(line): \(reason)" }
}

extension String {
  fileprivate func range(of text: String, from start: Index) -> Range<Index>? { self[start...].firstRange(of: text) }
}
