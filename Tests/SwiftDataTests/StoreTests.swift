import CoreData
import Foundation
import StrataTestSupport
import SwiftData
import Testing

@Suite struct StoreTests {
  private let folder: TemporaryFolder
  private let model: NSManagedObjectModel

  init() throws {
    folder = try TemporaryFolder()
    model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: Novel.self))
  }

  @Test func `a schema has the related classes, and finds inverses`() throws {
    let schema = Schema(Novel.self)
    #expect(schema.entities.map(\.name) == ["Novel", "Review", "Writer"])
    let novel = try #require(schema.entity(for: Novel.self))
    #expect(novel.relationshipsByName["writer"]?.inverseName == "novels")
    #expect(novel.relationshipsByName["reviews"]?.inverseName == "novel")
    #expect(novel.uniquenessConstraints == [["title"]] && schema.version == Schema.Version(1, 0, 0))
  }

  @Test func `the model of a schema is as Apple's framework makes it`() throws {
    let (novel, writer) = (try #require(model.entitiesByName["Novel"]), try #require(model.entitiesByName["Writer"]))
    #expect(novel.managedObjectClassName == "Novel" && model.versionIdentifiers == ["1.0.0"])
    let attributes = novel.attributesByName
    #expect(attributes["title"]?.isOptional == false && attributes["title"]?.defaultValue == nil)
    #expect(attributes["pages"]?.attributeType == .integer64AttributeType)
    #expect(attributes["pages"]?.defaultValue as? Int == 1 && attributes["rating"]?.isOptional == true)
    #expect(attributes["genre"]?.defaultValue as? String == "crime" && attributes["isOpen"] == nil)
    let toOne = try #require(novel.relationshipsByName["writer"])
    #expect(toOne.isOptional && toOne.minCount == 0 && toOne.maxCount == 1 && !toOne.isOrdered)
    let toMany = try #require(writer.relationshipsByName["novels"])
    #expect(!toMany.isOptional && toMany.minCount == 0 && toMany.maxCount == 0 && !toMany.isOrdered)
    #expect(toMany.inverseRelationship === toOne && toOne.deleteRule == .nullifyDeleteRule)
    #expect(novel.relationshipsByName["reviews"]?.deleteRule == .cascadeDeleteRule)
  }

  @Test func `Core Data opens the store of a schema, and keeps its history`() throws {
    let file = folder.url("Library.store")
    let context = ModelContext(try ModelContainer(for: Novel.self, configurations: ModelConfiguration(url: file)))
    context.author = "test"
    context.insert(Novel(title: "Orlando", writer: Writer(name: "Virginia")))
    try context.save()

    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options = [NSPersistentHistoryTrackingKey: true as NSNumber]
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: file, options: options)
    #expect(
      store.metadata?[NSStoreModelVersionHashesKey] as? [String: Data] == model.entityVersionHashesByName)
    let objects = NSManagedObjectContext(.privateQueue)
    objects.persistentStoreCoordinator = coordinator
    try objects.performAndWait {
      let novel = try #require(try objects.fetch(NSFetchRequest<NSManagedObject>(entityName: "Novel")).first)
      #expect(novel.value(forKeyPath: "writer.name") as? String == "Virginia")
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
      let result = try objects.execute(request) as? NSPersistentHistoryResult
      #expect((result?.result as? [NSPersistentHistoryTransaction])?.map(\.author) == ["test"])
    }
  }

  @Test func `models in memory leave no file`() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    let context = ModelContext(try ModelContainer(for: Novel.self, configurations: configuration))
    context.insert(Novel(title: "Orlando"))
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Novel>()) == 1)
  }

  @Test func `two configurations keep models in two files`() throws {
    let (novels, writers) = (folder.url("Novels.store"), folder.url("Sketches.store"))
    let schema = Schema(Novel.self, Diary.self)
    let container = try ModelContainer(
      for: schema, configurations: ModelConfiguration("novels", schema: Schema(Novel.self), url: novels),
      ModelConfiguration("diaries", schema: Schema(Diary.self), url: writers))
    let context = ModelContext(container)
    context.insert(Novel(title: "Orlando"))
    context.insert(Diary(text: "Rain"))
    try context.save()
    let other = ModelContext(
      try ModelContainer(for: Diary.self, configurations: ModelConfiguration(url: writers)))
    #expect(try other.fetch(FetchDescriptor<Diary>()).map(\.text) == ["Rain"])
  }

  @Test func `configurations with the same name have stores of their own`() throws {
    let container = try ModelContainer(
      for: Schema(Novel.self, Diary.self),
      configurations: ModelConfiguration(for: Novel.self, isStoredInMemoryOnly: true),
      ModelConfiguration(for: Diary.self, isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let (novel, diary) = (Novel(title: "Orlando"), Diary(text: "Monday"))
    context.insert(novel)
    context.insert(diary)
    try context.save()
    #expect(novel.persistentModelID.storeIdentifier != diary.persistentModelID.storeIdentifier)
  }

  @Test func `two configurations cannot have the same file`() throws {
    let file = folder.url("Library.store")
    #expect(throws: SwiftDataError.duplicateConfiguration) {
      try ModelContainer(
        for: Schema(Novel.self, Diary.self),
        configurations: ModelConfiguration("novels", schema: Schema(Novel.self), url: file),
        ModelConfiguration("diaries", schema: Schema(Diary.self), url: file))
    }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `a file that is no store cannot be opened`() throws {
    let file = folder.url("Text.store")
    try Data("This is text, and long enough to be a header.".utf8).write(to: file)
    #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try ModelContainer(for: Novel.self, configurations: ModelConfiguration(url: file))
    }
    #expect(try Data(contentsOf: file).prefix(12) == Data("This is text".utf8))
  }

  @Test func `models need no classes of managed objects, and nothing warns of that`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
      let context = ModelContext(try ModelContainer(for: Novel.self, configurations: configuration))
      context.insert(Novel(title: "Orlando", writer: Writer(name: "Virginia")))
      try context.save()
      let novels = try context.fetch(FetchDescriptor<Novel>(predicate: #Predicate { $0.writer?.name == "Virginia" }))
      #expect(novels.count == 1)
    }
    #expect(result.errorText == "")
  }
}

@Model final class Diary {
  var text: String

  init(text: String) { self.text = text }
}
