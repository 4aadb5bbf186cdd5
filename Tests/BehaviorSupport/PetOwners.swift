import CoreData
import Foundation
import StrataTestSupport
import Testing

/// People, some of them employees, with pets: objects that write down what happens to them.
enum PetOwners {
  static let model = freshModel()

  static func freshModel() -> NSManagedObjectModel {
    makeModel(
      makeEntity(
        "Person", of: Person.self,
        [
          attribute("name"), attribute("age", .integer32, default: 7), attribute("nick", transient: true),
          attribute("cache", .undefined, transient: true),
        ], subentities: [makeEntity("Employee", of: Careful.self, [attribute("salary", .double)])]),
      makeEntity("Pet", of: Person.self, [attribute("name")])
    ).relate("Person", "pets", .many, "Pet", "owner", .one)
  }
}

/// An object that writes what it is told into its context's `userInfo`, under its entity's name.
class Person: NSManagedObject {
  private func note(_ text: String) {
    (managedObjectContext?.userInfo["log"] as? Log)?.lines.append("\(entity.name ?? "") \(text)")
  }

  override func awakeFromInsert() { note("awakeFromInsert") }
  override func awakeFromFetch() {
    note("awakeFromFetch")
    if entity.name != "Pet" { setValue("awake", forKey: "nick") }
  }
  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { note("awake \(flags.rawValue)") }
  override func willSave() { note("willSave") }
  override func didSave() { note("didSave") }
  override func prepareForDeletion() {
    let key = entity.name == "Pet" ? "owner" : "pets"
    note("prepareForDeletion \(objectIDs(forRelationshipNamed: key).count)")
  }
  override func willTurnIntoFault() { note("willTurnIntoFault \(isFault)") }
  override func didTurnIntoFault() { note("didTurnIntoFault \(isFault)") }

  /// A custom accessor, as Apple's guide writes it.
  var customName: String? {
    get {
      willAccessValue(forKey: "name")
      defer { didAccessValue(forKey: "name") }
      return primitiveValue(forKey: "name") as? String
    }
    set {
      willChangeValue(forKey: "name")
      setPrimitiveValue(newValue, forKey: "name")
      didChangeValue(forKey: "name")
    }
  }

  func addPet(_ pet: NSManagedObject) {
    willChangeValue(forKey: "pets", withSetMutation: .union, using: [pet])
    (primitiveValue(forKey: "pets") as? NSMutableSet)?.add(pet)
    didChangeValue(forKey: "pets", withSetMutation: .union, using: [pet])
  }

  func change(_ kind: NSKeyValueSetMutationKind, _ pets: Set<NSManagedObject>) {
    willChangeValue(forKey: "pets", withSetMutation: kind, using: pets)
    didChangeValue(forKey: "pets", withSetMutation: kind, using: pets)
  }
}

/// What happened to the objects of a context.
final class Log: NSObject {
  var lines: [String] = []
}

/// A person whose other properties count too.
final class Careful: Person {
  override class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { false }
}

extension Store {
  /// A container for people with an empty store of its own.
  func people(_ model: NSManagedObjectModel = PetOwners.model) throws -> NSPersistentContainer {
    try container(of: model)
  }
}

extension NSManagedObjectContext {
  /// Begins to write down what happens to the context's people.
  func startLog() { userInfo["log"] = Log() }

  /// What happened to the context's people since the last time.
  func takeLog() -> [String] {
    let log = userInfo["log"] as? Log
    defer { log?.lines = [] }
    return log?.lines ?? []
  }

  /// What `ObjectsDidChange` carries while `body` runs: one dictionary a notification.
  func changes(during body: () throws -> Void) rethrows -> [[AnyHashable: Any]] {
    nonisolated(unsafe) var posted: [[AnyHashable: Any]] = []
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: self, queue: nil
    ) { posted.append($0.userInfo ?? [:]) }
    defer { NotificationCenter.default.removeObserver(observer) }
    try body()
    return posted
  }
}
