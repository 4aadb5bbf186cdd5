import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// The code of the article about fetching objects, with the names of these tests.
@Suite struct ArticleTests {
  @Test(arguments: Store.allCases) func `the code of the article finds the expected objects`(_ store: Store) throws {
    let context = try ShockModel.context(store)
    try context.performAndWait {
      let request = NSFetchRequest<Shock>(entityName: "Shock")
      let strongest = 5.0
      request.predicate = NSPredicate(
        #Predicate<Shock> { shock in
          shock.magnitude >= strongest && shock.region?.name == "North"
        })
      request.sortDescriptors = [
        NSSortDescriptor(keyPath: \Shock.time, ascending: false),
        NSSortDescriptor(SortDescriptor<Shock>(\.code)),
      ]
      request.fetchLimit = 20
      let inSwift = try context.fetch(request).map(\.code)
      request.predicate = NSPredicate(
        format: "magnitude >= %f AND region.name ==[cd] %@ AND (ANY marks.name BEGINSWITH %@ OR marks.@count == 0)",
        strongest, "north", "m")
      #expect(try context.fetch(request).map(\.code) == inSwift)
      #expect(inSwift == ["c3", "c6"])
    }
  }
}
