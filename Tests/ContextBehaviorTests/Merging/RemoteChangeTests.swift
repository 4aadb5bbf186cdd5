import CoreData
import Foundation
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// The notification `.NSPersistentStoreRemoteChange`.
@Suite struct RemoteChangeTests {
  /// Collects a coordinator's notifications.
  private final class Recorder: Sendable {
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
        let received = Note(
          store: note.userInfo?[NSStoreUUIDKey] as? String, url: note.userInfo?[NSPersistentStoreURLKey] as? URL,
          token: note.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
        notes.recorder?.notes.withLock { $0.append(received) }
      }
    }

    private struct Reference: Sendable {
      weak var recorder: Recorder?
      init(_ recorder: Recorder) { self.recorder = recorder }
    }

    deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }

    var received: [Note] { notes.withLock { $0 } }

    func wait(until condition: ([Note]) -> Bool) -> Bool {
      let end = Date(timeIntervalSinceNow: 120)
      while Date() < end, !condition(received) { usleep(2_000) }
      return condition(received)
    }
  }

  @Test func `commits of other coordinators are posted`() throws {
    let listening = try QuakeHistory.container(remote: true)
    let recorder = Recorder(listening)
    let other = try QuakeHistory.container(at: listening.url)
    for number in 0..<5 { try other.save("\(number)") }
    #expect(recorder.wait { $0.last?.token == other.token }, "\(recorder.received)")
    let store = listening.persistentStoreCoordinator.persistentStores[0]
    #expect(recorder.received.allSatisfy { $0.store == store.identifier && $0.url == listening.url })
    let tokens = recorder.received.compactMap(\.token)
    #expect(tokens.count == recorder.received.count)
    for token in tokens { #expect(try !other.transactions(.fetchHistory(after: token)).contains { $0.token == token }) }
  }

  @Test func `own commits are posted`() throws {
    let container = try QuakeHistory.container(remote: true)
    let recorder = Recorder(container)
    try container.save("a")
    #expect(recorder.wait { $0.last?.token == container.token }, "\(recorder.received)")
  }

  @Test func `a store without the option posts nothing`() throws {
    let container = try QuakeHistory.container()
    let listening = try QuakeHistory.container(at: container.url, remote: true)
    let (unnotified, notified) = (Recorder(container), Recorder(listening))
    try container.save("a")
    #expect(notified.wait { !$0.isEmpty })
    #expect(unnotified.received.isEmpty)
  }

  @Test func `a store without history posts changes without a token`() throws {
    let listening = try QuakeHistory.container(history: false, remote: true)
    let recorder = Recorder(listening)
    let other = try QuakeHistory.container(at: listening.url, history: false)
    try other.save("a")
    #expect(recorder.wait { $0.count == 1 }, "\(recorder.received)")
    let first = recorder.received.first
    #expect(first?.store != nil && first?.url == listening.url && first?.token == nil)
    try listening.save("b")
    #expect(recorder.wait { $0.count >= 2 }, "\(recorder.received)")
  }
}
