import Foundation
import StrataManagedModel
import StrataTestSupport

func frozenModel(_ entities: [NSEntityDescription]) -> NSManagedObjectModel { makeModel(entities).frozen() }

extension NSManagedObjectModel {
  func frozen() -> NSManagedObjectModel {
    freeze()
    return self
  }

  func layout(_ name: String) -> EntityLayout { entitiesByName[name]!.layout }
}

/// Earthquakes, with every kind of attribute and relationship.
func quakeModel() -> NSManagedObjectModel {
  makeModel(
    makeEntity(
      "Quake",
      [
        attribute("place"), attribute("magnitude", .double), attribute("time", .date), attribute("felt", .integer32),
        attribute("reviewed", .boolean), attribute("uid", .uuid), attribute("cost", .decimal), attribute("link", .uri),
        attribute("body", .binaryData), attribute("image", .binaryData, external: true),
        attribute("title", transient: true),
      ]),
    makeEntity("Region", [attribute("name")]),
    makeEntity("Tag", [attribute("name"), attribute("weight", .integer16)])
  )
  .relate("Quake", "region", .one, "Region", "quakes", .many)
  .relate("Quake", "tags", .many, "Tag", "tagged", .many).frozen()
}

/// Books, pages and people: two hierarchies, as in a public sample of Core Data.
func libraryModel() -> NSManagedObjectModel {
  makeModel(
    makeEntity(
      "Page",
      [attribute("number", .integer32), attribute("isBookmarked", .boolean), attribute("content", .transformable)]
    ),
    makeEntity(
      "Writer", [attribute("age", .integer16)],
      subentities: [makeEntity("Author", unique: [["alias"]], [attribute("alias"), attribute("siteURL", .uri)])]),
    makeEntity(
      "Feedback",
      [attribute("bookID", .uuid), attribute("authorAlias"), attribute("comment"), attribute("rating", .double)]),
    makeEntity(
      "Book", unique: [["uniqueID"]],
      [
        attribute("pagesCount", .integer64), attribute("publishedAt", .date), attribute("price", .decimal),
        attribute("title"), attribute("uniqueID", .uuid), attribute("cover", .transformable),
      ], subentities: [makeEntity("GraphicNovel", [attribute("isBlackAndWhite", .boolean)])])
  )
  .relate("Book", "author", .one, "Author", "books", .many)
  .relate("Book", "pages", .many, "Page", "book", .one).frozen()
}
