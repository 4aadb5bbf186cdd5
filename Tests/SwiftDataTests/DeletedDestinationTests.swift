import Foundation
import StrataTestSupport
import SwiftData
import Testing

/// Relationships without an inverse to models that are deleted.
@Suite struct DeletedDestinationTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    container = try ModelContainer(
      for: Reader.self, Topic.self, configurations: ModelConfiguration(url: folder.url("Readers.store")))
    context = ModelContext(container)
  }

  private func expectNoFavorite() throws {
    let reader = try #require(try ModelContext(container).fetch(FetchDescriptor<Reader>()).first)
    #expect(reader.favorite == nil)
  }

  @Test(arguments: [false, true], [false, true])
  func `a relationship that is set before the destination is deleted is not saved`(
    processes: Bool, readerIsNew: Bool
  ) throws {
    let (topic, reader) = (Topic(), Reader())
    context.insert(topic)
    if !readerIsNew { context.insert(reader) }
    try context.save()
    if readerIsNew { context.insert(reader) }
    reader.favorite = topic
    context.delete(topic)
    if processes { context.processPendingChanges() }
    try context.save()
    #expect(reader.favorite == nil)
    try expectNoFavorite()
  }

  @Test func `a reader of another context is saved without the deleted destination`() throws {
    let topic = Topic()
    context.insert(topic)
    try context.save()
    let other = ModelContext(container)
    other.insert(Reader())
    try other.save()
    let reader = try #require(try context.fetch(FetchDescriptor<Reader>()).first)
    reader.favorite = topic
    context.delete(topic)
    context.processPendingChanges()
    try context.save()
    try expectNoFavorite()
  }

  @Test func `a destination that had a deleted member is deleted like others`() throws {
    let (topic, reader) = (Topic(), Reader())
    context.insert(topic)
    context.insert(reader)
    try context.save()
    let group = TopicGroup()
    topic.groups = [group]
    context.delete(group)
    context.processPendingChanges()
    reader.favorite = topic
    context.delete(topic)
    context.processPendingChanges()
    try context.save()
    try expectNoFavorite()
  }
}

@Model final class Reader {
  var favorite: Topic?

  init() {}
}

@Model final class Topic {
  @Relationship(inverse: \TopicGroup.topics) var groups: [TopicGroup] = []

  init() {}
}

@Model final class TopicGroup {
  var topics: [Topic] = []

  init() {}
}
