import CoreData
import Foundation
import StrataTestSupport

/// People with unique e-mail addresses, in teams and groups. A manager is a person.
enum People {
  static let model: NSManagedObjectModel = {
    let team = makeEntity("Team", unique: [["name"]], [attribute("name")])
    let group = makeEntity("Group", [attribute("name")])
    let person = makeEntity(
      "Person", unique: [["email"]],
      [attribute("email"), attribute("name"), attribute("note"), attribute("age", .integer32)],
      subentities: [makeEntity("Manager", [attribute("title")])])
    let model = makeModel(person, team, group)
      .relate("Team", "members", .many, "Person", "team", .one)
      .relate("Person", "groups", .many, "Group", "people", .many)
    // Configurations for several stores of one coordinator.
    model.setEntities(model.entities, forConfigurationName: "Everything")
    model.setEntities([team], forConfigurationName: "Teams")
    model.setEntities([group], forConfigurationName: "Groups")
    return model
  }()
}

extension Store {
  /// A coordinator of people with stores of some configurations, in this order.
  func coordinator(_ configurations: [String?] = [nil], options: [[AnyHashable: Any]] = [])
    throws -> NSPersistentStoreCoordinator
  {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: People.model)
    for (index, configuration) in configurations.enumerated() {
      try coordinator.addPersistentStore(
        type: NSPersistentStore.StoreType(rawValue: rawValue), configuration: configuration, at: try url("People"),
        options: index < options.count ? options[index] : nil)
    }
    return coordinator
  }
}

extension NSPersistentStoreCoordinator {
  func context(_ type: NSManagedObjectContextConcurrencyType = .mainQueueConcurrencyType) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: type)
    context.persistentStoreCoordinator = self
    return context
  }
}

extension NSManagedObject {
  func text(_ key: String) -> String? { value(forKey: key) as? String }
  func object(_ key: String) -> NSManagedObject? { value(forKey: key) as? NSManagedObject }
  func set(_ key: String) -> Set<NSManagedObject> { value(forKey: key) as? Set<NSManagedObject> ?? [] }
}
