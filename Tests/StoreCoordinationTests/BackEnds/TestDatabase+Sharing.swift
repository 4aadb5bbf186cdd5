import Foundation
import StrataRowStore

/// A commit signal that calls its observers within the process.
struct TestSignal: CommitSignal {
  let database: TestDatabase

  final class Observation: SignalObservation {
    private let database: TestDatabase
    private let key: Int

    init(of database: TestDatabase, _ onChange: @escaping @Sendable () -> Void) {
      self.database = database
      key = database.state.withLock { state in
        let key = state.makeKey()
        state.listeners[key] = onChange
        return key
      }
    }

    func cancel() { database.state.withLock { $0.listeners[key] = nil } }
    deinit { cancel() }
  }

  func post() { database.notify() }

  func observe(_ onChange: @escaping @Sendable () -> Void) -> Observation { Observation(of: database, onChange) }
}

/// Counts the commits of all clients.
final class TestProbe: CommitProbe, @unchecked Sendable {
  // Sendable: `lastCount` is used only while the database's lock is held.

  private let database: TestDatabase
  private var lastCount: Int

  init(of database: TestDatabase) {
    self.database = database
    lastCount = database.state.withLock { $0.commits }
  }

  func hasChanged() -> Bool {
    database.state.withLock { state in
      defer { lastCount = state.commits }
      return lastCount != state.commits
    }
  }

  func close() {}
}

/// The registry of readers, which the database holds.
struct TestReaders: HistoryReaderRegistry {
  let database: TestDatabase

  func register(at position: () throws -> HistoryPosition) throws -> any HistoryReader {
    try database.registration.withLock {
      let reader = TestDatabase.Reader(position: try position())
      let key = database.state.withLock { state in
        let key = state.makeKey()
        state.readers[key] = reader
        return key
      }
      return TestReader(of: database, key)
    }
  }

  func register(name: String, at position: () throws -> HistoryPosition) throws -> any HistoryReader {
    try database.registration.withLock {
      let known = database.state.withLock { $0.readers.first { $0.value.name == name } }
      if known?.value.isAlive == true { throw StoreError(.busy, "Another reader uses the name '\(name)'.") }
      let position = try known?.value.position ?? position()
      let key = database.state.withLock { state in
        let key = known?.key ?? state.makeKey()
        state.readers[key] = TestDatabase.Reader(name: name, position: position)
        return key
      }
      return TestReader(of: database, key)
    }
  }

  func forget(name: String) {
    database.state.withLock { state in
      state.readers = state.readers.filter { $0.value.name != name || $0.value.isAlive }
    }
  }

  /// The oldest position that a reader needs.
  func floor(keepingInactive: Bool) -> Int64? {
    database.state.withLock { state in
      state.readers.values.filter { $0.isAlive || keepingInactive }.map(\.position.number).min()
    }
  }
}

final class TestReader: HistoryReader {
  private let database: TestDatabase
  private let key: Int

  init(of database: TestDatabase, _ key: Int) { (self.database, self.key) = (database, key) }

  var position: HistoryPosition { database.state.withLock { $0.readers[key]?.position ?? HistoryPosition(number: 0) } }

  func move(to position: HistoryPosition) { database.state.withLock { $0.readers[key]?.position = position } }

  func end() {
    database.state.withLock { state in
      state.readers[key]?.isAlive = false
      if state.readers[key]?.name == nil { state.readers[key] = nil }
    }
  }
}
