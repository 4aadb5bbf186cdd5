import Foundation
import StrataRowStore

/// The signal, as a call within the process.
struct TestSignal: CommitSignal {
  let database: TestDatabase

  final class Observation: SignalObservation {
    private let database: TestDatabase
    private let key: Int

    init(of database: TestDatabase, _ onChange: @escaping @Sendable () -> Void) {
      self.database = database
      key = database.state.withLock { state in
        let key = state.takeKey()
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

/// Counts commits, whoever made them.
final class TestProbe: CommitProbe, @unchecked Sendable {
  // Sendable: `seen` is used under the database's lock alone.

  private let database: TestDatabase
  private var seen: Int

  init(of database: TestDatabase) {
    self.database = database
    seen = database.state.withLock { $0.commits }
  }

  func hasChanged() -> Bool {
    database.state.withLock { state in
      defer { seen = state.commits }
      return seen != state.commits
    }
  }

  func close() {}
}

/// The registry of readers, as a table of the database's.
struct TestReaders: HistoryReaderRegistry {
  let database: TestDatabase

  func register(at place: () throws -> HistoryPlace) throws -> any HistoryReader {
    try database.registration.withLock {
      let reader = TestDatabase.Reader(place: try place())
      let key = database.state.withLock { state in
        let key = state.takeKey()
        state.readers[key] = reader
        return key
      }
      return TestReader(of: database, key)
    }
  }

  func register(name: String, at place: () throws -> HistoryPlace) throws -> any HistoryReader {
    try database.registration.withLock {
      let known = database.state.withLock { $0.readers.first { $0.value.name == name } }
      if known?.value.isAlive == true { throw StoreError(.busy, "Somebody else reads under the name '\(name)'.") }
      let place = try known?.value.place ?? place()
      let key = database.state.withLock { state in
        let key = known?.key ?? state.takeKey()
        state.readers[key] = TestDatabase.Reader(name: name, place: place)
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

  /// The oldest place that a reader needs.
  func floor(sparingSleepers: Bool) -> Int64? {
    database.state.withLock { state in
      state.readers.values.filter { $0.isAlive || sparingSleepers }.map(\.place.number).min()
    }
  }
}

final class TestReader: HistoryReader {
  private let database: TestDatabase
  private let key: Int

  init(of database: TestDatabase, _ key: Int) { (self.database, self.key) = (database, key) }

  var place: HistoryPlace { database.state.withLock { $0.readers[key]?.place ?? HistoryPlace(number: 0) } }

  func move(to place: HistoryPlace) { database.state.withLock { $0.readers[key]?.place = place } }

  func end() {
    database.state.withLock { state in
      state.readers[key]?.isAlive = false
      if state.readers[key]?.name == nil { state.readers[key] = nil }
    }
  }
}
