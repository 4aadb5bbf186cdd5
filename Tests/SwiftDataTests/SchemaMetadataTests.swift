import Foundation
import SwiftData
import Testing

@Suite struct SchemaMetadataTests {
  /// The entries with a default value's type and the options: `pages: Int, nil`.
  private func entries(_ model: any PersistentModel.Type) -> [String] {
    model.schemaMetadata.map { entry in
      let value = entry.defaultValue.map { ": \(type(of: $0))" } ?? ""
      return "\(entry.name)\(value)\(entry.metadata.map { ", \($0)" } ?? "")"
    }
  }

  @Test func `metadata lists persisted properties in source order, then indexes and constraints`() {
    #expect(
      entries(Book.self) == [
        "title, Schema.Attribute(, [unique], Any)", "pages: Int", "edition", "rating", "price: Decimal",
        "published: Date", "tags: Array<String>", "identifier: UUID", "isbn", "printings: Int", "default: Bool",
        "first line: String", "inode: Int", "notes: Array<Note>, Schema.Relationship(, , cascade)", "author",
        #"SwiftData.Schema.Index, Schema.Index([["title"], ["title", "pages"]])"#,
        #"SwiftData.Schema.Unique, Schema.Unique([["title", "edition"]])"#,
      ])
  }

  @Test func `metadata has key paths of the model`() {
    let keyPaths = Dictionary(uniqueKeysWithValues: Book.schemaMetadata.prefix(15).map { ($0.name, $0.keypath) })
    #expect(keyPaths["title"] == \Book.title)
    #expect(keyPaths["default"] == \Book.default)
    #expect(keyPaths["first line"] == \Book.`first line`)
    #expect(Book.schemaMetadata.last?.keypath == \Schema.encodingVersion)
  }

  @Test func `metadata evaluates initial values`() {
    let values = Dictionary(
      uniqueKeysWithValues: Book.schemaMetadata.compactMap { entry in entry.defaultValue.map { (entry.name, $0) } })
    #expect(values["pages"] as? Int == 3)
    #expect(values["price"] as? Decimal == 9.99)
    #expect(values["first line"] as? String == "It was\n  a dark and stormy night.")
    #expect(ShelfSchema.Room.schemaMetadata.map(\.name) == ["name", "floor"])
  }

  @Test func `metadata has the arguments of attributes and relationships`() throws {
    let title = try #require(Book.schemaMetadata[0].metadata as? Schema.Attribute)
    #expect(title.isUnique && title.originalName == "name")
    let notes = try #require(Book.schemaMetadata.first { $0.name == "notes" }?.metadata as? Schema.Relationship)
    #expect(notes.inverseKeyPath == \Note.book && notes.deleteRule == .cascade)
    let color = try #require(ShelfSchema.Shelf.schemaMetadata.last?.metadata as? Schema.Attribute)
    #expect(color.isTransformable)
  }

  @Test func `metadata of a subclass lists its own properties`() {
    #expect(Trip.schemaMetadata.map(\.name) == ["name", "days"])
    #expect(BusinessTrip.schemaMetadata.map(\.name) == ["allowance", "company"])
    #expect(Conference.schemaMetadata.map(\.name) == ["talks"])
    #expect(Conference.Root.self == Trip.self)
  }

  @Test func `only a list is inferred as the inverse within a class`() throws {
    let schema = Schema(Colleague.self)
    let relationships = try #require(schema.entity(for: Colleague.self)).relationshipsByName
    #expect(relationships["manager"]?.inverseName == nil && relationships["friend"]?.inverseName == nil)
    let tree = try #require(Schema(Branch.self).entity(for: Branch.self)).relationshipsByName
    #expect(tree["parent"]?.inverseName == "branches" && tree["branches"]?.inverseName == "parent")
  }
}

@Model final class Colleague {
  var manager: Colleague?
  var friend: Colleague?

  init() {}
}

@Model final class Branch {
  var parent: Branch?
  var branches: [Branch] = []

  init() {}
}
