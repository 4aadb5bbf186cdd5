import StrataManagedModel
import StrataRowStore
import StrataSQLText
import Synchronization

/// Saves.
extension PostgreSQLStore {
  package func commit(_ batch: ChangeBatch) throws -> CommitReceipt { try commit(batch, setting: [:]) }

  /// Writes the metadata in the same COMMIT: a program may keep there how far its rows have come.
  package func commit(_ batch: ChangeBatch, setting metadata: [String: any Sendable]) throws -> CommitReceipt {
    if batch.isEmpty, !metadata.isEmpty { try setMetadata(metadata) }
    return try noticingMigrations {
      try writer.withConnection { connection in
        guard !batch.isEmpty else { return CommitReceipt() }
        return try ServerCommit(of: batch, to: self, on: connection, metadata: metadata).run()
      }
    }
  }

  /// The outcome of a COMMIT whose result was lost with the connection. The history shows it once the server has ended
  /// that connection's transaction.
  /// - Returns: the transaction's number.
  /// - Throws: `error` if nothing was committed, `UnknownCommit` if the server cannot be asked.
  func outcome(of batch: Int64, on lost: ServerConnection, after error: StoreError) throws -> Int64 {
    var backoff = RetryBackoff(seconds: options.reconnectTimeout)
    while true {
      do {
        guard let number = try number(of: batch, on: lost, &backoff) else { throw NotCommitted() }
        return number
      } catch is NotCommitted {
        throw error
      } catch let failure as StoreError {
        if failure.isLostConnection, backoff.sleepBeforeRetry() { continue }
        // If it was committed, readers of the history receive it like another process's commit.
        abandoned.withLock { _ = $0.insert(batch) }
        observer?.mayHaveCommitted()
        throw UnknownCommit(cause: failure)
      }
    }
  }

  private struct NotCommitted: Error {}

  private func number(of batch: Int64, on lost: ServerConnection, _ backoff: inout RetryBackoff) throws -> Int64? {
    let connection = try ServerConnection(to: address, name: "Core Data writer", &backoff)
    if let session = lost.session { try connection.end(session, &backoff) }
    let found = try connection.run(
      SQLStatement(
        "SELECT z_pk FROM atransaction WHERE zbatch = $1 AND zorigin = encode($2, 'hex')::uuid",
        [.integer(batch), .blob(originBytes)]))
    return found.rowCount == 1 ? found.integer(0, 0) : nil
  }

  /// The mark of this store's own transactions.
  var originBytes: [UInt8] { withUnsafeBytes(of: origin.uuid) { Array($0) } }
}

/// Numbers for the changes of commits, in blocks from a sequence: unique, but neither gapless nor in order.
final class BatchNumbers: Sendable {
  private let block = Mutex<Range<Int64>>(0..<0)

  func next(on connection: ServerConnection) throws -> Int64 {
    try block.withLock { block in
      if block.isEmpty {
        let first = try connection.run("SELECT nextval('strata_batch')").integer(0, 0)
        block = first..<first.addingCapped(Int64(PostgreSQLSchemaWriter.batchBlockSize))
        guard !block.isEmpty else {
          throw StoreError(.full, "The store '\(connection.address)' has used up the numbers of 'strata_batch'.")
        }
      }
      defer { block = block.lowerBound + 1..<block.upperBound }
      return block.lowerBound
    }
  }
}
