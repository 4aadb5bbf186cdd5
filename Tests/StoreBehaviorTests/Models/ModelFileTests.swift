import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Models that a program did not build in code.
@Suite struct ModelFileTests {
  /// The archive of an entity Note with an optional attribute text, as embedded in a program.
  static let note: StaticString =
    """
    c3RyYXRhAG0Bsm5ek28H4nMFATIETm90ZQ9OU01hbmFnZWRPYmplY3QEdGV4dAhOU1N0cmluZwEBAAECAwAAAAEAAAEABAEAAAEAALwFBQAAAAAAAAA=
    """

  @Test func `a container finds the embedded model and shares it`() throws {
    NSManagedObjectModel._registerEmbedded("CarriedNotes", module: "Notes", base64: Self.note)
    let container = NSPersistentContainer(name: "CarriedNotes")
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    #expect(failure == nil)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue("felt", forKey: "text")
      try context.save()
      let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      #expect(found.map { $0.value(forKey: "text") as? String } == ["felt"])
    }
    let isShared = container.managedObjectModel === NSPersistentContainer(name: "CarriedNotes").managedObjectModel
    #expect(isShared, "Containers of one name share the model.")
  }

  @Test func `a model source provides defaults, rules, templates and fetched properties`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)")
    let source = folder.appendingPathComponent("Quakes.xcdatamodel")
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let contents =
      """
      <model>
          <entity name="Quake">
              <attribute name="place" attributeType="String" minValueString="3"/>
              <attribute name="size" attributeType="Double" defaultValueString="2.5" maxValueString="10"/>
              <fetchedProperty name="same" optional="YES"><fetchRequest name="fetchedPropertyFetchRequest" \
      entity="Quake" predicateString="place == $FETCH_SOURCE.place"/></fetchedProperty>
          </entity>
          <fetchRequest name="Felt" entity="Quake" predicateString="size &gt;= $LEAST"/>
      </model>
      """
    try Data(contents.utf8).write(to: source.appendingPathComponent("contents"))
    let model = try #require(NSManagedObjectModel(contentsOf: source))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent("quakes.sqlite"),
      options: nil)
    let context = coordinator.context(.privateQueueConcurrencyType)
    try context.performAndWait {
      let quake = NSEntityDescription.insertNewObject(forEntityName: "Quake", into: context)
      #expect(quake.value(forKey: "size") as? Double == 2.5)
      quake.setValue("ab", forKey: "place")
      quake.setValue(11.0, forKey: "size")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .validationMultipleErrors)
      quake.setValue("Tōhoku", forKey: "place")
      quake.setValue(9.1, forKey: "size")
      try context.save()
      let felt = model.fetchRequestFromTemplate(withName: "Felt", substitutionVariables: ["LEAST": 9])
      #expect(try felt.map { try context.count(for: $0) } == 1)
      #expect((quake.value(forKey: "same") as? [NSManagedObject])?.count == 1)
    }
  }

  @Test func `a required to-many relationship without a minimum can be empty`() throws {
    let folder = try TemporaryFolder.make()
    let source = folder.appendingPathComponent("Sets.xcdatamodel")
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    let contents =
      """
      <model><entity name="Owner">
          <relationship name="any" toMany="YES" destinationEntity="Part"/>
          <relationship name="row" toMany="YES" ordered="YES" destinationEntity="Part"/>
          <relationship name="some" toMany="YES" minCount="1" destinationEntity="Part"/>
          <relationship name="one" maxCount="1" destinationEntity="Part"/>
      </entity><entity name="Part"/></model>
      """
    try Data(contents.utf8).write(to: source.appendingPathComponent("contents"))
    let model = try #require(NSManagedObjectModel(contentsOf: source))
    let context = try Store.sqlite.container(of: model).newBackgroundContext()
    try context.performAndWait {
      let owner = context.insert("Owner")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      let errors = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
      let codes = errors.map { "\($0.userInfo[NSValidationKeyErrorKey] ?? "") \($0.code)" }
      #expect(codes.sorted() == ["one 1570", "some 1580"])
      let part = context.insert("Part")
      owner.setValue(part, forKey: "one")
      owner.setValue(Set([part]), forKey: "some")
      try context.save()
    }
  }
}
