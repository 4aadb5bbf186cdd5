import CoreData
import Foundation
import StrataTestSupport
import Testing

/// People, some of them employees, with pets. The objects log the calls that they receive.
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

/// An object that logs the calls it receives in its context's `userInfo`, with its entity's name.
class Person: NSManagedObject {
  private func record(_ text: String) {
    (managedObjectContext?.userInfo["log"] as? Log)?.lines.append("\(entity.name ?? "") \(text)")
  }

  override func awakeFromInsert() { record("awakeFromInsert") }
  override func awakeFromFetch() {
    record("awakeFromFetch")
    if entity.name != "Pet" { setValue("awake", forKey: "nick") }
  }
  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { record("awake \(flags.rawValue)") }
  override func willSave() { record("willSave") }
  override func didSave() { record("didSave") }
  override func prepareForDeletion() {
    let key = entity.name == "Pet" ? "owner" : "pets"
    record("prepareForDeletion \(objectIDs(forRelationshipNamed: key).count)")
  }
  override func willTurnIntoFault() { record("willTurnIntoFault \(isFault)") }
  override func didTurnIntoFault() { record("didTurnIntoFault \(isFault)") }

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

/// The calls that the objects of a context received.
final class Log: NSObject {
  var lines: [String] = []
}

/// A person that counts changes of unmodeled properties.
final class Careful: Person {
  override class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { false }
}

extension Store {
  /// A container for people with a new empty store.
  func people(_ model: NSManagedObjectModel = PetOwners.model) throws -> NSPersistentContainer {
    try container(of: model)
  }
}

extension NSManagedObjectContext {
  /// Starts to log the calls that the context's people receive.
  func startLog() { userInfo["log"] = Log() }

  /// Returns the calls since the last time.
  func takeLog() -> [String] {
    let log = userInfo["log"] as? Log
    defer { log?.lines = [] }
    return log?.lines ?? []
  }

  /// Returns the user info of each `ObjectsDidChange` notification that is posted while `body` runs.
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
