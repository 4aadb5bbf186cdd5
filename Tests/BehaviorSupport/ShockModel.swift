import CoreData
import Foundation
import StrataTestSupport

/// The entities of shocks, their regions and their marks.
enum ShockModel {
  static let model = makeModel(
    makeEntity(
      "Event", of: Event.self, abstract: true, [attribute("name"), attribute("time", .date)],
      subentities: [
        makeEntity(
          "Shock", of: Shock.self,
          [
            attribute("code"), attribute("magnitude", .double), attribute("depth", .double),
            attribute("felt", .integer32), attribute("stations", .integer16), attribute("gap", .float),
            attribute("reviewed", .boolean), attribute("wave", .binaryData), attribute("uuid", .uuid),
            attribute("page", .uri), attribute("cost", .decimal), attribute("rawKind", .integer16), attribute("alert"),
          ])
      ]),
    makeEntity("Place", of: Region.self, [attribute("name"), attribute("people", .integer64)]),
    makeEntity("Mark", of: Mark.self, [attribute("name"), attribute("weight", .double)])
  )
  .relate("Shock", "region", .one, "Place", "shocks", .many)
  .relate("Shock", "marks", .many, "Mark", "shock", .one)
  .relate("Place", "parent", .one, "Place", "children", .many)
}
