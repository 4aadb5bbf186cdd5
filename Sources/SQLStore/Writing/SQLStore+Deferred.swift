import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// What a deferred migration has left.
extension SQLStore {
  /// Does it, each thing in a transaction of its own, so that others can write in between.
  /// - Parameter all: false does one thing alone.
  package func finishMigration(all: Bool) throws {
    while try finishTask(), all {}
  }

  /// Does one thing, and says whether more may be left.
  private func finishTask() throws -> Bool {
    try writableStore().withLock { connection, _ in
      guard var metadata = try Self.metadata(connection)?.dictionary, metadata[StoreMetadata.deferredKey] != nil else {
        return false
      }
      return try connection.writing {
        if try connection.runDeferredTask(DeferredTasks(schema: schema)) { return true }
        metadata[StoreMetadata.deferredKey] = nil
        try connection.run(StoreMetadata.update, [.blob(try StoreMetadata.bytes(of: metadata))])
        return false
      }
    }
  }
}
