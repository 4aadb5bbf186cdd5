import Foundation
import StrataManagedModel

/// An attribute of a test model.
func attribute(
  _ name: String, _ type: NSAttributeType, transient: Bool = false, external: Bool = false, preserved: Bool = false
) -> NSAttributeDescription {
  let attribute = NSAttributeDescription()
  attribute.name = name
  attribute.attributeType = type
  attribute.isTransient = transient
  attribute.allowsExternalBinaryDataStorage = external
  attribute.preservesValueInHistoryOnDeletion = preserved
  return attribute
}

/// A relationship of a test model: to-one with `count` 1, to-many with 0.
func relationship(
  _ name: String, to destination: NSEntityDescription, count: Int, ordered: Bool = false
) -> NSRelationshipDescription {
  let relationship = NSRelationshipDescription()
  relationship.name = name
  relationship.destinationEntity = destination
  relationship.maxCount = count
  relationship.isOrdered = ordered
  return relationship
}

func join(_ first: NSRelationshipDescription, _ second: NSRelationshipDescription) {
  first.inverseRelationship = second
  second.inverseRelationship = first
}

func entity(_ name: String, _ properties: [NSPropertyDescription] = []) -> NSEntityDescription {
  let entity = NSEntityDescription()
  entity.name = name
  entity.properties = properties
  return entity
}

func frozenModel(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
  let model = NSManagedObjectModel()
  model.entities = entities
  model.freeze()
  return model
}

extension NSManagedObjectModel {
  func layout(_ name: String) -> EntityLayout { entitiesByName[name]!.layout }
}

/// Earthquakes, with every kind of attribute and relationship.
func quakeModel() -> NSManagedObjectModel {
  let quake = entity("Quake")
  let region = entity("Region")
  let tag = entity("Tag")
  let toRegion = relationship("region", to: region, count: 1)
  let quakes = relationship("quakes", to: quake, count: 0)
  let tags = relationship("tags", to: tag, count: 0)
  let tagged = relationship("tagged", to: quake, count: 0)
  join(toRegion, quakes)
  join(tags, tagged)
  quake.properties = [
    attribute("place", .stringAttributeType), attribute("magnitude", .doubleAttributeType),
    attribute("time", .dateAttributeType), attribute("felt", .integer32AttributeType),
    attribute("reviewed", .booleanAttributeType), attribute("uid", .UUIDAttributeType),
    attribute("cost", .decimalAttributeType), attribute("link", .URIAttributeType),
    attribute("body", .binaryDataAttributeType), attribute("image", .binaryDataAttributeType, external: true),
    attribute("title", .stringAttributeType, transient: true), toRegion, tags,
  ]
  region.properties = [attribute("name", .stringAttributeType), quakes]
  tag.properties = [attribute("name", .stringAttributeType), attribute("weight", .integer16AttributeType), tagged]
  return frozenModel([quake, region, tag])
}

/// Books, pages and people: two hierarchies, as in a public sample of Core Data.
func libraryModel() -> NSManagedObjectModel {
  let book = entity("Book")
  let novel = entity("GraphicNovel", [attribute("isBlackAndWhite", .booleanAttributeType)])
  let page = entity("Page")
  let writer = entity("Writer", [attribute("age", .integer16AttributeType)])
  let author = entity("Author")
  let feedback = entity(
    "Feedback",
    [
      attribute("bookID", .UUIDAttributeType), attribute("authorAlias", .stringAttributeType),
      attribute("comment", .stringAttributeType), attribute("rating", .doubleAttributeType),
    ])
  let toAuthor = relationship("author", to: author, count: 1)
  let books = relationship("books", to: book, count: 0)
  let toBook = relationship("book", to: book, count: 1)
  let pages = relationship("pages", to: page, count: 0)
  join(toAuthor, books)
  join(toBook, pages)
  book.properties = [
    attribute("pagesCount", .integer64AttributeType), attribute("publishedAt", .dateAttributeType),
    attribute("price", .decimalAttributeType), attribute("title", .stringAttributeType),
    attribute("uniqueID", .UUIDAttributeType), attribute("cover", .transformableAttributeType), toAuthor, pages,
  ]
  page.properties = [
    attribute("number", .integer32AttributeType), attribute("isBookmarked", .booleanAttributeType),
    attribute("content", .transformableAttributeType), toBook,
  ]
  author.properties = [
    attribute("alias", .stringAttributeType), attribute("siteURL", .URIAttributeType), books,
  ]
  book.uniquenessConstraints = [["uniqueID"]]
  author.uniquenessConstraints = [["alias"]]
  book.subentities = [novel]
  writer.subentities = [author]
  return frozenModel([page, author, writer, novel, feedback, book])
}
