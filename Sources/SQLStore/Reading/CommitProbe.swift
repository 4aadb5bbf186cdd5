import StrataRowStore
import StrataSQLiteEngine
import Synchronization

/// Tells whether somebody committed to a store, where no history says so. See https://sqlite.org/pragma.html#pragma_data_version
package final class CommitProbe: Sendable {
  private let store: SQLStore
  private let state: Mutex<State>

  private struct State {
    /// A connection of its own: it hears of what all others commit.
    var reader: Reader?
    var version: Int64
  }

  /// - Throws: what opening a connection throws.
  package init(of store: SQLStore) throws {
    self.store = store
    let reader = try store.readers.takeOrOpen()
    state = Mutex(State(reader: reader, version: try reader.connection.dataVersion()))
  }

  /// Whether there was a commit since the last question.
  package func hasChanged() throws -> Bool {
    try state.withLock { state in
      guard let version = try state.reader?.connection.dataVersion(), version != state.version else { return false }
      state.version = version
      return true
    }
  }

  package func close() {
    state.withLock { state in
      state.reader?.close()
      state.reader = nil
    }
  }
}
