import CoreData
import Foundation
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// History tokens: comparison, archiving, several stores, expiry.
@Suite struct HistoryTokenTests {
  private func archived(_ token: NSPersistentHistoryToken) throws -> NSPersistentHistoryToken {
    let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data))
  }

  @Test func `a new store has a token and no transactions`() throws {
    let container = try QuakeHistory.container()
    let token = try #require(container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil))
    #expect(try container.transactions(.fetchHistory(after: token)).isEmpty)
    try container.save("a")
    #expect(try container.transactions(.fetchHistory(after: token)).count == 1)
  }

  @Test func `tokens of one position are equal in all coordinators`() throws {
    let container = try QuakeHistory.container()
    let other = try QuakeHistory.container(at: container.url)
    let before = container.token
    try container.save("a")
    #expect(before != container.token)
    #expect(container.token == other.token && container.token.hash == other.token.hash)
    #expect(container.token.copy() as? NSPersistentHistoryToken == container.token)
  }

  @Test(arguments: [true, false], [1, 2])
  func `the notification of a save has its token`(history: Bool, stores: Int) throws {
    let container = try QuakeHistory.container(history: history)
    if stores == 2 {
      try container.persistentStoreCoordinator.addPersistentStore(
        type: .sqlite, at: TemporaryFolder.make().appendingPathComponent("Other.sqlite"),
        options: history ? [NSPersistentHistoryTrackingKey: true as NSNumber] : nil)
    }
    let context = container.newBackgroundContext()
    let tokens = Mutex<[NSPersistentHistoryToken?]>([])
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: context, queue: nil
    ) { note in
      tokens.withLock { $0.append(note.userInfo?["newChangeToken"] as? NSPersistentHistoryToken) }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try context.performAndWait {
      for store in container.persistentStoreCoordinator.persistentStores {
        context.assign(context.insert("Quake", ["code": "a"]), to: store)
      }
      try context.save()
      // A save without changes makes no transaction.
      try context.save()
    }
    #expect(tokens.withLock { $0 } == [history ? container.token : nil, nil])
  }

  @Test func `the token of a save to one of two stores has a position in both`() throws {
    let container = try QuakeHistory.container()
    try container.persistentStoreCoordinator.addPersistentStore(
      type: .sqlite, at: TemporaryFolder.make().appendingPathComponent("Other.sqlite"),
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let context = container.newBackgroundContext()
    let token = Mutex<NSPersistentHistoryToken?>(nil)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: context, queue: nil
    ) { note in
      token.withLock { $0 = note.userInfo?["newChangeToken"] as? NSPersistentHistoryToken }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try context.performAndWait {
      _ = context.insert("Quake", ["code": "a"])
      try context.save()
    }
    let found = try #require(token.withLock { $0 })
    #expect(try container.transactions(.fetchHistory(after: found)).isEmpty)
  }

  @Test func `a token can be archived`() throws {
    let container = try QuakeHistory.container()
    try container.save("a")
    let token = try container.transactions(.fetchHistory(after: Date.distantPast))[0].token
    try container.save("b")
    #expect(NSPersistentHistoryToken.supportsSecureCoding)
    #expect(try archived(token) == token)
    #expect(try container.transactions(.fetchHistory(after: archived(token))).map(\.transactionNumber) == [2])
    let later = try QuakeHistory.container(at: container.url)
    #expect(try later.transactions(.fetchHistory(after: archived(token))).count == 1)
  }

  @Test func `a token has a position in each store`() throws {
    let container = NSPersistentContainer(name: "Two", managedObjectModel: QuakeHistory.model)
    let folder = try TemporaryFolder.make()
    container.persistentStoreDescriptions = ["One", "Two"].map {
      let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("\($0).sqlite"))
      description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
      return description
    }
    try container.load()
    let coordinator = container.persistentStoreCoordinator
    let stores = coordinator.persistentStores
    let start = container.token
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for (code, store) in [("a", 0), ("b", 1), ("c", 0), ("d", 1)] {
        context.assign(context.insert("Quake", ["code": code]), to: stores[store])
        try context.save()
      }
    }
    let all = try container.transactions(.fetchHistory(after: start))
    #expect(all.map(\.storeID) == [0, 1, 0, 1].map { stores[$0].identifier }, "by time")
    #expect(all.map(\.transactionNumber) == [1, 1, 2, 2])
    #expect(try container.transactions(.fetchHistory(after: archived(container.token))).isEmpty)
    let second = NSPersistentHistoryChangeRequest.fetchHistory(after: start)
    second.affectedStores = [stores[1]]
    #expect(try container.transactions(second).map(\.transactionNumber) == [1, 2])
    #expect(try container.transactions(.fetchHistory(after: all[1])) == [all[3]], "A transaction belongs to one store.")
    let one = try #require(coordinator.currentPersistentHistoryToken(fromStores: [stores[0]]))
    let alone = NSPersistentHistoryChangeRequest.fetchHistory(after: one)
    alone.affectedStores = [stores[0]]
    #expect(try container.transactions(alone).isEmpty)
    let error = #expect(throws: CocoaError.self) { try container.transactions(.fetchHistory(after: one)) }
    #expect(error?.code.rawValue == NSPersistentHistoryTokenExpiredError)
  }

  @Test func `a token of another store is refused`() throws {
    let (container, stranger) = (try QuakeHistory.container(), try QuakeHistory.container())
    try stranger.save("a")
    let error = #expect(throws: CocoaError.self) {
      try container.transactions(.fetchHistory(after: stranger.token))
    }
    #expect(error?.code.rawValue == NSPersistentHistoryTokenExpiredError)
    let foreign = try stranger.transactions(.fetchHistory(after: Date.distantPast))[0]
    #expect(throws: CocoaError.self) { try container.transactions(.fetchHistory(after: foreign)) }
  }

  @Test func `a token from before a purge has expired`() throws {
    let container = try QuakeHistory.container()
    let tokens = try (0..<4).map { number in
      try container.save("\(number)")
      return container.token
    }
    #expect(try container.history(.deleteHistory(before: tokens[2]), as: Bool.self))
    let error = #expect(throws: CocoaError.self) { try container.transactions(.fetchHistory(after: tokens[0])) }
    #expect(error?.code.rawValue == NSPersistentHistoryTokenExpiredError)
    #expect(error?.localizedDescription.contains("were purged") == true)
    let help = error?.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String
    #expect(help?.contains("currentPersistentHistoryToken") == true)
    #expect(try container.transactions(.fetchHistory(after: tokens[1])).count == 2, "No later transaction was purged.")
    #expect(try container.transactions(.fetchHistory(after: tokens[2])).count == 1)
    #expect(try container.transactions(.fetchHistory(after: Date.distantPast)).count == 2)
  }

  @Test func `a token of a newer copy has expired after a restore`() throws {
    let container = try QuakeHistory.container()
    try container.save("a")
    let folder = try TemporaryFolder.make()
    let coordinator = container.persistentStoreCoordinator
    let copy = folder.appendingPathComponent("Copy.sqlite")
    try coordinator.replacePersistentStore(at: copy, withPersistentStoreFrom: container.url, ofType: NSSQLiteStoreType)
    try container.save("b")
    let last = try container.transactions(.fetchHistory(after: Date.distantPast))[1].token
    let older = try QuakeHistory.container(at: copy)
    let ahead = #expect(throws: CocoaError.self) { try older.transactions(.fetchHistory(after: last)) }
    #expect(ahead?.localizedDescription.contains("is ahead of it") == true)
    Thread.sleep(forTimeInterval: 0.01)
    try older.save("c")
    let replaced = #expect(throws: CocoaError.self) { try older.transactions(.fetchHistory(after: last)) }
    #expect(replaced?.code.rawValue == NSPersistentHistoryTokenExpiredError)
  }
}
