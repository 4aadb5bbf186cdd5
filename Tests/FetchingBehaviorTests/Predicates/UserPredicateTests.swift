import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// Predicates that users write. An evaluation in memory refuses the same predicates as a fetch.
@MainActor @Suite struct UserPredicateTests {
  @Test(arguments: Store.allCases)
  func `evaluating an invalid predicate in memory throws instead of trapping`(_ store: Store) throws {
    let context = try store.container().viewContext
    let quake = context.insert("Quake", ["code": "a", "magnitude": 6.0])
    let tag = context.insert("Tag", ["name": "felt"])
    quake.setValue(Set([tag]), forKey: "tags")
    try context.save()
    let felt = try NSPredicate(validating: "ANY tags.name == 'felt' AND magnitude >= 6")
    #expect(try felt.evaluate(validating: quake))
    for format in ["ANY tags.name IN 1e400", "missing == 1", "code BETWEEN 1e400", "tags.name LIKE 'a'"] {
      guard let predicate = try? NSPredicate(validating: format) else { continue }
      let error = #expect(throws: CocoaError.self) { try predicate.evaluate(validating: quake) }
      #expect(error?.code == .persistentStoreUnsupportedRequestType)
    }
  }

  @Test(arguments: Store.allCases)
  func `a fetch throws for a pattern that needs too many steps`(_ store: Store) throws {
    let context = try store.container().viewContext
    _ = context.insert("Quake", ["code": String(repeating: "a", count: 60)])
    try context.save()
    #expect(throws: CocoaError.self) { try context.fetch("Quake", "code MATCHES '(a+)+b'") }
    #expect(try context.fetch("Quake", "code MATCHES 'a+'").count == 1)
  }

  @Test(arguments: Store.allCases, ["==", "!="])
  func `a fetch accepts 20,000 terms`(_ store: Store, comparison: String) throws {
    let context = try store.container().viewContext
    for index in 0..<10 {
      _ = context.insert("Quake", ["code": "\(index)", "place": index > 7 ? nil : "p\(index)"].compactMapValues { $0 })
    }
    try context.save()
    let word = comparison == "==" ? " OR " : " AND "
    let terms = (0..<20_000).map { "place \(comparison) 'p\($0 * 2)'" } + ["code == '1'"]
    let found = try context.fetch("Quake", terms.joined(separator: word)).compactMap { $0.text("code") }
    #expect(found.sorted() == (comparison == "==" ? ["0", "1", "2", "4", "6"] : ["1"]))
  }

  @Test func `a fetch with too many values for one statement is refused`() throws {
    let context = try Store.sqlite.container().viewContext
    let error = #expect(throws: CocoaError.self) {
      try context.fetch("Quake", (0..<40_000).map { "magnitude > \($0)" }.joined(separator: " OR "))
    }
    #expect(error?.code == .persistentStoreUnsupportedRequestType)
    #expect(error?.localizedDescription.contains("compare with a list by IN") == true)
  }
}
