import CoreData
import Foundation
import StrataTestSupport
import Testing

/// Archiving and unarchiving a model.
@Suite struct ModelCodingTests {
  @Test func anArchivedModelIsTheSameModel() throws {
    let (model, copy) = (Library.model, try archived(Library.model))
    #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
    for (name, entity) in model.entitiesByName {
      let other = try #require(copy.entitiesByName[name])
      #expect(other.managedObjectClassName == entity.managedObjectClassName)
      #expect(other.propertiesByName.keys.sorted() == entity.propertiesByName.keys.sorted())
      for (key, attribute) in entity.attributesByName {
        #expect("\(other.attributesByName[key]?.defaultValue ?? "")" == "\(attribute.defaultValue ?? "")")
      }
    }
  }

  @Test func anArchivedModelOpensAStore() throws {
    let model = try archived(Library.model)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let url = try TemporaryFolder.make().appendingPathComponent("Store.sqlite")
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    #expect(Library.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }

  @Test func anArchiveInAFileIsAModelFile() throws {
    let folder = try TemporaryFolder.make()
    for secure in [true, false] {
      let file = folder.appendingPathComponent("Library.mom")
      try NSKeyedArchiver.archivedData(withRootObject: Library.model, requiringSecureCoding: secure).write(to: file)
      let model = try #require(NSManagedObjectModel(contentsOf: file))
      #expect(model.entityVersionHashesByName == Library.model.entityVersionHashesByName)
      #expect(
        NSManagedObjectModel.mergedModel(from: [try #require(Bundle(url: folder))])?.entities.count
          == Library.model.entities.count)
    }
  }

  @Test func anArchiveOfSomethingElseIsNoModel() throws {
    let data = try NSKeyedArchiver.archivedData(withRootObject: "text" as NSString, requiringSecureCoding: true)
    let model = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSManagedObjectModel.self, from: data)
    #expect(model == nil)
  }

  private func archived(_ model: NSManagedObjectModel) throws -> NSManagedObjectModel {
    let data = try NSKeyedArchiver.archivedData(withRootObject: model, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSManagedObjectModel.self, from: data))
  }
}
