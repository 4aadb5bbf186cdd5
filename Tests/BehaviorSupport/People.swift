import CoreData
import Foundation
import StrataTestSupport

/// A second small world: people with unique e-mail addresses are in teams and groups; a manager is a person.
enum People {
  static let model: NSManagedObjectModel = {
    let person = entity("Person")
    let manager = entity("Manager")
    let team = entity("Team")
    let group = entity("Group")
    let (members, home) = (link("members", to: person), link("team", to: team, most: 1))
    let (groups, people) = (link("groups", to: group), link("people", to: person))
    (members.inverseRelationship, home.inverseRelationship) = (home, members)
    (groups.inverseRelationship, people.inverseRelationship) = (people, groups)
    person.properties = [text("email"), text("name"), text("note"), number("age"), home, groups]
    manager.properties = [text("title")]
    person.subentities = [manager]
    team.properties = [text("name"), members]
    group.properties = [text("name"), people]
    person.uniquenessConstraints = [["email"]]
    team.uniquenessConstraints = [["name"]]
    let model = NSManagedObjectModel()
    model.entities = [person, manager, team, group]
    // What several stores of one coordinator hold.
    model.setEntities([person, manager, team, group], forConfigurationName: "Everything")
    model.setEntities([team], forConfigurationName: "Teams")
    model.setEntities([group], forConfigurationName: "Groups")
    return model
  }()

  private static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    return entity
  }

  private static func text(_ name: String) -> NSAttributeDescription { attribute(name, .stringAttributeType) }

  private static func number(_ name: String) -> NSAttributeDescription { attribute(name, .integer32AttributeType) }

  private static func link(_ name: String, to entity: NSEntityDescription, most: Int = 0) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity, relationship.maxCount) = (name, entity, most)
    return relationship
  }
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
