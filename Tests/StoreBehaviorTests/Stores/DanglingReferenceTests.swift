import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// A relationship without an inverse can lead to an object that was deleted. A file store must still open.
@Suite struct DanglingReferenceTests {
  /// People with relationships to works that have no inverse.
  private static let model = makeModel(makeEntity("Person"), makeEntity("Work"))
    .relate("Person", "favorite", .one, "Work").relate("Person", "read", .many, "Work")

  @Test(arguments: FileStores.types) func `a store opens after the destination of a one-way relationship was deleted`(
    _ type: String
  ) throws {
    let url = try FileStores.file()
    try FileStores.use(type, url, Self.model) { context, _ in
      let work = context.insert("Work")
      let person = context.insert("Person", ["favorite": work])
      person.mutableSetValue(forKey: "read").add(work)
      try context.save()
      context.reset()
      context.delete(try #require(try context.fetch("Work").first))
      try context.save()
    }
    try FileStores.use(type, url, Self.model) { context, _ in
      let person = try #require(try context.fetch("Person").first)
      #expect(person.value(forKey: "favorite") == nil)
      #expect((person.value(forKey: "read") as? NSSet)?.count == 0)
    }
  }
}
