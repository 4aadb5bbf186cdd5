import CoreData
import Foundation

/// A store that several processes open simultaneously with a newer model: `old` creates it; `migrate` and `stage` wait for
/// a file `go` next to it, migrate it, and print the number of rows and the sum of their values.
enum Migrant {
  private static let stagedNote = "staged"

  static func make(in folder: URL, _ count: Int) throws {
    let context = try open(in: folder, model(isNew: false), options: [:])
    try context.performAndWait {
      for number in 0..<count {
        let event = NSEntityDescription.insertNewObject(
          forEntityName: number % 2 == 0 ? "Event" : "Alarm", into: context)
        event.setValue(number, forKey: "number")
        event.setValue("text of the event \(number), of some length", forKey: "note")
      }
      try context.save()
    }
  }

  /// - Parameter staged: whether to include a custom migration stage, which counts its executions.
  static func migrate(in folder: URL, staged: Bool) throws {
    StoreProbe.printLine("ready")
    while access(folder.appendingPathComponent("go").path, F_OK) != 0 { usleep(200) }
    var options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
      NSInferMappingModelAutomaticallyOption: true as NSNumber,
    ]
    if staged { options[NSPersistentStoreStagedMigrationManagerOptionKey] = stages() }
    let context = try open(in: folder, model(isNew: true), options: options)
    try context.performAndWait {
      let events = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Event"))
      let alarms = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Alarm"))
      let numbers = (events + alarms).compactMap { $0.value(forKey: "number") as? Int }
      let titles = (events + alarms).compactMap { $0.value(forKey: "title") as? String }
      let staged = titles.filter { $0.components(separatedBy: stagedNote).count == 2 }
      StoreProbe.printLine("\(events.count) \(alarms.count) \(numbers.reduce(0, +)) \(staged.count)")
    }
  }

  private static func stages() -> NSStagedMigrationManager {
    let (old, new) = (model(isNew: false), model(isNew: true))
    let stage = NSCustomMigrationStage(
      migratingFrom: NSManagedObjectModelReference(model: old, versionChecksum: old.versionChecksum),
      to: NSManagedObjectModelReference(model: new, versionChecksum: new.versionChecksum))
    // Repeated execution would be visible.
    stage.willMigrateHandler = { manager, _ in
      guard let context = manager.container?.newBackgroundContext() else { return }
      try context.performAndWait {
        for event in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Event")) {
          event.setValue("\(event.value(forKey: "note") ?? "") \(stagedNote)", forKey: "note")
        }
        try context.save()
      }
    }
    return NSStagedMigrationManager([stage])
  }

  private static func open(
    in folder: URL, _ model: NSManagedObjectModel, options: [AnyHashable: Any]
  ) throws -> NSManagedObjectContext {
    var options = options
    options[NSPersistentHistoryTrackingKey] = true as NSNumber
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      type: .sqlite, at: folder.appendingPathComponent("Migrant.sqlite"), options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// In the new version an alarm is a separate entity, so that its rows are copied, and the note is renamed to title.
  static func model(isNew: Bool) -> NSManagedObjectModel {
    func attributes() -> [NSAttributeDescription] {
      let (number, text) = (NSAttributeDescription(), NSAttributeDescription())
      (number.name, number.attributeType) = ("number", .integer64AttributeType)
      (text.name, text.attributeType) = (isNew ? "title" : "note", .stringAttributeType)
      text.renamingIdentifier = isNew ? "note" : nil
      return [number, text]
    }
    let (event, alarm) = (NSEntityDescription(), NSEntityDescription())
    (event.name, alarm.name) = ("Event", "Alarm")
    event.properties = attributes()
    if isNew { alarm.properties = attributes() } else { event.subentities = [alarm] }
    let model = NSManagedObjectModel()
    model.entities = [event, alarm]
    return model
  }
}
