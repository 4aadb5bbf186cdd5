import CoreData
import Foundation
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// `.NSPersistentStoreRemoteChange`.
@Suite struct RemoteChangeTests {
  /// Collects a coordinator's notifications.
  private final class Ear: Sendable {
    struct Note: Sendable {
      var store: String?
      var url: URL?
      var token: NSPersistentHistoryToken?
    }

    private let notes = Mutex<[Note]>([])
    nonisolated(unsafe) private var observer: (any NSObjectProtocol)?

    init(_ container: NSPersistentContainer) {
      observer = NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange, object: container.persistentStoreCoordinator, queue: nil
      ) { [notes = Reference(self)] note in
        let heard = Note(
          store: note.userInfo?[NSStoreUUIDKey] as? String, url: note.userInfo?[NSPersistentStoreURLKey] as? URL,
          token: note.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
        notes.ear?.notes.withLock { $0.append(heard) }
      }
    }

    private struct Reference: Sendable {
      weak var ear: Ear?
      init(_ ear: Ear) { self.ear = ear }
    }

    deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }

    var heard: [Note] { notes.withLock { $0 } }

    func wait(until condition: ([Note]) -> Bool) -> Bool {
      let end = Date(timeIntervalSinceNow: 120)
      while Date() < end, !condition(heard) { usleep(2_000) }
      return condition(heard)
    }
  }

  @Test func `commits of other coordinators are posted`() throws {
    let listening = try QuakeHistory.container(remote: true)
    let ear = Ear(listening)
    let other = try QuakeHistory.container(at: listening.url)
    for number in 0..<5 { try other.save("\(number)") }
    #expect(ear.wait { $0.last?.token == other.token }, "\(ear.heard)")
    let store = listening.persistentStoreCoordinator.persistentStores[0]
    #expect(ear.heard.allSatisfy { $0.store == store.identifier && $0.url == listening.url })
    let tokens = ear.heard.compactMap(\.token)
    #expect(tokens.count == ear.heard.count)
    for token in tokens { #expect(try !other.transactions(.fetchHistory(after: token)).contains { $0.token == token }) }
  }

  @Test func `own commits are posted`() throws {
    let container = try QuakeHistory.container(remote: true)
    let ear = Ear(container)
    try container.save("a")
    #expect(ear.wait { $0.last?.token == container.token }, "\(ear.heard)")
  }

  @Test func `without the option nothing is posted`() throws {
    let container = try QuakeHistory.container()
    let listening = try QuakeHistory.container(at: container.url, remote: true)
    let (deaf, hearing) = (Ear(container), Ear(listening))
    try container.save("a")
    #expect(hearing.wait { !$0.isEmpty })
    #expect(deaf.heard.isEmpty)
  }

  @Test func `a store without history posts changes without a token`() throws {
    let listening = try QuakeHistory.container(history: false, remote: true)
    let ear = Ear(listening)
    let other = try QuakeHistory.container(at: listening.url, history: false)
    try other.save("a")
    #expect(ear.wait { $0.count == 1 }, "\(ear.heard)")
    #expect(ear.heard.first?.store != nil && ear.heard.first?.url == listening.url && ear.heard.first?.token == nil)
    try listening.save("b")
    #expect(ear.wait { $0.count >= 2 }, "\(ear.heard)")
  }
}
