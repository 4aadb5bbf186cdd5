import StrataManagedModel
import StrataModelSource
import Testing

@testable import StrataModelCompiler

/// The build's warnings about classes and models that do not fit together.
struct ModelCheckTests {
  /// - Parameter above: the source of another module of the package that depends on the target.
  private func warnings(
    model: String, _ source: String, isProgram: Bool = false, above: String = ""
  ) throws -> [String] {
    let module = SourceModule(name: "App")
    module.add(Array(source.utf8), path: "/App/Book.swift")
    let resolver = TypeResolver(module, imported: [FoundationTypes.module]) { _ in nil }
    let document = try ModelDocument(contents: Array("<model>\n\(model)\n</model>".utf8), file: "/App/contents")
    var models = [ModelSource(name: "App", document: document)]
    models[0].nameClasses { module.declaresClass($0.className) ? "App" : nil }
    let accessors = AccessorFile(resolver)
    let dependent = SourceModule(name: "Reader")
    dependent.add(Array(above.utf8), path: "/Reader/Reader.swift")
    let classes = ClassSearch(
      isProgram: isProgram, beneath: [], above: { [dependent] }, names: resolver.managedClassNames(of: module))
    let check = ModelCheck(
      models: models, properties: accessors.properties, uncalled: accessors.uncalled, module: module, classes: classes)
    return check.warnings.map(\.description)
  }

  @Test func `relationships without a matching inverse cause a warning`() throws {
    let found = try warnings(
      model: """
        <entity name="Book">
          <relationship name="author" maxCount="1" deletionRule="Nullify" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
          <relationship name="editor" maxCount="1" deletionRule="Nullify" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
          <relationship name="tags" toMany="YES" deletionRule="Nullify" destinationEntity="Author"/>
        </entity>
        <entity name="Writer"><relationship name="books" toMany="YES" deletionRule="Nullify" destinationEntity="Book" inverseName="author" inverseEntity="Book"/></entity>
        <entity name="Author" parentEntity="Writer"/>
        """, "")
    #expect(
      found == [
        "/App/contents:4: warning: Book.editor has the inverse Author.books, whose own inverse is Book.author",
        "/App/contents:5: warning: Book.tags should have an inverse",
      ])
  }

  @Test func `types that differ from the model cause a warning`() throws {
    let found = try warnings(
      model: """
        <entity name="Book" representedClassName="Book">
          <attribute name="pages" attributeType="Integer 16"/><attribute name="price" attributeType="Double"/>
          <attribute name="title" attributeType="Date"/><attribute name="data" attributeType="Binary"/>
          <attribute name="count" attributeType="Integer 64"/><attribute name="when" attributeType="Date"/>
          <attribute name="rating" attributeType="Float"/><attribute name="words" attributeType="Transformable"/>
          <attribute name="genre" attributeType="Integer 16"/><attribute name="number" attributeType="Integer 32"/>
          <relationship name="parts" toMany="YES" deletionRule="Nullify" destinationEntity="Book" inverseName="whole"/>
          <relationship name="whole" maxCount="1" deletionRule="Nullify" destinationEntity="Book" inverseName="parts"/>
        </entity>
        """,
      """
      import CoreData
      class Book: NSManagedObject {
        @NSManaged var pages: Int64
        @NSManaged var price: Float
        @NSManaged var title: String?
        @NSManaged var data: Data
        @NSManaged var count: Int
        @NSManaged var when: TimeInterval
        @NSManaged var rating: Float
        @NSManaged var words: [String]
        @NSManaged var genre: Genre
        @NSManaged var number: NSNumber?
        @NSManaged var parts: Book?
        @NSManaged var whole: Book?
        @NSManaged func addToParts(_ parts: NSSet)
        @NSManaged var primitiveTitle: Int
      }
      enum Genre: Int16 { case poem }
      """)
    #expect(
      found == [
        "/App/Book.swift:3: warning: 'pages' is Int64 here but Integer 16 in the entity Book",
        "/App/Book.swift:4: warning: 'price' is Float here but Double in the entity Book",
        "/App/Book.swift:5: warning: 'title' is String? here but Date in the entity Book",
        "/App/Book.swift:13: warning: 'parts' is Book? here but a to-many relationship in the entity Book",
      ])
  }

  @Test func `properties that no model has cause a warning`() throws {
    let found = try warnings(
      model: """
        <entity name="Item" representedClassName="Item"><attribute name="name" attributeType="String"/></entity>
        <entity name="Book" representedClassName="Book" parentEntity="Item"><attribute name="title" attributeType="String"/></entity>
        """,
      """
      import CoreData
      class Item: NSManagedObject { @NSManaged var name: String; @NSManaged var title: String? }
      class Book: Item {
        @NSManaged var titel: String
        #if DEBUG
          @NSManaged var trace: String
        #endif
      }
      class Free: NSManagedObject { @NSManaged var anything: String }
      """)
    #expect(
      found == [
        "/App/Book.swift:4: warning: 'titel' is not a property of the entity Book, nor of any other entity in the target's "
          + "models"
      ])
  }

  @Test func `methods that only Objective-C would call cause a warning`() throws {
    let found = try warnings(
      model: """
        <entity name="Item" representedClassName="Item"><attribute name="title" attributeType="String"/></entity>
        <entity name="Book" representedClassName="Book" parentEntity="Item"><attribute name="pages" attributeType="Integer 16"/></entity>
        """,
      """
      import CoreData
      class Item: NSManagedObject {}
      class Book: Item {
        func validateTitle(_ value: UnsafeMutablePointer<Any?>) throws {}
        @discardableResult
        func validatePages(_ value: inout Any?) throws -> Bool { true }
        func validateCover(_ value: inout Any?) throws {}
        func validateTitle(_ title: String) -> Bool { true }
        func validateForInsert(_ value: Int) throws {}
        override func validateValue(_ value: inout Any?, forKey key: String) throws {}
        class func keyPathsForValuesAffectingInitial() -> Set<String> { ["title"] }
        override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }
        #if canImport(ObjectiveC)
          @objc func validatePages(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
        #endif
      }
      extension Item {
        static var keyPathsForValuesAffectingLength: Set<String> { ["title"] }
        func validateTitle(_ value: inout String) throws {}
      }
      class Free: NSManagedObject { func validateTitle(_ value: Any?) throws {} }
      """)
    func text(_ name: String, _ other: String) -> String {
      "nothing calls '\(name)' without Objective-C: override \(other)"
    }
    #expect(
      found == [
        "/App/Book.swift:4: warning: " + text("validateTitle(_:)", "validateValue(_:forKey:)"),
        "/App/Book.swift:6: warning: " + text("validatePages(_:)", "validateValue(_:forKey:)"),
        "/App/Book.swift:11: warning: "
          + text("keyPathsForValuesAffectingInitial()", "keyPathsForValuesAffectingValue(forKey:)"),
        "/App/Book.swift:18: warning: "
          + text("keyPathsForValuesAffectingLength", "keyPathsForValuesAffectingValue(forKey:)"),
        "/App/Book.swift:19: warning: " + text("validateTitle(_:)", "validateValue(_:forKey:)"),
      ])
  }

  /// For example, an override of `validateValue(_:forKey:)` may call them.
  @Test func `methods that the program calls itself cause no warning`() throws {
    let found = try warnings(
      model: """
        <entity name="Book" representedClassName="Book"><attribute name="title" attributeType="String"/></entity>
        """,
      """
      import CoreData
      class Book: NSManagedObject {
        func validateTitle(_ value: Any?) throws {}
        override func validateValue(_ value: inout Any?, forKey key: String) throws {
          if key == "title" { try validateTitle(value) }
        }
      }
      """)
    #expect(found == [])
  }

  @Test func `missing classes cause a warning`() throws {
    let model = """
      <entity name="Book" representedClassName=".Book"/>
      <entity name="Page" representedClassName=".Pag"/>
      <entity name="Line" representedClassName="Line"/>
      <entity name="Word" representedClassName="Word"/>
      """
    let source = """
      import CoreData
      class Book: NSManagedObject {}
      class Page: NSManagedObject { final class Word: NSManagedObject {} }
      """
    let text = "its objects will be instances of NSManagedObject"
    let page =
      "/App/contents:3: warning: cannot find the class 'Pag' of the entity Page in the model App: \(text); did you mean "
      + "'Page'?"
    #expect(try warnings(model: model, source) == [page])
    #expect(
      try warnings(model: model, source, isProgram: true) == [
        page, "/App/contents:4: warning: cannot find the class 'Line' of the entity Line in the model App: \(text)",
      ])
  }

  private static let library = """
    <entity name="Author" representedClassName="Autor"><attribute name="name" attributeType="String"/></entity>
    <entity name="Book" representedClassName="Book"/>
    <entity name="Shelf" representedClassName="Shelf"/>
    """
  private static let classes = """
    import CoreData
    class Author: NSManagedObject { @NSManaged var name: String }
    class Book: NSManagedObject {}
    class Autoren {}
    """

  @Test func `a misspelled class causes a warning in a library too`() throws {
    #expect(
      try warnings(model: Self.library, Self.classes) == [
        "/App/contents:2: warning: cannot find the class 'Autor' of the entity Author in the model App: unless another "
          + "package declares it, its objects will be instances of NSManagedObject; did you mean 'Author'?"
      ])
    for (name, isMeant) in [("author", true), ("Athuor", true), ("AUTHORS", true), ("Writer", false), ("Bok", false)] {
      let model = Self.library.replacing("\"Autor\"", with: "\"\(name)\"")
      #expect(try warnings(model: model, Self.classes).count == (isMeant ? 1 : 0), "\(name)")
    }
  }

  @Test func `a class of a target that depends on a library causes no warning`() throws {
    #expect(try warnings(model: Self.library, Self.classes, above: "class Autor: NSManagedObject {}") == [])
    #expect(try warnings(model: Self.library, Self.classes, above: "enum All { class Autor {} }") == [])
  }
}
