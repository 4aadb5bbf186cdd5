import CoreData
import Foundation
import StrataTestSupport
import Testing

/// `coredata model compile` and `coredata model codegen` as run in a terminal.
@Suite(.waitsForProcesses) struct ToolCompileTests {
  @Test func `a compiled folder has the versions of the source`() throws {
    let tool = try ToolHome()
    let source = try tool.library()
    let target = tool.path("Library.momd")
    let (status, _, errors) = try tool.run("model", "compile", source, "-o", target)
    #expect(status == 0, "\(errors)")
    for version in ["Library 1", "Library 2"] {
      let printed = try tool.run("model", "print", target, "--model-version", version).lines
      #expect(printed.count > 3)
      let expected = try tool.run("model", "print", source, "--model-version", version).lines.dropFirst()
      #expect(printed.dropFirst() == expected)
    }
    #expect(try tool.run("model", "diff", source, target).status == 0)
    let list = try Data(contentsOf: URL(fileURLWithPath: "\(target)/VersionInfo.plist"))
    let info = try PropertyListSerialization.propertyList(from: list, format: nil) as? [String: Any]
    let model = try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: target)))
    #expect(info?["NSManagedObjectModel_CurrentVersionName"] as? String == "Library 2")
    let hashes = info?["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]]
    #expect(hashes?["Library 2"] == model.entityVersionHashesByName)
    let checksums = info?["NSManagedObjectModel_VersionChecksums"] as? [String: String]
    #expect(checksums?["Library 2"] == model.versionChecksum)
  }

  @Test func `a single version is compiled into one file with its module`() throws {
    let tool = try ToolHome()
    let folder = try tool.model("Library", [("1", #"<entity name="Book" representedClassName=".Book"/>"#)])
    let target = tool.path("Library.mom")
    let compiled = try tool.run(
      "model", "compile", "\(folder)/1.xcdatamodel", "--module", "Books", "--output", target)
    #expect(compiled.status == 0, "\(compiled.errors)")
    let model = try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: target)))
    #expect(model.entitiesByName["Book"]?.managedObjectClassName == "Books.Book")
  }

  @Test func `a model without a known compiled form is written in the form of Strata`() throws {
    let tool = try ToolHome()
    let target = tool.path("Library.momd")
    #expect(try tool.run("model", "compile", try tool.library(), "-o", target).status == 0)
    let source = try tool.model(
      "Flows",
      [
        (
          "Flows",
          """
          <entity name="Flow"><attribute name="point" attributeType="Composite" composite="Point"/></entity>
          <composite name="Point"><attribute name="x" attributeType="Double"/></composite>
          """
        )
      ])
    let (status, _, errors) = try tool.run("model", "compile", source, "-o", target)
    #expect(status == 0 && errors.contains("Flow.point is a composite attribute"), "\(errors)")
    let printed = try tool.run("model", "print", target)
    #expect(printed.status == 0 && printed.lines.contains { $0.contains("point") }, "\(printed.lines)")
    let model = NSManagedObjectModel(contentsOf: URL(fileURLWithPath: target))
    let point = model?.entitiesByName["Flow"]?.attributesByName["point"] as? NSCompositeAttributeDescription
    #expect(point?.elements.map(\.name) == ["x"])
  }

  @Test func `codegen writes classes like Xcode`() throws {
    let tool = try ToolHome()
    let (status, lines, errors) = try tool.run("model", "codegen", try tool.library(), "-o", tool.path("classes"))
    #expect(status == 0, "\(errors)")
    let names = lines.map { URL(fileURLWithPath: $0).lastPathComponent }
    #expect(names == ["Author+CoreDataClass.swift", "Author+CoreDataProperties.swift"])
    let properties = try String(contentsOfFile: tool.path("classes/Author+CoreDataProperties.swift"), encoding: .utf8)
    for part in [
      "extension Author {", "NSFetchRequest<Author>(entityName: \"Author\")", "@NSManaged public var books: NSSet?",
      "@NSManaged public func addToBooks(_ value: Book)",
    ] {
      #expect(properties.contains(part), "\(part): \(properties)")
    }
    let all = try tool.run("model", "codegen", try tool.library(), "-o", tool.path("all"), "--all").lines
    #expect(all.count == 4 && all.contains { $0.hasSuffix("Book+CoreDataClass.swift") }, "\(all)")
  }

  @Test func `codegen writes all classes of a store and of a compiled model`() throws {
    let tool = try ToolHome()
    let target = tool.path("Library.momd")
    #expect(try tool.run("model", "compile", try tool.library(), "-o", target).status == 0)
    let model = try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: target)))
    let store = tool.path("Library.sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: store))
    for (index, path) in [store, target].enumerated() {
      for (option, type) in [([], "NSNumber?"), (["--scalars"], "Int32")] {
        let folder = tool.path("classes\(index)\(option.count)")
        let (status, lines, errors) = try tool.run(arguments: ["model", "codegen", path, "-o", folder] + option)
        #expect(status == 0 && lines.count == 4, "\(lines) \(errors)")
        func text(_ name: String) throws -> String { try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) }
        let properties = try text("Book+CoreDataProperties.swift")
        for part in [
          "extension Book {", "@NSManaged public var pages: \(type)\n", "@NSManaged public var name: String?\n",
          "@NSManaged public var author: Author?\n",
        ] {
          #expect(properties.contains(part), "\(part): \(properties)")
        }
        #expect(try text("Author+CoreDataClass.swift").contains("public class Author: NSManagedObject {"))
        #expect(try text("Author+CoreDataProperties.swift").contains("func addToBooks(_ value: Book)"))
      }
    }
  }

  @Test func `codegen makes all numbers of a model scalars on request`() throws {
    let tool = try ToolHome()
    let entities = """
      <entity name="Item" representedClassName="Item" codeGenerationType="class">
        <attribute name="count" optional="YES" attributeType="Integer 64"/>
        <attribute name="isNew" optional="YES" attributeType="Boolean"/>
        <attribute name="price" optional="YES" attributeType="Decimal"/>
        <attribute name="size" optional="YES" attributeType="Double"/>
        <attribute name="when" optional="YES" attributeType="Date"/>
      </entity>
      """
    let path = try tool.model("Items", [("Items", entities)])
    for (option, types) in [
      ([], ["NSNumber?", "NSNumber?", "NSDecimalNumber?", "NSNumber?", "Date?"]),
      (["--scalars"], ["Int64", "Bool", "NSDecimalNumber?", "Double", "Date?"]),
    ] {
      let folder = tool.path("items\(option.count)")
      let (status, _, errors) = try tool.run(arguments: ["model", "codegen", path, "-o", folder] + option)
      #expect(status == 0, "\(errors)")
      let text = try String(contentsOfFile: "\(folder)/Item+CoreDataProperties.swift", encoding: .utf8)
      for (name, type) in zip(["count", "isNew", "price", "size", "when"], types) {
        #expect(text.contains("@NSManaged public var \(name): \(type)\n"), "\(name): \(text)")
      }
    }
  }
}
