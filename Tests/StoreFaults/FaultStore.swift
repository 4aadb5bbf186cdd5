import CoreData
import Foundation
import StrataCSQLite
import StrataTestSupport
import Synchronization

/// A store with a known sequence of commits, used through the public API.
///
/// Commit k inserts three notes of batch k, sets a counter to k, and deletes one note of the previous batch. The contents
/// show which commits the store has, and whether each is complete. Commits of several threads have negative numbers, and
/// insert only notes.
final class FaultStore {
  let folder: URL
  let options: [AnyHashable: Any]
  private var coordinator: NSPersistentStoreCoordinator?
  private(set) var context: NSManagedObjectContext?
  /// The commits whose save returned.
  private(set) var acknowledged: Set<Int>
  /// The number of attempted commits.
  private(set) var attempted: Int
  /// Whether each commit replaces a large value in an external data file.
  var hasLargeData = false

  var url: URL { folder.appendingPathComponent("Faults.sqlite") }

  init(_ folder: URL, options: [AnyHashable: Any] = [:], acknowledged: Set<Int> = []) throws {
    self.folder = folder
    self.acknowledged = acknowledged
    attempted = acknowledged.max() ?? 0
    var all: [AnyHashable: Any] = [
      NSPersistentHistoryTrackingKey: true as NSNumber, NSPersistentStoreTimeoutOption: 5 as NSNumber,
      NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
      NSInferMappingModelAutomaticallyOption: true as NSNumber,
    ]
    all.merge(options) { _, own in own }
    self.options = all
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func open(isNewModel: Bool = false) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model(isNew: isNewModel))
    try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    self.coordinator = coordinator
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context?.persistentStoreCoordinator = coordinator
  }

  func close() throws {
    context = nil
    defer { coordinator = nil }
    for store in coordinator?.persistentStores ?? [] { try coordinator?.remove(store) }
  }

  /// Continues after the commits in the store, including those of other processes.
  func adopt() throws {
    acknowledged = try commits()
    attempted = acknowledged.max() ?? 0
  }

  /// - Parameter weight: the bytes of text in each note, for commits of many pages.
  func commit(weight: Int = 20) throws {
    guard let context else { throw CocoaError(.persistentStoreOpen) }
    let number = attempted + 1
    attempted = number
    try context.performAndWait {
      do {
        Self.insertNotes(of: number, weight: weight, into: context)
        let counters = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Counter"))
        let counter =
          counters.first ?? NSEntityDescription.insertNewObject(forEntityName: "Counter", into: context)
        counter.setValue(number, forKey: "value")
        if hasLargeData { counter.setValue(Self.data(of: number), forKey: "data") }
        let before = NSFetchRequest<NSManagedObject>(entityName: "Note")
        before.predicate = NSPredicate(format: "batch == %d AND number == 2", number - 1)
        for note in try context.fetch(before) { context.delete(note) }
        try context.save()
      } catch {
        context.rollback()
        throw error
      }
    }
    acknowledged.insert(number)
  }

  private static func insertNotes(of number: Int, weight: Int, into context: NSManagedObjectContext) {
    for note in 0..<3 {
      let new = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      new.setValue(number, forKey: "batch")
      new.setValue(note, forKey: "number")
      new.setValue(text(of: number, count: weight / 3), forKey: "text")
    }
  }

  /// Saves on several threads, which this one keeps from writing until all wait, so that one COMMIT makes all saves.
  /// - Throws: the error of one of those that failed.
  func commitTogether(_ count: Int) throws {
    guard let coordinator else { throw CocoaError(.persistentStoreOpen) }
    let (ended, willSave) = (DispatchGroup(), DispatchSemaphore(value: 0))
    let results = Mutex((saved: Set<Int>(), failure: (any Error)?.none))
    let first = (acknowledged.min().map { min(0, $0) } ?? 0) - 1
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextWillSave, object: nil, queue: nil
    ) { _ in willSave.signal() }
    defer { NotificationCenter.default.removeObserver(observer) }
    let lock = try HeldWriterLock(of: url)
    for number in 0..<count {
      ended.enter()
      Thread.detachNewThread {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        do {
          try context.performAndWait {
            Self.insertNotes(of: first - number, weight: 20, into: context)
            try context.save()
          }
          results.withLock { _ = $0.saved.insert(first - number) }
        } catch {
          results.withLock { $0.failure = error }
        }
        // A save that fails early has no notification.
        willSave.signal()
        ended.leave()
      }
    }
    for _ in 0..<count { willSave.wait() }
    // From the notification to the queue.
    usleep(50_000)
    lock.release()
    ended.wait()
    let (saved, failure) = results.withLock { $0 }
    acknowledged.formUnion(saved)
    if let failure { throw failure }
  }

  /// The numbers of the commits in the store.
  /// - Throws: if a commit is incomplete.
  func commits() throws -> Set<Int> {
    guard let context else { throw CocoaError(.persistentStoreOpen) }
    return try context.performAndWait {
      context.reset()
      var notes: [Int: Set<Int>] = [:]
      for note in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) {
        let (batch, number) = (note.value(forKey: "batch") as? Int ?? 0, note.value(forKey: "number") as? Int ?? 0)
        notes[batch, default: []].insert(number)
        guard (note.value(forKey: "text") as? String)?.hasPrefix("\(batch) ") == true else {
          throw Damage("a note of the commit \(batch) has a wrong text")
        }
      }
      for (batch, numbers) in notes {
        let isFollowed = batch > 0 && notes[batch + 1] != nil
        guard numbers == (isFollowed ? [0, 1] : [0, 1, 2]) else {
          throw Damage("the commit \(batch) has the notes \(numbers.sorted()); the next one exists: \(isFollowed)")
        }
      }
      let counter = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Counter")).first
      let value = counter?.value(forKey: "value") as? Int ?? 0
      let newest = max(0, notes.keys.max() ?? 0)
      guard value == newest else { throw Damage("the counter is \(value) after \(newest)") }
      if hasLargeData, let counter {
        guard counter.value(forKey: "data") as? Data == Self.data(of: value) else {
          throw Damage("the data of the commit \(value) are lost")
        }
      }
      return Set(notes.keys)
    }
  }

  /// Checks that a reopened store has only the newest value's file.
  func checkDataFiles() throws {
    let folder = self.folder.appendingPathComponent(".Faults_SUPPORT/_EXTERNAL_DATA").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard files.count == 1 else { throw Damage("the store has \(files.count) files with large data, not 1") }
  }

  /// Checks that every note has its text after the migration.
  func checkMigrated(commits: Int) throws {
    guard let context else { throw CocoaError(.persistentStoreOpen) }
    let whole = try context.performAndWait {
      let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      return notes.filter { ($0.value(forKey: "words") as? String)?.isEmpty == false }.count
    }
    guard whole == commits * 2 + 1 else {
      throw Damage("after the migration there are \(whole) notes of \(commits * 2 + 1)")
    }
  }

  /// Purges the history that all readers have read.
  func purge() throws {
    for store in coordinator?.persistentStores ?? [] { try HistoryFollower.purgeHistory(of: store) }
  }

  /// Repeats the number, in blocks: appending a million times would take half of a victim's run time.
  private static func text(of number: Int, count: Int) -> String {
    let word = "\(number) "
    let block = String(repeating: word, count: 1_000)
    return String(repeating: block, count: count / 1_000) + String(repeating: word, count: count % 1_000)
  }

  private static func data(of number: Int) -> Data { Data(repeating: UInt8(number & 255), count: 120_000) }

  /// Runs SQLite's integrity check.
  func checkIntegrity() throws {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    guard sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw Damage("the file cannot be opened")
    }
    sqlite3_wal_autocheckpoint(handle, 0)
    strata_set_checkpoint_on_close(handle, 0)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    sqlite3_prepare_v2(handle, "PRAGMA integrity_check", -1, &statement, nil)
    guard sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0) else {
      throw Damage("the file cannot be checked")
    }
    guard String(cString: text) == "ok" else { throw Damage("integrity_check: \(String(cString: text))") }
  }

  struct Damage: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  private static func model(isNew: Bool) -> NSManagedObjectModel {
    makeModel(
      makeEntity(
        "Note",
        [
          attribute("batch", .integer64), attribute("number", .integer64),
          isNew ? attribute("words", was: "text") : attribute("text"),
        ]),
      makeEntity(
        "Counter",
        [attribute("value", .integer64), attribute("data", .binaryData, external: true)]
          + (isNew ? [attribute("note")] : [])))
  }
}
