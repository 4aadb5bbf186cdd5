import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// The state of objects as seen by those who are notified, during the notification.
@Suite struct SeenTests {
  /// How a context gets a change.
  enum Way: String, CaseIterable, CustomTestStringConvertible {
    case direct, inAChild, childsSave, mergedObjects, mergedIDs, remote, automatic, automaticInAChild
    var testDescription: String { rawValue }
  }

  /// A context with an owner and its members "kept" and "gone", all retained.
  private struct SeenContext {
    let container: NSPersistentContainer
    let root: NSManagedObjectContext
    let context: NSManagedObjectContext
    let objects: [NSManagedObject]
    let ids: [String: NSManagedObjectID]
    let log: SeenLog
    let controller: NSFetchedResultsController<NSManagedObject>

    /// - Parameters:
    ///   - isChild: whether the observed context has a parent.
    ///   - isShown: whether a controller displays the members.
    init(_ store: Store, isChild: Bool, isShown: Bool) throws {
      container = try store.container(of: SeenMembers.model)
      let root = container.newBackgroundContext()
      let context = isChild ? root.child(.privateQueueConcurrencyType) : root
      (self.root, self.context) = (root, context)
      (objects, ids, log, controller) = try context.performAndWait {
        let owner = context.insert("Owner", ["name": "o"])
        let kept = context.insert("Member", ["name": "kept", "owner": owner])
        let gone = context.insert("Member", ["name": "gone", "owner": owner])
        try context.save()
        try root.performAndWait { try root.save() }
        try context.obtainPermanentIDs(for: [owner, kept, gone])
        let ids = ["kept": kept.objectID, "gone": gone.objectID]
        let log = SeenLog(of: context, ids)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Member")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let controller = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        // The first reader of a fault's value fires it, so only one of them reads.
        if isShown {
          controller.delegate = log
          try controller.performFetch()
        } else {
          log.start()
        }
        return ([owner, kept, gone], ids, log, controller)
      }
    }

    /// Inserts, renames and deletes one member each.
    private func change(_ context: NSManagedObjectContext) throws {
      let kept = try context.existingObject(with: #require(ids["kept"]))
      let gone = try context.existingObject(with: #require(ids["gone"]))
      _ = context.insert("Member", ["name": "new", "owner": try #require(kept.one("owner"))])
      kept.setValue("renamed", forKey: "name")
      context.delete(gone)
    }

    private func saveElsewhere() throws -> (objects: Notification?, ids: Notification?) {
      let other = container.newBackgroundContext()
      nonisolated(unsafe) var notes: [Notification.Name: Notification] = [:]
      let names: [Notification.Name] = [.NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs]
      let observers = names.map { name in
        NotificationCenter.default.addObserver(forName: name, object: other, queue: nil) { notes[$0.name] = $0 }
      }
      defer { observers.forEach(NotificationCenter.default.removeObserver) }
      try other.performAndWait {
        try change(other)
        try other.save()
      }
      return (notes[.NSManagedObjectContextDidSave], notes[.NSManagedObjectContextDidSaveObjectIDs])
    }

    func play(_ way: Way) throws {
      switch way {
      case .direct, .inAChild:
        try context.performAndWait {
          try change(context)
          try context.save()
        }
      case .childsSave:
        try saveInAChild(of: context)
        try context.performAndWait { try context.save() }
      case .mergedObjects, .mergedIDs, .remote:
        let save = try saveElsewhere()
        let note = try #require(way == .mergedObjects ? save.objects : save.ids)
        context.performAndWait {
          if way != .remote { return context.mergeChanges(fromContextDidSave: note) }
          NSManagedObjectContext.mergeChanges(fromRemoteContextSave: note.userInfo ?? [:], into: [context])
        }
      case .automatic:
        context.automaticallyMergesChangesFromParent = true
        _ = try saveElsewhere()
        context.performAndWait {}
      case .automaticInAChild:
        context.automaticallyMergesChangesFromParent = true
        try saveInAChild(of: root)
        context.performAndWait {}
      }
    }

    private func saveInAChild(of context: NSManagedObjectContext) throws {
      let child = context.child(.privateQueueConcurrencyType)
      try child.performAndWait {
        try change(child)
        try child.save()
      }
    }

    /// What notifications and hooks saw, and what the controller's delegate was told.
    func seen() -> (lines: [String], told: [String]) {
      context.performAndWait {
        log.stop()
        return (log.lines, log.told)
      }
    }
  }

  @Test(arguments: Store.allCases, Way.allCases)
  func `every accessor agrees with the notification`(_ store: Store, _ way: Way) throws {
    let isChild = way == .inAChild || way == .automaticInAChild
    let scene = try SeenContext(store, isChild: isChild, isShown: false)
    try scene.play(way)
    let shown = try SeenContext(store, isChild: isChild, isShown: true)
    try shown.play(way)
    let (seen, told) = (scene.seen().lines, shown.seen().told)
    #expect(seen == (way.isMerge ? Self.seenOfMerge : Self.seenOfSave).filter { way != .childsSave || !$0.isBirth })
    #expect(told == (way.isMerge ? Self.toldOfMerge : Self.toldOfSave))
  }

  /// For a save after changes: after `awakeFromInsert`, an object counts as inserted or deleted until the save is done,
  /// and a deleted one says so until the last notification.
  private static let seenOfSave = [
    "awakeFromInsert new: ICR inserted - of - changed[] committed[] event[]",
    "prepareForDeletion gone: CR gone of o changed[] committed[name=gone] event[]",
    "ObjectsDidChange inserted new: ICR inserted new of o changed[name=new,owner=o] committed[] event[name=-,owner=-]",
    "ObjectsDidChange updated kept: UCR updated renamed of o changed[name=renamed] committed[name=kept] event[name=kept]",
    "ObjectsDidChange deleted gone: DCR deleted gone of o changed[] committed[name=gone] event[]",
    "willSave new: ICR inserted new of o changed[name=new,owner=o] committed[] event[]",
    "willSave kept: UCR updated renamed of o changed[name=renamed] committed[name=kept] event[]",
    "willSave gone: DCR deleted gone of o changed[] committed[name=gone] event[]",
    "WillSave",
    "didSave new: CR new of o changed[] committed[name=new] event[]",
    "didSave kept: CR renamed of o changed[] committed[name=renamed] event[]",
    "didSave gone: DCR gone of o changed[] committed[name=gone] event[]",
    "DidSave inserted new: CR new of o changed[] committed[name=new] event[]",
    "DidSave updated kept: CR renamed of o changed[] committed[name=renamed] event[]",
    "DidSave deleted gone: DCR gone of o changed[] committed[name=gone] event[]",
    "DidSaveObjectIDs inserted new: CR new of o changed[] committed[name=new] event[]",
    "DidSaveObjectIDs updated kept: CR renamed of o changed[] committed[name=renamed] event[]",
    "DidSaveObjectIDs deleted gone: DCR gone of o changed[] committed[name=gone] event[]",
  ]

  private static let toldOfSave = [
    "delete gone: DCR deleted gone of o changed[] committed[name=gone] event[]",
    "insert new: ICR inserted new of o changed[name=new,owner=o] committed[] event[name=-,owner=-]",
    "update kept: UCR updated renamed of o changed[name=renamed] committed[name=kept] event[name=kept]",
  ]

  /// For changes that others saved: there is nothing to save here, but the deleted object is among the deleted ones and
  /// no longer among the registered ones.
  private static let seenOfMerge = [
    "willTurnIntoFault kept: CR",
    "didTurnIntoFault kept: FCR",
    "ObjectsDidChange inserted new: FCR new of o changed[] committed[name=new] event[]",
    "ObjectsDidChange refreshed kept: FCR renamed of o changed[] committed[name=renamed] event[]",
    "ObjectsDidChange deleted gone: DC deleted gone of o changed[] committed[name=gone] event[]",
    "DidMergeChangesObjectIDs inserted new: CR new of o changed[] committed[name=new] event[]",
    "DidMergeChangesObjectIDs updated kept: CR renamed of o changed[] committed[name=renamed] event[]",
    "DidMergeChangesObjectIDs refreshed kept: CR renamed of o changed[] committed[name=renamed] event[]",
    "DidMergeChangesObjectIDs deleted gone: DC deleted gone of o changed[] committed[name=gone] event[]",
  ]

  private static let toldOfMerge = [
    "delete gone: DC deleted gone of o changed[] committed[name=gone] event[]",
    "insert new: FCR new of o changed[] committed[name=new] event[]",
    "update kept: FCR renamed of o changed[] committed[name=renamed] event[]",
  ]
}

extension SeenTests.Way {
  fileprivate var isMerge: Bool {
    switch self {
    case .direct, .inAChild, .childsSave: false
    case .mergedObjects, .mergedIDs, .remote, .automatic, .automaticInAChild: true
    }
  }
}

extension String {
  /// `awakeFromInsert` is called in one context only.
  fileprivate var isBirth: Bool { hasPrefix("awakeFromInsert") }
}
