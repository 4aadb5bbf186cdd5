import Foundation
import StrataManagedModel
import StrataModelSource
import Testing

@testable import StrataModelCompiler

/// The embedded bytes and classes that the build generates from a model.
struct ModelTests {
  private static let contents = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
        <entity name="Book" representedClassName="Book" syncable="YES" codeGenerationType="class">
            <attribute name="added" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            <attribute name="class" optional="YES" attributeType="String"/>
            <attribute name="count" attributeType="Integer 32" defaultValueString="0" usesScalarValueType="YES"/>
            <attribute name="price" optional="YES" attributeType="Decimal"/>
            <attribute name="rating" optional="YES" attributeType="Double"/>
            <attribute name="words" optional="YES" attributeType="Transformable" customClassName="[String]"/>
            <relationship name="pages" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES"
              destinationEntity="Page" inverseName="book" inverseEntity="Page"/>
            <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag"/>
        </entity>
        <entity name="Novel" representedClassName=".Novel" parentEntity="Book" codeGenerationType="category"/>
        <entity name="Page" representedClassName="Page" syncable="YES" codeGenerationType="class">
            <relationship name="book" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Book"
              inverseName="pages" inverseEntity="Book"/>
        </entity>
        <entity name="Tag" representedClassName="Tag"/>
    </model>
    """

  private static func document() throws -> ModelDocument {
    try ModelDocument(contents: Array(contents.utf8), file: "contents")
  }

  @Test func `generated classes match Xcode's`() throws {
    let text = ClassFile(documents: [try Self.document()]).text
    #expect(
      text.hasPrefix(
        """
        // Made by CoreDataModel from the target's models.
        public import CoreData

        public class Book: NSManagedObject {

        }

        extension Book {

            @nonobjc public class func fetchRequest() -> NSFetchRequest<Book> {
                return NSFetchRequest<Book>(entityName: "Book")
            }

            @NSManaged public var added: Date?
            @NSManaged public var `class`: String?
            @NSManaged public var count: Int32
            @NSManaged public var pages: NSOrderedSet?
            @NSManaged public var price: NSDecimalNumber?
            @NSManaged public var rating: NSNumber?
            @NSManaged public var tags: NSSet?
            @NSManaged public var words: [String]?

        }

        // MARK: Generated accessors for pages
        extension Book {

            @NSManaged public func insertIntoPages(_ value: Page, at idx: Int)

            @NSManaged public func removeFromPages(at idx: Int)

        """))
    #expect(text.contains("    @NSManaged public func addToTags(_ values: NSSet)\n"))
    #expect(text.contains("    @NSManaged public func addToPages(_ values: NSOrderedSet)\n"))
    #expect(text.contains("\nextension Novel {\n"))
    #expect(!text.contains("class Novel:") && !text.contains("class Tag:"))
    #expect(text.contains("    @NSManaged public var book: Book?\n"))
    #expect(text.contains("\nextension Page: Identifiable {\n\n}\n"))
    #expect(!text.contains("extension Novel: Identifiable"))
  }

  @Test func `every version is embedded, and classes have their modules`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(UUID().uuidString)/Library.xcdatamodeld")
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    for version in ["Library", "Library 2"] {
      let url = folder.appendingPathComponent("\(version).xcdatamodel")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data(Self.contents.utf8).write(to: url.appendingPathComponent("contents"))
    }
    let current = "<plist><dict><key>_XCCurrentVersionName</key><string>Library 2.xcdatamodel</string></dict></plist>"
    try Data(current.utf8).write(to: folder.appendingPathComponent(".xccurrentversion"))
    var source = try ModelSource(at: folder.path)
    #expect(source.name == "Library")
    #expect(source.older.map(\.name) == ["Library"])
    source.nameClasses { $0.name == "Tag" ? "Tags" : "App" }
    let compiled = try CompiledModel(source, module: "App")
    let files = compiled.files
    #expect(
      files.keys.sorted() == [
        "Library.momd/Library 2.mom", "Library.momd/Library.mom", "Library.momd/VersionInfo.plist",
      ])
    for (path, data) in files {
      let file = folder.deletingLastPathComponent().appendingPathComponent(path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file)
    }
    let momd = folder.deletingPathExtension().appendingPathExtension("momd")
    #expect(NSManagedObjectModel(contentsOf: momd)?.entities.count == 4)
    #expect(try NSManagedObjectModel.__checksumsForVersionedModel(at: momd).count == 2)
    let text = ModelFile(module: "App", models: [compiled]).text
    #expect(text.contains("@section(\".note.strata.model\") @used") && !text.contains("init_array"))
    #expect(text.contains("\"Library\", module: \"App\", version: \"Library 2\", isCurrent: true,"))
    #expect(text.contains("\"Library\", module: \"App\", version: \"Library\", isCurrent: false,"))
    let base64 = try #require(text.split(separator: "base64: \"").last?.split(separator: "\"").first)
    let model = try ModelArchive.model(Array(try #require(Data(base64Encoded: String(base64)))))
    let classes = model.entities.map { $0.managedObjectClassName ?? "" }.sorted()
    #expect(classes == ["App.Book", "App.Novel", "App.Page", "Tags.Tag"])
  }

  @Test func `a job is read from arguments`() throws {
    let job = try Job([
      "--module", "A", "--output", "/o", "--sources", "a.swift", "b=c.swift", "--dependencies", "B=/b=c",
    ])
    #expect(job.module == "A")
    #expect(job.sources == ["a.swift", "b=c.swift"])
    #expect(job.dependencies == ["B": "/b=c"])
    #expect(throws: CompilerError.self) { try Job(["--module", "A"]) }
    #expect(throws: CompilerError.self) { try Job(["what"]) }
  }
}
