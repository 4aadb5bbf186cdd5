import Testing

@testable import StrataModelCompiler

/// Programs with mistakes: the generated file adds nothing to errors that the compiler reports.
struct MistakeTests {
  @Test(arguments: [
    "class Book: NSManagedObject { @NSManaged var title }", "struct Book { @NSManaged var a: Int }",
    "class Book: NSManagedObject { @NSManaged static var a: Int }",
    "class Book: NSManagedObject { @NSManaged func addToTags(_ value: NSSet }",
    "class Book: NSManagedObject { @NSManaged func addToTags(_ value: Tga) }",
    "extension Bok { @NSManaged var a: Int }",
    "class Book: Novel { @NSManaged var a: Int }; class Novel: Book { @NSManaged var b: Int }",
    "protocol P {}; class Book: P, NSManagedObject { @NSManaged var a: Int }",
    "class Book: NSManagedObject { @NSManaged var a: Int }; class Book: NSManagedObject { @NSManaged var b: Int }",
  ])
  func `a mistake that the compiler reports gets no accessor and no error`(_ source: String) {
    let text = Compilation("import CoreData\nimport Dispatch\n\(source)").accessors
    #expect(!text.contains("@_silgen_name") && !text.contains("CoreDataModel: "), "\(text)")
    #expect(!text.contains("Book.a"))
  }

  @Test func `a member that is declared twice gets one accessor`() {
    let compilation = Compilation(
      """
      import CoreData
      class Book: NSManagedObject {
        @NSManaged var title: String?
        @NSManaged var title: Int
        @NSManaged func addToTags(_ value: Book)
        @NSManaged func addToTags(_ value: Book)
        @NSManaged func addToTags(_ values: NSSet)
      #if DEBUG
        @NSManaged var kind: Int
      #else
        @NSManaged var kind: String
      #endif
      }
      """)
    #expect(compilation.symbols.count == 8 && compilation.errors == [])
    // No key path leads to an ambiguous name.
    #expect(!compilation.accessors.contains("Book.title") && compilation.accessors.contains("Book.kind"))
  }

  @Test func `a class without NSManagedObject is one error`() {
    let compilation = Compilation(
      """
      import CoreData
      class Book: NSObject {
        @NSManaged var title: String?
        @NSManaged var pages: Int
      }
      """)
    #expect(compilation.errors == ["3: 'title': the class 'Book' does not inherit from NSManagedObject"])
    #expect(compilation.symbols == [])
  }

  @Test func `an unknown superclass is an error if it exists`() {
    let source = """
      class Book: Work {
        @NSManaged var title: String?
        @NSManaged var pages: Int
      }
      class Shelf: NSManagedObject {
        @NSManaged var books: Set<Book>
        @NSManaged var best: Book?
      }
      """
    let compilation = Compilation("import CoreData\n\(source)")
    let errors = compilation.errors.map { String($0.prefix(38)) }
    #expect(errors == ["3: 'title': cannot find the type 'Work"])
    #expect(compilation.accessors.contains("let found = kind(self); found.accessors()"))
    // Book is not hashable without its superclass.
    #expect(compilation.symbols == ["$s7Library5ShelfC4bestAA4BookCSgvg", "$s7Library5ShelfC4bestAA4BookCSgvs"])
    // The module may have the class.
    #expect(Compilation("import CoreData\nimport Works\n\(source)").symbols.count == 8)
  }
}
