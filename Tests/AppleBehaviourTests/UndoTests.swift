import CoreData
import Foundation
import Testing

/// Albums with ordered tracks, a cover each, friends without an inverse, and a class that watches its own undoing.
private enum Albums {
  static let model: NSManagedObjectModel = {
    let (album, track, cover) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
    (album.name, track.name, cover.name) = ("Album", "Track", "Cover")
    track.managedObjectClassName = NSStringFromClass(WatchedTrack.self)
    let tracks = relationship("tracks", to: track, most: 0)
    tracks.isOrdered = true
    let home = relationship("album", to: album, most: 1)
    let front = relationship("cover", to: cover, most: 1)
    let cased = relationship("album", to: album, most: 1)
    (tracks.inverseRelationship, home.inverseRelationship) = (home, tracks)
    (front.inverseRelationship, cased.inverseRelationship) = (cased, front)
    album.properties = [name(), tracks, front]
    track.properties = [name(), home]
    cover.properties = [name(), cased]
    let model = NSManagedObjectModel()
    model.entities = [album, track, cover]
    return model
  }()

  private static func name() -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType) = ("name", .stringAttributeType)
    return attribute
  }

  private static func relationship(_ name: String, to entity: NSEntityDescription, most: Int)
    -> NSRelationshipDescription
  {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity, relationship.maxCount) = (name, entity, most)
    relationship.deleteRule = .nullifyDeleteRule
    return relationship
  }
}

final class WatchedTrack: NSManagedObject {
  var awakened: [NSSnapshotEventType] = []
  var insertions = 0
  var settings = 0
  override func awakeFromInsert() { insertions += 1 }
  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
    super.awake(fromSnapshotEvents: flags)
    awakened.append(flags)
  }
  override func setValue(_ value: Any?, forKey key: String) {
    settings += 1
    super.setValue(value, forKey: key)
  }
}

@MainActor @Suite struct UndoTests {
  /// A context whose every `processPendingChanges` is a group of its own.
  private func context(_ store: Store, _ model: NSManagedObjectModel = World.model) throws -> NSManagedObjectContext {
    let container = try store.container(model: model)
    container.viewContext.undoManager = UndoManager()
    container.viewContext.undoManager?.groupsByEvent = false
    return container.viewContext
  }

  private func members(_ object: NSManagedObject, _ key: String) -> Set<NSManagedObject> {
    object.value(forKey: key) as? Set<NSManagedObject> ?? []
  }

  private func step(_ context: NSManagedObjectContext, _ body: () throws -> Void) rethrows {
    try body()
    context.processPendingChanges()
  }

  @Test(arguments: Store.every)
  func contextHasNoUndoUnlessItIsGivenAManager(_ store: Store) throws {
    let container = try store.container()
    #expect(container.viewContext.undoManager == nil && container.newBackgroundContext().undoManager == nil)
    let quake = container.viewContext.insert("Quake", ["code": "a"])
    container.viewContext.undo()
    container.viewContext.redo()
    #expect(quake.isInserted)
  }

  @Test(arguments: Store.every)
  func updateIsUndoneAndRedone(_ store: Store) throws {
    let context = try context(store)
    let quake = context.insert("Quake", ["code": "a", "place": "Tonga", "magnitude": 1.0])
    try context.save()
    context.undoManager?.removeAllActions()
    step(context) {
      quake.setValue("Chile", forKey: "place")
      quake.setValue("Peru", forKey: "place")
      quake.setValue(nil, forKey: "magnitude")
    }
    step(context) { quake.setValue(7, forKey: "felt") }
    #expect(context.undoManager?.undoCount == 2)
    context.undo()
    #expect(quake.value(forKey: "felt") == nil && quake.value(forKey: "place") as? String == "Peru")
    #expect(quake.isUpdated)
    context.undo()
    #expect(quake.value(forKey: "place") as? String == "Tonga" && quake.value(forKey: "magnitude") as? Double == 1)
    #expect(!context.hasChanges && !quake.isUpdated)
    context.redo()
    context.redo()
    #expect(quake.value(forKey: "place") as? String == "Peru" && quake.value(forKey: "magnitude") == nil)
    #expect(quake.value(forKey: "felt") as? Int == 7)
    try context.save()
    context.reset()
    #expect(try context.fetch("Quake", "place == 'Peru' AND felt == 7").count == 1)
  }

  @Test(arguments: Store.every)
  func undoTakesChangesThatWereNotProcessed(_ store: Store) throws {
    let context = try context(store)
    let quake = context.insert("Quake", ["code": "a"])
    try context.save()
    quake.setValue("Chile", forKey: "place")
    context.undoManager?.undo()
    #expect(quake.value(forKey: "place") == nil)
    quake.setValue("Peru", forKey: "place")
    #expect(context.undoManager?.canUndo == true && context.undoManager?.canRedo == false)
  }

  @Test(arguments: Store.every)
  func insertionIsUndoneAndRedone(_ store: Store) throws {
    let context = try context(store)
    let region = context.insert("Region", ["name": "Tonga"])
    try context.save()
    nonisolated(unsafe) var told: [[AnyHashable: Any]] = []
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { told.append($0.userInfo ?? [:]) }
    defer { NotificationCenter.default.removeObserver(observer) }
    var quake: NSManagedObject!
    step(context) { quake = context.insert("Quake", ["code": "a", "magnitude": 5.0, "region": region]) }
    let id = quake.objectID
    context.undo()
    #expect(quake.managedObjectContext == nil && members(region, "quakes").isEmpty && !context.hasChanges)
    #expect(told.last?[NSDeletedObjectsKey] as? Set<NSManagedObject> == [quake!])
    context.redo()
    #expect(quake.isInserted && quake.managedObjectContext === context && quake.objectID == id)
    #expect(told.last?[NSInsertedObjectsKey] as? Set<NSManagedObject> == [quake!])
    #expect(members(region, "quakes") == [quake] && quake.value(forKey: "region") as? NSManagedObject === region)
    #expect(quake.value(forKey: "magnitude") as? Double == 5)
    try context.save()
    context.reset()
    #expect(try context.fetch("Quake", "region.name == 'Tonga'").count == 1)
  }

  @Test(arguments: Store.every)
  func undoneInsertionTakesNothingAlong(_ store: Store) throws {
    let context = try context(store)
    let quake = context.insert("Quake", ["code": "a"])
    try context.save()
    var region: NSManagedObject!
    step(context) {
      region = context.insert("Region", ["name": "Tonga"])
      quake.setValue(region, forKey: "region")
    }
    context.undo()
    #expect(region.managedObjectContext == nil && quake.managedObjectContext === context && !quake.isDeleted)
    #expect(quake.value(forKey: "region") == nil && !context.hasChanges)
    context.redo()
    #expect(quake.value(forKey: "region") as? NSManagedObject === region && members(region, "quakes") == [quake])
  }

  @Test(arguments: Store.every)
  func deletionIsUndoneWithAllThatFellWithIt(_ store: Store) throws {
    let context = try context(store)
    let region = context.insert("Region", ["name": "Tonga"])
    let tag = context.insert("Tag", ["name": "red"])
    let quake = context.insert("Quake", ["code": "a", "region": region, "tags": NSSet(object: tag)])
    try context.save()
    step(context) { context.delete(region) }
    #expect(quake.isDeleted && members(tag, "quakes").isEmpty)
    context.undo()
    #expect(!region.isDeleted && !quake.isDeleted && context.deletedObjects.isEmpty)
    #expect(members(region, "quakes") == [quake] && members(tag, "quakes") == [quake])
    #expect(members(quake, "tags") == [tag] && !context.hasChanges)
    context.redo()
    #expect(context.deletedObjects == [region, quake] && members(tag, "quakes").isEmpty)
    context.undo()
    try context.save()
    context.reset()
    #expect(try context.fetch("Quake", "region.name == 'Tonga' AND ANY tags.name == 'red'").count == 1)
  }

  @Test(arguments: Store.every)
  func unsavedOwnerComesBackWithItsMembers(_ store: Store) throws {
    let context = try context(store)
    let quake = context.insert("Quake", ["code": "a"])
    try context.save()
    let region = context.insert("Region", ["name": "Tonga"])
    quake.setValue(region, forKey: "region")
    context.processPendingChanges()
    step(context) { context.delete(region) }
    #expect(quake.isDeleted && region.managedObjectContext == nil)
    context.undo()
    #expect(members(region, "quakes") == [quake] && quake.value(forKey: "region") as? NSManagedObject === region)
    try context.save()
    context.reset()
    #expect(try context.fetch("Quake", "region.name == 'Tonga'").count == 1)
  }

  @Test(arguments: Store.every)
  func undoOfASavedDeletionInsertsAnew(_ store: Store) throws {
    let context = try context(store)
    let region = context.insert("Region", ["name": "Tonga"])
    let tag = context.insert("Tag", ["name": "red"])
    let quake = context.insert(
      "Quake", ["code": "a", "place": "here", "region": region, "tags": NSSet(object: tag)])
    try context.save()
    let id = quake.objectID
    step(context) { context.delete(region) }
    try context.save()
    #expect(quake.managedObjectContext == nil && context.undoManager?.canUndo == true)
    context.undo()
    #expect(quake.isInserted && region.isInserted && quake.objectID.isTemporaryID && quake.objectID != id)
    #expect(members(region, "quakes") == [quake] && members(tag, "quakes") == [quake])
    try context.save()
    context.reset()
    let back = try context.fetch("Quake", "region.name == 'Tonga' AND ANY tags.name == 'red' AND place == 'here'")
    #expect(back.count == 1 && back.first?.objectID != id)
  }

  @Test(arguments: Store.every)
  func undoAfterASaveMakesNewChanges(_ store: Store) throws {
    let context = try context(store)
    let quake = context.insert("Quake", ["code": "a", "place": "Tonga"])
    try context.save()
    quake.setValue("Chile", forKey: "place")
    try context.save()
    context.undo()
    #expect(quake.value(forKey: "place") as? String == "Tonga" && quake.isUpdated)
    try context.save()
    context.undo()
    #expect(quake.isDeleted)
    try context.save()
    #expect(try context.fetch("Quake").isEmpty)
    context.redo()
    #expect(quake.isInserted)
    try context.save()
    context.reset()
    #expect(try context.fetch("Quake", "place == 'Tonga'").count == 1)
  }

  @Test(arguments: Store.every)
  func relationshipsGoBackOnBothEnds(_ store: Store) throws {
    let context = try context(store)
    let (tonga, chile) = (context.insert("Region"), context.insert("Region"))
    let (red, blue) = (context.insert("Tag"), context.insert("Tag"))
    let quake = context.insert("Quake", ["region": tonga, "tags": NSSet(object: red)])
    try context.save()
    step(context) {
      quake.setValue(chile, forKey: "region")
      quake.setValue(NSSet(array: [blue]), forKey: "tags")
    }
    context.undo()
    #expect(members(tonga, "quakes") == [quake] && members(chile, "quakes").isEmpty)
    #expect(quake.value(forKey: "region") as? NSManagedObject === tonga)
    #expect(members(quake, "tags") == [red] && members(red, "quakes") == [quake] && members(blue, "quakes").isEmpty)
    #expect(!context.hasChanges)
    context.redo()
    #expect(
      members(chile, "quakes") == [quake] && members(blue, "quakes") == [quake] && members(tonga, "quakes").isEmpty)
    #expect(members(quake, "tags") == [blue])
    try context.save()
    context.reset()
    let read = try #require(try context.fetch("Quake").first)
    #expect((read.value(forKey: "region") as? NSManagedObject)?.objectID == chile.objectID)
    #expect(members(read, "tags").map(\.objectID) == [blue.objectID])
  }

  @Test(arguments: Store.every)
  func relationshipOfAFaultGoesBackToo(_ store: Store) throws {
    let context = try context(store)
    let region = context.insert("Region", ["name": "Tonga"])
    let old = context.insert("Quake", ["region": region])
    let other = context.insert("Quake")
    try context.save()
    context.refresh(region, mergeChanges: false)
    context.processPendingChanges()
    step(context) { other.setValue(region, forKey: "region") }
    #expect(region.isFault)
    context.undo()
    #expect(members(region, "quakes") == [old] && other.value(forKey: "region") == nil && !context.hasChanges)
    context.redo()
    #expect(members(region, "quakes") == [old, other])
  }

  @Test(arguments: Store.every)
  func orderGoesBack(_ store: Store) throws {
    let context = try context(store, Albums.model)
    let album = context.insert("Album")
    let tracks = ["a", "b", "c"].map { context.insert("Track", ["name": $0]) }
    album.setValue(NSOrderedSet(array: tracks), forKey: "tracks")
    try context.save()
    func order() -> String {
      let now = (album.value(forKey: "tracks") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
      return now.compactMap { $0.value(forKey: "name") as? String }.joined()
    }
    step(context) { album.setValue(NSOrderedSet(array: tracks.reversed()), forKey: "tracks") }
    step(context) { tracks[1].setValue(nil, forKey: "album") }
    step(context) { context.delete(tracks[2]) }
    #expect(order() == "a")
    context.undo()
    #expect(order() == "ca")
    context.undo()
    #expect(order() == "cba")
    context.undo()
    #expect(order() == "abc")
    context.redo()
    #expect(order() == "cba")
    context.redo()
    #expect(order() == "ca")
    context.undo()
    try context.save()
    context.reset()
    let read = try #require(try context.fetch("Album").first?.value(forKey: "tracks") as? NSOrderedSet)
    #expect(read.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String } == ["c", "b", "a"])
  }

  @Test(arguments: Store.every)
  func oneToOneGoesBack(_ store: Store) throws {
    let context = try context(store, Albums.model)
    let (first, second) = (context.insert("Album"), context.insert("Album"))
    let cover = context.insert("Cover")
    cover.setValue(first, forKey: "album")
    try context.save()
    step(context) { second.setValue(cover, forKey: "cover") }
    #expect(first.value(forKey: "cover") == nil)
    context.undo()
    #expect(first.value(forKey: "cover") as? NSManagedObject === cover && second.value(forKey: "cover") == nil)
    #expect(cover.value(forKey: "album") as? NSManagedObject === first && !context.hasChanges)
  }

  @Test(arguments: Store.every)
  func objectsAwakeFromUndoWithoutTheirAccessors(_ store: Store) throws {
    let context = try context(store, Albums.model)
    let track = try #require(context.insert("Track", ["name": "a"]) as? WatchedTrack)
    try context.save()
    track.setValue("b", forKey: "name")
    let settings = track.settings
    context.undo()
    #expect(track.settings == settings && track.awakened == [.undoUpdate])
    step(context) { context.delete(track) }
    context.undo()
    #expect(track.awakened == [.undoUpdate, .undoDeletion])
    let new = try #require(context.insert("Track") as? WatchedTrack)
    context.undo()
    context.redo()
    #expect(new.awakened == [.undoInsertion, .undoDeletion] && new.insertions == 1)
  }

  @Test(arguments: Store.every)
  func changesWithRegistrationDisabledCannotBeUndone(_ store: Store) throws {
    let context = try context(store)
    let manager = try #require(context.undoManager)
    let quake = context.insert("Quake", ["place": "Tonga"])
    try context.save()
    manager.removeAllActions()
    step(context) { quake.setValue("Chile", forKey: "place") }
    context.processPendingChanges()
    manager.disableUndoRegistration()
    step(context) { quake.setValue(3.0, forKey: "magnitude") }
    manager.enableUndoRegistration()
    #expect(manager.undoCount == 1)
    context.undo()
    #expect(quake.value(forKey: "place") as? String == "Tonga" && quake.value(forKey: "magnitude") as? Double == 3)
    quake.setPrimitiveValue("silent", forKey: "place")
    context.processPendingChanges()
    #expect(!manager.canUndo)
  }

  @Test(arguments: Store.every)
  func explicitGroupTakesSeveralBatches(_ store: Store) throws {
    let context = try context(store)
    let manager = try #require(context.undoManager)
    let quake = context.insert("Quake", ["place": "Tonga"])
    try context.save()
    manager.removeAllActions()
    quake.setValue(1.0, forKey: "magnitude")
    manager.beginUndoGrouping()
    step(context) { quake.setValue("Chile", forKey: "place") }
    quake.setValue("Peru", forKey: "place")
    manager.setActionName("Move")
    manager.endUndoGrouping()
    #expect(manager.undoCount == 2 && manager.undoActionName == "Move")
    context.undo()
    #expect(quake.value(forKey: "place") as? String == "Tonga" && quake.value(forKey: "magnitude") as? Double == 1)
    #expect(manager.redoActionName == "Move")
    manager.levelsOfUndo = 1
    context.redo()
    #expect(quake.value(forKey: "place") as? String == "Peru" && manager.undoCount == 1)
  }

  @Test(arguments: Store.every)
  func eventOfAPrivateQueueIsOneGroup(_ store: Store) async throws {
    let context = try store.container().newBackgroundContext()
    context.undoManager = UndoManager()
    let quake = try await context.perform { [unowned context] in
      nonisolated(unsafe) let quake = context.insert("Quake", ["place": "Tonga"])
      try context.save()
      quake.setValue("Chile", forKey: "place")
      context.processPendingChanges()
      quake.setValue(2.0, forKey: "magnitude")
      return quake
    }
    nonisolated(unsafe) let shared = quake
    await context.perform { shared.setValue("Peru", forKey: "place") }
    context.performAndWait {
      #expect(context.undoManager?.groupingLevel == 0 && context.undoManager?.undoCount == 2)
      context.undo()
      #expect(shared.value(forKey: "place") as? String == "Chile")
      context.undo()
      #expect(shared.isDeleted && !context.undoManager!.canUndo)
    }
  }

  @Test(arguments: Store.every)
  func turnOfTheMainQueueIsOneGroup(_ store: Store) async throws {
    let context = try store.container().viewContext
    context.undoManager = UndoManager()
    let quake = context.insert("Quake", ["place": "Tonga"])
    await withCheckedContinuation { next in DispatchQueue.main.async { next.resume() } }
    #expect(context.undoManager?.undoCount == 1)
    quake.setValue("Chile", forKey: "place")
    context.processPendingChanges()
    quake.setValue("Peru", forKey: "place")
    await withCheckedContinuation { next in DispatchQueue.main.async { next.resume() } }
    context.undo()
    #expect(quake.value(forKey: "place") as? String == "Tonga" && quake.isInserted)
  }

  @Test(arguments: Store.every)
  func rollbackAndResetForgetWhatCouldBeUndone(_ store: Store) throws {
    let context = try context(store)
    let manager = try #require(context.undoManager)
    let quake = context.insert("Quake", ["place": "Tonga"])
    try context.save()
    step(context) { quake.setValue("Chile", forKey: "place") }
    let extra = context.insert("Quake")
    context.rollback()
    #expect(!manager.canUndo && !manager.canRedo && extra.managedObjectContext == nil)
    #expect(quake.value(forKey: "place") as? String == "Tonga")
    step(context) { quake.setValue("Chile", forKey: "place") }
    context.reset()
    #expect(!manager.canUndo)
  }

  @Test(arguments: Store.every)
  func mergedChangesAreNotUndone(_ store: Store) throws {
    let container = try store.container()
    let (context, other) = (container.viewContext, container.newBackgroundContext())
    context.undoManager = UndoManager()
    let quake = context.insert("Quake", ["place": "Tonga", "magnitude": 1.0])
    let doomed = context.insert("Quake", ["place": "x"])
    try context.save()
    let id = quake.objectID
    context.undoManager?.removeAllActions()
    quake.setValue("Chile", forKey: "place")
    doomed.setValue("y", forKey: "place")
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: other, queue: nil
    ) { context.mergeChanges(fromContextDidSave: $0) }
    defer { NotificationCenter.default.removeObserver(observer) }
    try other.performAndWait {
      try other.existingObject(with: id).setValue(2.0, forKey: "magnitude")
      other.delete(try other.existingObject(with: doomed.objectID))
      try other.save()
    }
    context.undo()
    #expect(quake.value(forKey: "place") as? String == "Tonga" && quake.value(forKey: "magnitude") as? Double == 2)
    #expect(doomed.managedObjectContext == nil && context.undoManager?.canUndo == false)
    try context.save()
  }

  @Test(arguments: Store.every)
  func saveOfAChildIsUndoneInTheParent(_ store: Store) throws {
    let parent = try context(store)
    let quake = parent.insert("Quake", ["place": "Tonga"])
    try parent.save()
    let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    child.parent = parent
    try child.existingObject(with: quake.objectID).setValue("Chile", forKey: "place")
    _ = child.insert("Quake", ["place": "new"])
    try child.save()
    #expect(quake.value(forKey: "place") as? String == "Chile" && parent.insertedObjects.count == 1)
    parent.undo()
    #expect(quake.value(forKey: "place") as? String == "Tonga" && parent.insertedObjects.isEmpty)
    #expect(!parent.hasChanges)
  }

  /// Random changes in random batches: undoing them all leads back, redoing them all leads forth.
  @Test(arguments: Store.every)
  func everyChangeLeadsBackAndForth(_ store: Store) throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SplitMix(state: seed)
    let context = try context(store)
    let manager = try #require(context.undoManager)
    for number in 0..<6 {
      _ = context.insert("Quake", ["code": "q\(number)"])
      _ = context.insert("Region", ["name": "r\(number)"])
      _ = context.insert("Tag", ["name": "t\(number)"])
    }
    try context.save()
    manager.removeAllActions()
    var pictures = [try picture(context)]
    for round in 0..<40 {
      let before = manager.undoCount
      manager.beginUndoGrouping()
      for _ in 0..<Int.random(in: 1...4, using: &random) { try change(context, round, &random) }
      manager.endUndoGrouping()
      if manager.undoCount > before { pictures.append(try picture(context)) }
      if Int.random(in: 0..<6, using: &random) == 0 { try context.save() }
    }
    for place in (0..<pictures.count - 1).reversed() {
      context.undo()
      #expect(try picture(context) == pictures[place], "undo to \(place), seed \(seed)")
    }
    for place in 1..<pictures.count {
      context.redo()
      #expect(try picture(context) == pictures[place], "redo to \(place), seed \(seed)")
      if place % 7 == 0 { try context.save() }
    }
    try context.save()
    context.reset()
    #expect(try picture(context) == pictures.last, "saved, seed \(seed)")
  }

  private func change(_ context: NSManagedObjectContext, _ round: Int, _ random: inout SplitMix) throws {
    func any(_ entity: String) throws -> NSManagedObject? {
      let key = entity == "Quake" ? "code" : "name"
      return try context.fetch(entity, sort: [NSSortDescriptor(key: key, ascending: true)]).randomElement(
        using: &random)
    }
    switch Int.random(in: 0..<9, using: &random) {
    case 0: _ = context.insert("Quake", ["code": "n\(random.next())"])
    case 1: _ = context.insert("Region", ["name": "n\(random.next())"])
    case 2: if Bool.random(using: &random) { try any("Region").map(context.delete) }
    case 3: try any("Quake").map(context.delete)
    case 4: try any("Tag").map { if Int.random(in: 0..<4, using: &random) == 0 { context.delete($0) } }
    case 5: try any("Quake")?.setValue(try any("Region"), forKey: "region")
    case 6:
      let tags = [try any("Tag"), try any("Tag")].compactMap { $0 }
      try any("Quake")?.setValue(NSSet(array: tags), forKey: "tags")
    case 7: try any("Quake")?.setValue("\(round)", forKey: "place")
    default: try any("Tag")?.setValue(NSSet(array: [try any("Quake")].compactMap { $0 }), forKey: "quakes")
    }
  }

  /// All objects with their values and relationships, by name.
  private func picture(_ context: NSManagedObjectContext) throws -> Set<String> {
    func name(_ object: NSManagedObject?) -> String {
      object.flatMap { $0.value(forKey: $0.entity.name == "Quake" ? "code" : "name") as? String } ?? "-"
    }
    func names(_ object: NSManagedObject, _ key: String) -> String {
      members(object, key).map(name).sorted().joined(separator: ",")
    }
    var lines: Set<String> = []
    for quake in try context.fetch("Quake") {
      let region = name(quake.value(forKey: "region") as? NSManagedObject)
      lines.insert("\(name(quake)) \(quake.value(forKey: "place") ?? "-") \(region) \(names(quake, "tags"))")
    }
    for region in try context.fetch("Region") { lines.insert("\(name(region)): \(names(region, "quakes"))") }
    for tag in try context.fetch("Tag") { lines.insert("\(name(tag)): \(names(tag, "quakes"))") }
    return lines
  }
}

/// Random numbers that a seed repeats.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension Store {
  /// A container for another model.
  func container(model: NSManagedObjectModel) throws -> NSPersistentContainer {
    if model === World.model { return try container() }
    let container = NSPersistentContainer(name: "Other", managedObjectModel: model)
    let folder = try TemporaryFolder.make()
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Other.sqlite"))
    description.type = rawValue
    container.persistentStoreDescriptions = [description]
    try container.load()
    return container
  }
}
