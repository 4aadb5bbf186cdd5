import Foundation
import Testing

@testable import StrataModelCompiler

/// The generated accessors, and the errors for unsupported declarations.
struct AccessorTests {
  @Test func `accessors read and write the row`() {
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
      compilation.accessors == #"""
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

        #if compiler(>=6.3)
          // Core Data calls the function when the program first uses a model, a class or a key path.
          @section(".note.strata.model") @used
          // An error here follows from another one, after which the compiler evaluates no constants: correct that one.
          nonisolated private let registerClasses: _ProgramRecord = (12, 8, 1, 0x6172_7453, 0x6f4d_6174, 0x006c_6564, {
            _registerClasses {
              var list: [_RegisteredClass] = []
              list.append(_RegisteredClass("Library.Book", Book.self))
              return list
            }
            NSManagedObject._registerManagedProperties {
              var list: [_ManagedProperties] = []
              list.append(
                _ManagedProperties(
                  "- - title pages kind",
                  [
                    \Book.self,
                    \Book.objectID,
                    \Book.title,
                    \Book.pages,
                    \Book.kind,
                  ],
                  [
                    \Book.self,
                    \Optional<Book>.self?.objectID,
                    \Optional<Book>.self?.title,
                    \Optional<Book>.self?.pages,
                    \Optional<Book>.self?.kind,
                  ]))
              return list
            }
          })
        #endif

        """#)
  }

  @Test(arguments: [
    "class Book: NSManagedObject, Observable { @NSManaged var title: String? }",
    "class Book: NSManagedObject { @NSManaged var title: String? }\nextension Book: Observation.Observable {}",
    """
    class Work: NSManagedObject, Observable {}
    class Book: Work { @NSManaged var title: String? }
    """,
    "class Book: NSManagedObject {}\nextension Book: Observable { @NSManaged var title: String? }",
  ])
  func `getters of an observable class report the access`(_ source: String) {
    let text = Compilation("import CoreData\nimport Observation\n\(source)").accessors
    #expect(
      text.contains(
        "_get_Library_Book_title() -> String? { _track(_Keys_Library_Book._title); return _string(_Keys_Library_Book._title) }"
      ))
    #expect(text.contains("(_ value: consuming String?) { _setString(value, _Keys_Library_Book._title) }"))
  }

  @Test func `classes that models name are registered`() {
    let text = Compilation(
      """
      import CoreData
      class Book: NSManagedObject {
        override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {}
        override func awakeFromFetch() {}
        private class Hidden: NSManagedObject {}
      }
      enum Shelf { class Novel: Book {} }
      class Loan: NSManagedObject { public override func validateForUpdate() throws {} }
      class Copy: NSManagedObject { override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {} }
      private class Draft: Book {}
      class Plain {}
      #if DEBUG
      class Trial: Book {}
      #endif
      @SomeActor class Away: NSManagedObject {}
      @Persisted(watched: true) final class Row: NSManagedObject { var title: String = "" }
      @available(iOS 17, macOS 14, *) class New: NSManagedObject {}
      @available(macOS, deprecated: 14) class Aged: NSManagedObject {}
      @available(*, deprecated) class Old: NSManagedObject {}
      @available(*, unavailable) class Gone: NSManagedObject {}
      @Logged class Marking: ValueTransformer {}
      class Policy: NSEntityMigrationPolicy {}
      class Scaling: ValueTransformer {}
      class Shifting: Scaling { init(by: Int) { super.init() } }
      class Rounding: Scaling { override init() { super.init() } }
      class Storing: NSSecureUnarchiveFromDataTransformer { convenience init(name: String) { self.init() } }
      """
    ).accessors
    let part = text.components(separatedBy: "var list: [_RegisteredClass] = []").last ?? ""
    let lines = part.components(separatedBy: "return list")[0].split(separator: "\n")
    #expect(
      lines.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty } == [
        "list.append(_RegisteredClass(\"Library.Book\", Book.self, validatesValues: true))",
        "list.append(_RegisteredClass(\"Library.Shelf.Novel\", Shelf.Novel.self))",
        "list.append(_RegisteredClass(\"Library.Loan\", Loan.self, hasSaveHooks: true))",
        "list.append(_RegisteredClass(\"Library.Copy\", Copy.self, hasSaveHooks: true))", "#if (DEBUG)",
        "list.append(_RegisteredClass(\"Library.Trial\", Trial.self))", "#endif",
        "list.append(_RegisteredClass(\"Library.Away\", Away.self, validatesValues: true, hasSaveHooks: true))",
        "list.append(_RegisteredClass(\"Library.Row\", Row.self, validatesValues: true, hasSaveHooks: true))",
        "list.append(_RegisteredClass(\"Library.New\", New.self))",
        "list.append(_RegisteredClass(\"Library.Aged\", Aged.self))",
        "list.append(_RegisteredClass(\"Library.Marking\", Marking.self))",
        "list.append(_RegisteredClass(\"Library.Policy\", Policy.self))",
        "list.append(_RegisteredClass(\"Library.Scaling\", Scaling.self, make: { Scaling() }))",
        "list.append(_RegisteredClass(\"Library.Shifting\", Shifting.self))",
        "list.append(_RegisteredClass(\"Library.Rounding\", Rounding.self, make: { Rounding() }))",
        "list.append(_RegisteredClass(\"Library.Storing\", Storing.self, make: { Storing() }))",
      ])
  }

  @Test func `key paths of stored, inherited and computed properties are registered`() {
    let text = Compilation(
      """
      import CoreData
      class Item: NSManagedObject {
        @NSManaged var name: String?
        @NSManaged private var secret: String?
        var label: String { "" }
      }
      final class Book: Item {
        @NSManaged var pages: Int32
        @NSManaged var shelf: Shelf
      }
      final class Shelf: NSManagedObject { @NSManaged var place: Int16 }
      """
    ).accessors
    #expect(text.contains("\"- - name label\",") && text.contains("\"- - pages shelf shelf.place name label\","))
    for path in ["\\Book.shelf.place", "\\Optional<Book>.self?.shelf.place", "\\Book.label", "\\Item.label"] {
      #expect(text.contains("            \(path),\n"))
    }
    #expect(!text.contains("\\Item.secret"))
  }

  @Test func `an accessor of a primitive value checks the entity's properties`() {
    let text = Compilation(
      """
      import CoreData
      class Book: NSManagedObject { @NSManaged var primitiveKind: Int16 }
      class Note: NSManagedObject, Observable { @NSManaged private var primitiveText: String? }
      """
    ).accessors
    let (kind, primitive) = ("_Keys_Library_Book._primitiveKind", "_Keys_Library_Book._kind")
    #expect(text.contains("static let _primitiveKind = _ManagedKey(\"primitiveKind\")"))
    #expect(
      text.contains(
        "{ if _isModeled(\(kind)) { return Int16(truncatingIfNeeded: _integer(\(kind)) ?? 0) }; "
          + "return _primitiveIfAny(\(primitive)) ?? 0 }"))
    #expect(
      text.contains(
        "{ if _isModeled(\(kind)) { _setInteger(Int64(truncatingIfNeeded: value), \(kind)) } "
          + "else { _setPrimitive(value, \(primitive)) } }"))
    #expect(text.contains("{ _track(_Keys_Library_Note._primitiveText); return _string("))
    #expect(text.contains("return _primitiveIfAny(_Keys_Library_Note._text) }"))
  }

  @Test func `stored properties are listed if their type has key paths`() {
    let text = Compilation(
      """
      import CoreData
      import Synchronization
      class Book: NSManagedObject {
        var inferred = Lock()
        var lock: Mutex<Int> = Mutex(0)
        var own: Lock = Lock()
        struct Lock: ~Copyable {}
        #if canImport(ObjectiveC)
        @objc
        #endif
        var marked = Date()
        weak var delegate: NSObject?
        let names: [String: Date]
        var count = 0, other = 1
        @Wrapped var wrapped = 1
        private var hidden = 1
        static var shared = 1
      }
      @objcMembers class Page: NSManagedObject { var color = UIColor.red }
      extension Book { static let first = 1 }
      struct Plain { var stored = 1 }
      """
    ).accessors
    let names = text.components(separatedBy: "_ComputedProperty(\"").dropFirst().map { $0.split(separator: "\"")[0] }
    #expect(names == ["marked", "delegate", "names", "count", "color"])
  }

  @Test func `computed properties of managed objects are listed`() {
    let text = Compilation(
      """
      import CoreData
      class Book: NSManagedObject {
        var initial: String { "" }
        var `default`: Int { get { 1 } set {} }
        var asking: String? { get { value(forKey: "asking") as? String } set { setValue(newValue, forKey: "other") } }
        var primitive: Any? { primitiveValue(forKey: "primitive") }
        var stored: Int = 1 { didSet {} }
        lazy var lazily: Int = { 1 }()
        static var shared: Int { 1 }
        class var kind: Int { 1 }
        private var hidden: Int { 1 }
        var waits: Int { get async { 1 } }
        var fails: Int { get throws { 1 } }
        var opaque: some Equatable { 1 }
        @available(*, deprecated) var old: Int { 1 }
        @available(iOS 17, macOS 14, *) var new: Int { 1 }
        @available(swift, obsoleted: 7) var future: Int { 1 }
      #if DEBUG
        var debug: [String: Int?] { [:] }
      #endif
        struct Inner { var inside: Int { 1 } }
      }
      extension Book { var more: Bool { true } }
      private extension Book { var local: Bool { true } }
      class Novel: Book { override var initial: String { "n" } }
      @MainActor class Shown: NSManagedObject { var shown: Int { 1 } }
      class Other { var other: Int { 1 } }
      private class Hidden: NSManagedObject { var unseen: Int { 1 } }
      @SomeActor class Elsewhere: NSManagedObject { var away: Int { 1 } }
      """
    ).accessors
    let part = text.components(separatedBy: "var list: [_ComputedProperty] = []").last ?? ""
    let lines = part.components(separatedBy: "return list")[0].split(separator: "\n").filter {
      !$0.allSatisfy(\.isWhitespace)
    }
    #expect(
      lines.map { $0.drop { $0 == " " } } == [
        "list.append(_ComputedProperty(\"initial\", \\Book.initial))",
        "list.append(_ComputedProperty(\"default\", \\Book.`default`))",
        "list.append(_ComputedProperty(\"asking\", \\Book.asking, isAccessor: false))",
        "list.append(_ComputedProperty(\"primitive\", \\Book.primitive))",
        "list.append(_ComputedProperty(\"stored\", \\Book.stored, isAccessor: false))",
        "list.append(_ComputedProperty(\"lazily\", \\Book.lazily, isAccessor: false))",
        "list.append(_ComputedProperty(\"new\", \\Book.new))", "#if (DEBUG)",
        "list.append(_ComputedProperty(\"debug\", \\Book.debug))", "#endif",
        "list.append(_ComputedProperty(\"more\", \\Book.more))",
        "list.append(_ComputedProperty(\"initial\", \\Novel.initial))",
        "list.append(_ComputedProperty(\"shown\", \\Shown.shown, isAccessor: false))",
      ])
  }

  @Test func `an unsupported declaration is an error at its line`() {
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
        "3: 'author': cannot find the type 'Autor': decla",
        "4: 'handler': the type is a function, which acce",
        "5: 'count': no accessor can be generated for a @",
        "6: 'frobnicate': 'frobnicate(_:)' is not a relat",
        "7: 'mood': the type 'Mood' is private to its fil",
        "11: 'a': the class 'Hidden' is private to its fi",
        "14: 'a': the class 'Box' is generic, which is no",
        "16: @NSManaged is not supported in a class insid",
      ])
  }

  @Test func `types of other targets are found in their sources`() {
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
  func `functions change the members`(function: String, body: String) {
    let text = Compilation(
      "import CoreData\nclass Page: NSManagedObject {}\nclass Book: NSManagedObject { @NSManaged func \(function) }"
    ).accessors
    #expect(
      text.contains("{ \(body.split(separator: "K").joined(separator: "_Keys_Library_Book._pages")) }"), "\(text)")
  }
}
