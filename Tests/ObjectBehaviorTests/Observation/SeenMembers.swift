import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// Owners with members that write down what can be seen of an object whenever somebody is told of it.
enum SeenMembers {
  static let model = makeModel(
    makeEntity("Owner", of: SeenObject.self, [attribute("name")]),
    makeEntity("Member", of: SeenObject.self, [attribute("name")])
  ).relate("Owner", "members", .many, "Member", "owner", .one)
}

/// An object whose hooks write down what is seen in them.
final class SeenObject: NSManagedObject {
  private func note(_ moment: String) { (managedObjectContext?.userInfo["seen"] as? SeenLog)?.note(moment, self) }

  override func awakeFromInsert() { note("awakeFromInsert") }
  override func willSave() { note("willSave") }
  override func didSave() { note("didSave") }
  override func prepareForDeletion() { note("prepareForDeletion") }
  override func willTurnIntoFault() { noteState("willTurnIntoFault") }
  override func didTurnIntoFault() { noteState("didTurnIntoFault") }

  /// Without its values, which it is about to lose or has lost.
  private func noteState(_ moment: String) {
    guard let log = managedObjectContext?.userInfo["seen"] as? SeenLog, entity.name == "Member" else { return }
    log.lines.append("\(moment) \(log.role(of: self)): \(log.state(of: self))")
  }
}

/// What is seen of the members in a context, a line for each time that somebody is told of one.
final class SeenLog: NSObject, NSFetchedResultsControllerDelegate, @unchecked Sendable {
  // Sendable: used on the context's queue alone.
  private let context: NSManagedObjectContext
  /// What the members that there are are called.
  private let roles: [NSManagedObjectID: String]
  var lines: [String] = []
  /// What the controller told.
  private(set) var told: [String] = []
  private var observers: [any NSObjectProtocol] = []

  private static let moments: [(NSNotification.Name, String)] = [
    (.NSManagedObjectContextObjectsDidChange, "ObjectsDidChange"), (.NSManagedObjectContextWillSave, "WillSave"),
    (.NSManagedObjectContextDidSave, "DidSave"), (.NSManagedObjectContextDidSaveObjectIDs, "DidSaveObjectIDs"),
    (.NSManagedObjectContextDidMergeChangesObjectIDs, "DidMergeChangesObjectIDs"),
  ]

  init(of context: NSManagedObjectContext, _ members: [String: NSManagedObjectID]) {
    self.context = context
    roles = Dictionary(uniqueKeysWithValues: members.map { ($1, $0) })
  }

  /// Listens to hooks and notifications.
  func start() {
    context.userInfo["seen"] = self
    observers = Self.moments.map { name, moment in
      NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [unowned self] in
        hear($0.userInfo ?? [:], moment)
      }
    }
  }

  func stop() {
    observers.forEach(NotificationCenter.default.removeObserver)
    context.userInfo["seen"] = nil
  }

  /// Of an object that was inserted meanwhile: "new".
  func role(of object: NSManagedObject) -> String { roles[object.objectID] ?? "new" }

  func note(_ moment: String, _ object: NSManagedObject) {
    guard object.entity.name == "Member" else { return }
    lines.append("\(moment) \(line(object))")
  }

  private func hear(_ userInfo: [AnyHashable: Any], _ moment: String) {
    if userInfo.isEmpty { return lines.append(moment) }
    for key in ["inserted", "updated", "refreshed", "deleted"] {
      let ids = userInfo[key + "_objectIDs"] as? Set<NSManagedObjectID> ?? []
      let objects = (userInfo[key] as? Set<NSManagedObject> ?? []).union(ids.compactMap(context.registeredObject))
      for object in objects.sorted(by: { role(of: $0) < role(of: $1) }) { note("\(moment) \(key)", object) }
    }
  }

  /// Whether it is (I)nserted, (U)pdated, (D)eleted, a (F)ault, in its (C)ontext, (R)egistered, and in which set.
  func state(of object: NSManagedObject) -> String {
    let flags: [(String, Bool)] = [
      ("I", object.isInserted), ("U", object.isUpdated), ("D", object.isDeleted), ("F", object.isFault),
      ("C", object.managedObjectContext === context), ("R", context.registeredObjects.contains(object)),
      (" inserted", context.insertedObjects.contains(object)), (" updated", context.updatedObjects.contains(object)),
      (" deleted", context.deletedObjects.contains(object)),
    ]
    return flags.filter(\.1).map(\.0).joined()
  }

  private func line(_ object: NSManagedObject) -> String {
    let state = state(of: object)
    func text(_ value: Any?) -> String { value as? String ?? "-" }
    func values(_ values: [String: Any]) -> String {
      values.sorted { $0.key < $1.key }.map { "\($0.key)=\(text(($0.value as? NSManagedObject)?.called ?? $0.value))" }
        .joined(separator: ",")
    }
    let committed = object.committedValues(forKeys: ["name"])
    return "\(role(of: object)): \(state) \(text(object.called)) of \(text(object.one("owner")?.called))"
      + " changed[\(values(object.changedValues()))] committed[\(values(committed))]"
      + " event[\(values(object.changedValuesForCurrentEvent()))]"
  }

  func controller(
    _ controller: AnyController, didChange anObject: Any, at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard let object = anObject as? NSManagedObject else { return }
    told.append("\(type) \(line(object))")
  }
}
