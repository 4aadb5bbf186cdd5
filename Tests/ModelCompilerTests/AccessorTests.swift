import Testing

@testable import ManagedSources

/// The text of accessors, and what is said where there can be none.
struct AccessorTests {
  @Test func accessorsReadAndWriteTheRow() {
    let compilation = Compilation(
      """
      import CoreData
      public class Book: NSManagedObject {
        @NSManaged public private(set) var title: String?
        @NSManaged var pages: Int32
        @NSManaged var kind: Kind
      }
      enum Kind: Int16 { case one }
      """)
    #expect(
      compilation.accessors == """
        // Made by CoreDataModel from the @NSManaged declarations of the target's sources.
        import CoreData
        import Foundation

        private enum _Keys_Library_Book {
          nonisolated static let _title = _ManagedKey("title")
          nonisolated static let _pages = _ManagedKey("pages")
          nonisolated static let _kind = _ManagedKey("kind")
        }

        extension Book {
          @_silgen_name("$s7Library4BookC5titleSSSgvg")
          nonisolated public final func _get_Library_Book_title() -> String? { _string(_Keys_Library_Book._title) }
          @_silgen_name("$s7Library4BookC5titleSSSgvs")
          nonisolated final func _set_Library_Book_title(_ value: consuming String?) { _setString(value, _Keys_Library_Book._title) }
          @_silgen_name("$s7Library4BookC5pagess5Int32Vvg")
          nonisolated final func _get_Library_Book_pages() -> Int32 { Int32(truncatingIfNeeded: _integer(_Keys_Library_Book._pages) ?? 0) }
          @_silgen_name("$s7Library4BookC5pagess5Int32Vvs")
          nonisolated final func _set_Library_Book_pages(_ value: consuming Int32) { _setInteger(Int64(truncatingIfNeeded: value), _Keys_Library_Book._pages) }
          @_silgen_name("$s7Library4BookC4kindAA4KindOvg")
          nonisolated final func _get_Library_Book_kind() -> Kind { _value(_Keys_Library_Book._kind, as: (Kind).self) }
          @_silgen_name("$s7Library4BookC4kindAA4KindOvs")
          nonisolated final func _set_Library_Book_kind(_ value: consuming Kind) { _setValue(value, _Keys_Library_Book._kind) }
        }

        """)
  }

  @Test func whatHasNoAccessorIsAnErrorAtItsLine() {
    let compilation = Compilation(
      """
      import CoreData
      class Book: NSManagedObject {
        @NSManaged var author: Autor?
        @NSManaged var handler: (Int) -> Void
        @NSManaged func count() -> Int
        @NSManaged func frobnicate(_ a: Int)
        @NSManaged var mood: Mood
        private enum Mood: Int { case good }
      }
      private class Hidden: NSManagedObject {
        @NSManaged var a: Int
      }
      class Box<T>: NSManagedObject {
        @NSManaged var a: Int
      }
      func f() { class Local: NSManagedObject { @NSManaged var a: Int } }
      """)
    let errors = compilation.errors.map { String($0.prefix(48)) }
    #expect(
      errors == [
        "3: 'author': cannot find the type 'Autor': it mu",
        "4: 'handler': the type is a function, for which ",
        "5: 'count': a @NSManaged function that returns s",
        "6: 'frobnicate': no accessor of a relationship i",
        "7: 'mood': the type 'Mood' is private to its fil",
        "11: 'a': the class 'Hidden' is private to its fi",
        "14: 'a': the class 'Box' is generic, which a man",
        "16: @NSManaged in a class that is declared insid",
      ])
  }

  @Test func typesOfOtherTargetsAreFoundInTheirSources() {
    let compilation = Compilation(
      "App",
      [
        "Book.swift": """
        import CoreData
        public import Shelves
        class Book: NSManagedObject {
          @NSManaged var shelf: Shelf?
          @NSManaged var colour: Shelf.Colour
        }
        extension Shelf { @NSManaged var label: String? }
        """
      ],
      dependencies: [
        "Shelves": "public class Shelf: NSManagedObject { public typealias Colour = Hue }; public enum Hue: Int16 {}"
      ])
    #expect(compilation.errors == [])
    #expect(
      compilation.symbols == [
        "$s3App4BookC5shelf7Shelves5ShelfCSgvg", "$s3App4BookC5shelf7Shelves5ShelfCSgvs",
        "$s3App4BookC6colour7Shelves3HueOvg", "$s3App4BookC6colour7Shelves3HueOvs",
        "$s7Shelves5ShelfC3AppE5labelSSSgvg", "$s7Shelves5ShelfC3AppE5labelSSSgvs",
      ])
    #expect(compilation.accessors.contains("\nimport Shelves\n"))
  }

  @Test(arguments: [
    ("addToPages(_ value: Page)", "_addObject(first, K)"),
    ("addPagesObject(_ value: Page)", "_addObject(first, K)"),
    ("removeFromPages(_ values: NSSet)", "_removeObjects(first, K)"),
    ("addToPages(_ values: Set<Page>)", "_addObjects(NSSet(array: Array(first)), K)"),
    ("insertIntoPages(_ value: Page, at idx: Int)", "_insertObject(first, at: second, K)"),
    ("insertObject(_ value: Page, inPagesAtIndex idx: Int)", "_insertObject(first, at: second, K)"),
    ("removeFromPages(at indexes: NSIndexSet)", "_removeObjects(at: first, K)"),
    ("removeFromPages(at indexes: IndexSet)", "_removeObjects(at: NSIndexSet(indexes: first), K)"),
    ("replacePages(at idx: Int, with value: Page)", "_replaceObject(at: first, with: second, K)"),
    ("replacePagesAtIndexes(_ at: NSIndexSet, withPages p: [Page])", "_replaceObjects(at: first, with: second, K)"),
  ])
  func functionsChangeTheMembers(function: String, body: String) {
    let text = Compilation(
      "import CoreData\nclass Page: NSManagedObject {}\nclass Book: NSManagedObject { @NSManaged func \(function) }"
    ).accessors
    #expect(
      text.contains("{ \(body.split(separator: "K").joined(separator: "_Keys_Library_Book._pages")) }"), "\(text)")
  }
}
