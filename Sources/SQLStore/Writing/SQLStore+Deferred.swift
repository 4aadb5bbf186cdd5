import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine

/// The remaining tasks of a deferred migration.
extension SQLStore {
  /// Performs each task in a transaction of its own, so that others can write in between.
  /// - Parameter all: false performs only one task.
  package func finishMigration(all: Bool) throws {
    while try finishTask(), all {}
  }

  /// Performs one task. Returns whether more may be left.
  private func finishTask() throws -> Bool {
    try writableStore().write { connection, _ in
      guard var metadata = try Self.metadata(connection)?.dictionary, metadata[StoreMetadata.deferredKey] != nil else {
        return false
      }
      return try connection.writing {
        if try connection.runDeferredTask(DeferredTasks(schema: schema)) { return true }
        metadata[StoreMetadata.deferredKey] = nil
        try connection.run(StoreMetadata.update, bindings: [.blob(try StoreMetadata.bytes(of: metadata))])
        return false
      }
    }
  }
}
