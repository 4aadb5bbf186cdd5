import Testing

@testable import StrataModelCompiler

/// Tests that the model compiler mangles names exactly like the Swift compiler, so that the linker finds the accessors.
struct SymbolTests {
  @Test func `accessor symbols match the compiler's`() throws {
    let sources = ["Book.swift": Self.book, "Other File.swift": Self.other]
    let wanted = try Compilation("Library", sources).undefinedSymbols()
    // The toolchain alone has no Core Data, and symbols do not depend on the superclass.
    let compilation = Compilation(
      "Library",
      sources.mapValues {
        "import CoreData;" + $0.replacing(": NSObject", with: ": NSManagedObject")
      })
    #expect(compilation.errors == [])
    #expect(wanted.subtracting(compilation.symbols) == [])
    #expect(wanted.count > 100)
  }

  @Test(arguments: [
    ("", "D41D8CD98F00B204E9800998ECF8427E"),
    ("ModFoo.swift", "3476408B6ABB199B752648607F75ADD1"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57EDF4A22BE3C955AC49DA2E2107B67A"
    ),
  ])
  func `digests match the standard`(text: String, digits: String) {
    #expect(MD5.digits(of: text) == digits)
  }

  @Test(arguments: [("größe", "gre_GkaIi"), ("`hello\u{A0}world`", "helloworld_hkaCJIDHdla")])
  func `non-ASCII names are encoded`(name: String, encoded: String) {
    #expect(Punycode.encode(name) == encoded)
  }

  private static let book = """
    import Foundation
    public class Base: NSObject {}
    public class Book: Base {
      @NSManaged public var title: String?, isbn: String, titleOfTitles: Swift.String?
      @NSManaged var pages, chapters: Int
      @NSManaged private var secret: String?
      @NSManaged fileprivate var secretDate: Foundation.Date
      @NSManaged public private(set) var added: Date?
      @NSManaged package var width: Double
      @NSManaged var kind: Kind, kinds: [Kind]?, kindBook: Kinds.Book, deepest: Book.Deep.Deeper?
      @NSManaged var i16: Int16, i32: Int32?, i64: Int64, u: UInt8, b: Bool, f: Float, c: CGFloat
      @NSManaged var id: UUID?, url: URL!, data: Data?, price: Decimal, cost: NSDecimalNumber?, number: NSNumber?
      @NSManaged var tags: NSSet?, ordered: NSOrderedSet?, typed: Set<Tag>, tag: Tag?, base: Base?
      @NSManaged var names: [String]?, settings: [String: Any]?, table: [String: [Int: [Tag]]]?, any: Any?
      @NSManaged var object: AnyObject?, coding: NSCoding?, error: any Error, both: (any Named & Aged)?
      @NSManaged var interval: TimeInterval, alias: Alias, pair: (Int, second: String?), range: NSRange, opt: Optional<Int>
      @NSManaged var later: Date.Later?, größe: Int, 日本: String?, `class`: String?, `white space`: Int
      enum Deep { enum Deeper { case one } }
      func use() { secret = secret; secretDate = secretDate; added = nil }
      class Inner: NSObject {
        @NSManaged var innerTitle: String?
        @NSManaged fileprivate var innerKind: Kind
        func use() { innerKind = innerKind }
      }
    }
    typealias Alias = [String: Kind]
    protocol Named {}
    protocol Aged {}
    extension Date { enum Later: Int { case one } }
    public class Tag: NSObject {}
    enum Kind: Int16 { case one }
    struct Kinds { class Book: NSObject {} }
    """

  private static let other = """
    import Foundation
    extension Book {
      @NSManaged private var extra: Int
      @NSManaged func addToTags(_ value: Tag)
      @NSManaged func removeFromTags(_ value: Tag)
      @NSManaged func addToTags(_ values: NSSet)
      @NSManaged func addToTyped(_ values: Set<Tag>)
      @NSManaged public func insertIntoOrdered(_ value: Tag, at idx: Int)
      @NSManaged func insertIntoOrdered(_ values: [Tag], at indexes: NSIndexSet)
      @NSManaged func removeFromOrdered(at idx: Int)
      @NSManaged fileprivate func removeFromOrdered(at indexes: IndexSet)
      @NSManaged func replaceOrdered(at idx: Int, with value: Tag)
      @NSManaged func replaceOrdered(at indexes: NSIndexSet, with values: [Tag])
      func use(_ tag: Tag, _ tags: [Tag], _ set: NSSet, _ places: NSIndexSet) {
        extra += 1
        addToTags(tag)
        removeFromTags(tag)
        addToTags(set)
        addToTyped([tag])
        insertIntoOrdered(tag, at: 0)
        insertIntoOrdered(tags, at: places)
        removeFromOrdered(at: 1)
        removeFromOrdered(at: IndexSet())
        replaceOrdered(at: 0, with: tag)
        replaceOrdered(at: places, with: tags)
      }
    }
    private extension Book.Inner {
      @NSManaged var hidden: String?
      func useHidden() { hidden = hidden }
    }
    """
}
