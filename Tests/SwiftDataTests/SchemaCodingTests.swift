import Foundation
import SwiftData
import Testing

@Suite struct SchemaCodingTests {
  private func coded<Property: SchemaProperty>(_ property: Property) throws -> Property {
    try JSONDecoder().decode(Property.self, from: JSONEncoder().encode(property))
  }

  @Test func `an attribute keeps its options when it is encoded`() throws {
    let attribute = Schema.Attribute(
      .unique, .transformable(by: ShelfColorTransformer.self), originalName: "tint", hashModifier: "2")
    attribute.name = "color"
    attribute.isOptional = true
    let other = try coded(attribute)
    #expect(other == attribute && other.hashValue == attribute.hashValue)
    #expect(other.isUnique && other.isTransformable && other.isOptional && !other.isTransient)
    #expect(other.options.map(\.transformerName) == [nil, NSStringFromClass(ShelfColorTransformer.self)])
    attribute.options = []
    #expect(other != attribute)
  }

  @Test func `a relationship keeps its options when it is encoded`() throws {
    let relationship = Schema.Relationship(
      .unique, deleteRule: .deny, minimumModelCount: 1, maximumModelCount: nil, originalName: "remarks",
      hashModifier: "2")
    (relationship.name, relationship.destination, relationship.inverseName) = ("notes", "Note", "book")
    let other = try coded(relationship)
    #expect(other == relationship && other.hashValue == relationship.hashValue)
    #expect(other.isUnique && other.isRelationship && !other.isAttribute && other.maximumModelCount == nil)
    relationship.deleteRule = .cascade
    #expect(other != relationship)
  }

  @Test func `a relationship's type says how many destinations it has`() {
    let relationship = Schema.Relationship()
    let types: [(any Any.Type, Bool, Bool)] = [
      (Note.self, true, false), (Note?.self, true, true), ([Note].self, false, false), ([Note]?.self, false, true),
    ]
    for (type, isToOne, isOptional) in types {
      relationship.valueType = type
      #expect(relationship.isToOneRelationship == isToOne && relationship.isOptional == isOptional, "\(type)")
    }
  }

  @Test func `indexes and constraints are encoded by the names of their properties`() throws {
    let index = Schema.Index<Book>(.binary([\.title, \.pages]), .rtree([\.pages, \.printings]))
    let other = try coded(index)
    #expect(other == index && other != Schema.Index<Book>([\.title, \.pages], [\.pages, \.printings]))
    let constraints = Schema.Unique<Book>([\.title], [\.pages, \.author])
    #expect(try coded(constraints).constraints == [[\.title], [\.pages, \.author]])
    #expect(constraints.isUnique && !index.isUnique)
  }

  @Test func `an index of a property that the model does not have cannot be decoded`() {
    let data = Data(#"{"constraints": [["titel"]]}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Schema.Unique<Book>.self, from: data) }
  }

  @Test func `versions are ordered by their numbers`() {
    #expect(Schema.Version(1, 2, 10) > Schema.Version(1, 2, 9) && Schema.Version(2, 0, 0) > Schema.Version(1, 9, 9))
    #expect("\(Schema.Version(1, 0, 2))" == "1.0.2")
  }
}
