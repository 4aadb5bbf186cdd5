import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Functions and operators on arrays in transformable attributes: evaluated in memory as by Foundation, rejected by
/// SQL.
@MainActor @Suite struct TransformableArrayTests {
  private static let model = makeModel(makeEntity("Thing", [attribute("name"), attribute("list", .transformable)]))

  private static let expected: [(String, [String])] =
    [
      ("count(list) == 2", ["a", "b"]), ("list.@count == 2", ["a", "b"]), ("sum(list) == 9", ["a"]),
      ("list.@sum.self == 9", ["a"]), ("max(list) == 7", ["a"]), ("list[0] == 2", ["a"]), ("list[FIRST] == 'x'", ["b"]),
      ("list[LAST] == 7", ["a"]), ("list[SIZE] == 2", ["a", "b"]), ("list CONTAINS 'y'", ["b"]), ("7 IN list", ["a"]),
      ("ANY list == 7", ["a"]), ("ALL list > 1 AND list != nil", ["a"]), ("list == {2, 7}", ["a"]),
      ("list == nil", ["d"]),
    ].map { ("name != 'c' AND \($0)", $1) }
    + ["list.size == 4", "list['size'] == 4"].map { ("name == 'c' AND \($0)", ["c"]) }

  private func filled(_ store: Store) throws -> NSManagedObjectContext {
    let context = try store.people(Self.model).viewContext
    for (name, list) in [("a", [2, 7] as Any), ("b", ["x", "y"]), ("c", ["size": 4])] {
      _ = context.insert("Thing", ["name": name, "list": list])
    }
    _ = context.insert("Thing", ["name": "d"])
    try context.save()
    return context
  }

  private func names(_ objects: [NSManagedObject]) -> [String] {
    objects.compactMap { $0.value(forKey: "name") as? String }.sorted()
  }

  @Test func `the in-memory store evaluates predicates on transformable arrays`() throws {
    let context = try filled(.memory)
    let all = try context.fetch("Thing")
    for (format, found) in Self.expected {
      #expect(names(try context.fetch("Thing", format)) == found, "\(format) in the store")
      let predicate = NSPredicate(format: format)
      #expect(names(all.filter { predicate.evaluate(with: $0) }) == found, "\(format) in memory")
    }
    all.first?.setValue("z", forKey: "name")
    for (format, found) in Self.expected {
      #expect(try context.fetch("Thing", format).count == found.count, "\(format) with unsaved changes")
    }
    let sum = NSExpression(format: "sum(list)")
    let thing = try #require(try context.fetch("Thing", "name != 'c' AND 7 IN list").first)
    #expect(sum.expressionValue(with: thing, context: nil) as? Int == 9)
  }

  /// Runs in a separate process, in which no in-memory store was opened before.
  @Test func `predicates on transformable arrays evaluate on objects of a SQLite store`() async throws {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let all = try TransformableArrayTests().filled(.sqlite).fetch("Thing")
        for (format, found) in Self.expected {
          let predicate = NSPredicate(format: format)
          precondition(TransformableArrayTests().names(all.filter { predicate.evaluate(with: $0) }) == found, format)
        }
      }
    }
  }

  @Test func `SQL refuses predicates on transformable arrays`() throws {
    let context = try filled(.sqlite)
    for format in ["count(list) == 2", "list[0] == 2", "sum(list) == 9", "list.@count == 2"] {
      #expect(throws: CocoaError.self, "\(format)") { try context.fetch("Thing", format) }
    }
    #expect(names(try context.fetch("Thing", "list == nil")) == ["d"])
  }
}
