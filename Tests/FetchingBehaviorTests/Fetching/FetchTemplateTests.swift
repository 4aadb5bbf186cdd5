import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Copies of requests, and fetch request templates of models.
@MainActor @Suite struct FetchTemplateTests {
  private func model() throws -> NSManagedObjectModel {
    let model = try #require(Quakes.model.copy() as? NSManagedObjectModel)
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Quake")
    request.predicate = NSPredicate(format: "magnitude > $least AND place == $place")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    model.setFetchRequestTemplate(request, forName: "strong")
    return model
  }

  @Test func `a copied request is equal and independent`() throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Quake")
    request.predicate = NSPredicate(format: "magnitude > 5")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: false)]
    (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (1, 2, 3)
    request.propertiesToFetch = ["code"]
    request.returnsDistinctResults = true
    request.relationshipKeyPathsForPrefetching = ["region"]
    let copy = try #require(request.copy() as? NSFetchRequest<NSManagedObject>)
    let isOther = copy !== request
    #expect(isOther && copy == request && copy.hash == request.hash)
    #expect(copy.propertiesToFetch as? [String] == ["code"] && copy.fetchBatchSize == 3)
    copy.predicate = NSPredicate(format: "magnitude > 6")
    let differs = copy != request && copy.predicate !== request.predicate
    #expect(differs)
  }

  @Test func `a template is returned as it was set`() throws {
    let model = try model()
    let template = try #require(model.fetchRequestTemplate(forName: "strong"))
    #expect(template.entity === model.entitiesByName["Quake"] && template.predicate != nil)
    #expect(Array(model.fetchRequestTemplatesByName.keys) == ["strong"])
    template.fetchLimit = 2
    #expect(model.fetchRequestTemplate(forName: "strong")?.fetchLimit == 2)
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    let copied = try #require(copy.fetchRequestTemplate(forName: "strong"))
    #expect(copied.entity === copy.entitiesByName["Quake"] && copied.fetchLimit == 2)
    model.setFetchRequestTemplate(nil, forName: "strong")
    #expect(model.fetchRequestTemplate(forName: "strong") == nil && model.fetchRequestTemplate(forName: "x") == nil)
    #expect(model.fetchRequestFromTemplate(withName: "strong", substitutionVariables: [:]) == nil)
  }

  @Test(arguments: Store.allCases)
  func `template variables are replaced by values`(_ store: Store) throws {
    let model = try model()
    let context = try store.container(of: model).viewContext
    for (code, magnitude) in [("b", 6.0), ("a", 7.0), ("c", 4.0)] {
      _ = context.insert("Quake", ["code": code, "magnitude": magnitude, "place": "Tonga"])
    }
    let request = try #require(
      model.fetchRequestFromTemplate(withName: "strong", substitutionVariables: ["least": 5, "place": "Tonga"]))
    request.fetchLimit = 5
    let codes = try context.fetch(request).compactMap { ($0 as? NSManagedObject)?.text("code") }
    #expect(codes == ["a", "b"])
  }

  @Test func `changing a template in use or omitting a variable stops the program`() async {
    await #expect(processExitsWith: .failure) {
      try await MainActor.run {
        let model = try FetchTemplateTests().model()
        _ = try Store.memory.container(of: model)
        model.fetchRequestTemplate(forName: "strong")?.fetchLimit = 1
      }
    }
    await #expect(processExitsWith: .failure) {
      try await MainActor.run {
        let model = try FetchTemplateTests().model()
        _ = model.fetchRequestFromTemplate(withName: "strong", substitutionVariables: ["least": 5])
      }
    }
  }

  @Test(arguments: Store.allCases)
  func `a copy of a template of a model in use can be changed`(_ store: Store) throws {
    let model = try model()
    _ = try store.container(of: model)
    let template = try #require(model.fetchRequestTemplate(forName: "strong"))
    let copy = try #require(template.copy() as? NSFetchRequest<any NSFetchRequestResult>)
    copy.fetchLimit = 1
    #expect(copy.fetchLimit == 1 && template.fetchLimit == 0)
  }
}
