import CoreData
import Foundation
import Testing

@testable import StrataBehaviorSupport

/// The state of objects that hooks, observers and delegates see while they are notified.
@Suite struct ObservedStateTests {
  /// The way in which a context receives a change.
  enum ChangeSource: String, CaseIterable, CustomTestStringConvertible {
    case direct, inAChild, childsSave, mergedObjects, mergedIDs, remote, automatic, automaticInAChild
    var testDescription: String { rawValue }
  }

  /// A context with an owner and its members "kept" and "gone", all retained.
  private struct RecordedContext {
    let container: NSPersistentContainer
    let root: NSManagedObjectContext
    let context: NSManagedObjectContext
    let objects: [NSManagedObject]
    let ids: [String: NSManagedObjectID]
    let log: StateLog
    let controller: NSFetchedResultsController<NSManagedObject>

    /// - Parameters:
    ///   - isChild: whether the observed context has a parent.
    ///   - isShown: whether a controller displays the members.
    init(_ store: Store, isChild: Bool, isShown: Bool) throws {
      container = try store.container(of: RecordedMembers.model)
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
        let log = StateLog(of: context, ids)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Member")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let controller = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        // The first read of a fault's value fires it, so only the controller or the log reads.
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

    func apply(_ source: ChangeSource) throws {
      switch source {
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
        let note = try #require(source == .mergedObjects ? save.objects : save.ids)
        context.performAndWait {
          if source != .remote { return context.mergeChanges(fromContextDidSave: note) }
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

    /// Returns the lines of hooks and notifications, and the calls of the controller's delegate.
    func results() -> (lines: [String], delegateCalls: [String]) {
      context.performAndWait {
        log.stop()
        return (log.lines, log.delegateCalls)
      }
    }
  }

  @Test(arguments: Store.allCases, ChangeSource.allCases)
  func `every accessor agrees with the notification`(_ store: Store, _ source: ChangeSource) throws {
    let isChild = source == .inAChild || source == .automaticInAChild
    let recorded = try RecordedContext(store, isChild: isChild, isShown: false)
    try recorded.apply(source)
    let shown = try RecordedContext(store, isChild: isChild, isShown: true)
    try shown.apply(source)
    let (lines, delegateCalls) = (recorded.results().lines, shown.results().delegateCalls)
    #expect(
      lines
        == (source.isMerge ? Self.linesOfMerge : Self.linesOfSave).filter {
          source != .childsSave || !$0.isAwakeFromInsert
        })
    #expect(delegateCalls == (source.isMerge ? Self.delegateCallsOfMerge : Self.delegateCallsOfSave))
  }

  /// For a save after changes: an object counts as inserted from `awakeFromInsert`, or as deleted, until the save is done.
  /// A deleted one returns true for `isDeleted` until the last notification.
  private static let linesOfSave = [
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

  private static let delegateCallsOfSave = [
    "delete gone: DCR deleted gone of o changed[] committed[name=gone] event[]",
    "insert new: ICR inserted new of o changed[name=new,owner=o] committed[] event[name=-,owner=-]",
    "update kept: UCR updated renamed of o changed[name=renamed] committed[name=kept] event[name=kept]",
  ]

  /// For changes that others saved: the context has no changes, but the deleted object is among the deleted ones and no
  /// longer among the registered ones.
  private static let linesOfMerge = [
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

  private static let delegateCallsOfMerge = [
    "delete gone: DC deleted gone of o changed[] committed[name=gone] event[]",
    "insert new: FCR new of o changed[] committed[name=new] event[]",
    "update kept: FCR renamed of o changed[] committed[name=renamed] event[]",
  ]
}

extension ObservedStateTests.ChangeSource {
  fileprivate var isMerge: Bool {
    switch self {
    case .direct, .inAChild, .childsSave: false
    case .mergedObjects, .mergedIDs, .remote, .automatic, .automaticInAChild: true
    }
  }
}

extension String {
  /// `awakeFromInsert` is called in one context only.
  fileprivate var isAwakeFromInsert: Bool { hasPrefix("awakeFromInsert") }
}
