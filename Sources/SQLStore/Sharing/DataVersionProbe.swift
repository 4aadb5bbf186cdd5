import StrataRowStore
import StrataSQLiteEngine
import Synchronization

/// Notices commits by the number that SQLite gives a connection for the database as it last saw it.
/// See https://sqlite.org/pragma.html#pragma_data_version
final class DataVersionProbe: CommitProbe {
  private let store: SQLStore
  private let state: Mutex<State>

  private struct State {
    /// A connection of its own, which notices the commits of all others.
    var reader: Reader?
    var version: Int64
  }

  init(of store: SQLStore) throws {
    self.store = store
    let reader = try store.readers.checkOut()
    state = Mutex(State(reader: reader, version: try reader.connection.dataVersion()))
  }

  func hasChanged() throws -> Bool {
    try state.withLock { state in
      if let reader = state.reader, !reader.connection.isCurrent {
        let next = try store.readers.checkOut()
        (state.reader, state.version) = (next, try next.connection.dataVersion())
        reader.close()
        return true
      }
      guard let version = try state.reader?.connection.dataVersion(), version != state.version else { return false }
      state.version = version
      // The next reader gets the error. Here, the check only posts the notice.
      try? state.reader?.checkModel()
      return true
    }
  }

  func close() {
    state.withLock { state in
      state.reader?.close()
      state.reader = nil
    }
  }
}
