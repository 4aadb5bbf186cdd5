import CoreData
import Foundation
import StrataTestSupport
import Testing

@testable import StrataBehaviorSupport

/// A model of owners and members that record their state in their hooks.
enum RecordedMembers {
  static let model = makeModel(
    makeEntity("Owner", of: RecordedObject.self, [attribute("name")]),
    makeEntity("Member", of: RecordedObject.self, [attribute("name")])
  ).relate("Owner", "members", .many, "Member", "owner", .one)
}

/// An object that records its state in its hooks.
final class RecordedObject: NSManagedObject {
  private func record(_ event: String) {
    (managedObjectContext?.userInfo["stateLog"] as? StateLog)?.record(event, self)
  }

  override func awakeFromInsert() { record("awakeFromInsert") }
  override func willSave() { record("willSave") }
  override func didSave() { record("didSave") }
  override func prepareForDeletion() { record("prepareForDeletion") }
  override func willTurnIntoFault() { recordState("willTurnIntoFault") }
  override func didTurnIntoFault() { recordState("didTurnIntoFault") }

  /// Records the state without values, which the object is about to lose or has lost.
  private func recordState(_ event: String) {
    guard let log = managedObjectContext?.userInfo["stateLog"] as? StateLog, entity.name == "Member" else { return }
    log.lines.append("\(event) \(log.role(of: self)): \(log.state(of: self))")
  }
}

/// Records the state of a context's members: one line for each hook, notification and delegate call.
final class StateLog: NSObject, NSFetchedResultsControllerDelegate, @unchecked Sendable {
  // Sendable: used only on the context's queue.
  private let context: NSManagedObjectContext
  /// The names of the members that exist from the start.
  private let roles: [NSManagedObjectID: String]
  var lines: [String] = []
  /// The changes that the controller reported.
  private(set) var delegateCalls: [String] = []
  private var observers: [any NSObjectProtocol] = []

  private static let notificationNames: [(NSNotification.Name, String)] = [
    (.NSManagedObjectContextObjectsDidChange, "ObjectsDidChange"), (.NSManagedObjectContextWillSave, "WillSave"),
    (.NSManagedObjectContextDidSave, "DidSave"), (.NSManagedObjectContextDidSaveObjectIDs, "DidSaveObjectIDs"),
    (.NSManagedObjectContextDidMergeChangesObjectIDs, "DidMergeChangesObjectIDs"),
  ]

  init(of context: NSManagedObjectContext, _ members: [String: NSManagedObjectID]) {
    self.context = context
    roles = Dictionary(uniqueKeysWithValues: members.map { ($1, $0) })
  }

  /// Starts to record hooks and notifications.
  func start() {
    context.userInfo["stateLog"] = self
    observers = Self.notificationNames.map { name, event in
      NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [unowned self] in
        receive($0.userInfo ?? [:], event)
      }
    }
  }

  func stop() {
    observers.forEach(NotificationCenter.default.removeObserver)
    context.userInfo["stateLog"] = nil
  }

  /// Returns the object's name, or "new" if it was inserted later.
  func role(of object: NSManagedObject) -> String { roles[object.objectID] ?? "new" }

  func record(_ event: String, _ object: NSManagedObject) {
    guard object.entity.name == "Member" else { return }
    lines.append("\(event) \(line(object))")
  }

  private func receive(_ userInfo: [AnyHashable: Any], _ event: String) {
    if userInfo.isEmpty { return lines.append(event) }
    for key in ["inserted", "updated", "refreshed", "deleted"] {
      let ids = userInfo[key + "_objectIDs"] as? Set<NSManagedObjectID> ?? []
      let objects = (userInfo[key] as? Set<NSManagedObject> ?? []).union(ids.compactMap(context.registeredObject))
      for object in objects.sorted(by: { role(of: $0) < role(of: $1) }) { record("\(event) \(key)", object) }
    }
  }

  /// Whether the object is (I)nserted, (U)pdated, (D)eleted, a (F)ault, in its (C)ontext, (R)egistered, and in which set.
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
    delegateCalls.append("\(type) \(line(object))")
  }
}
