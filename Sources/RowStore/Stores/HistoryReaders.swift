/// A position in the history of a store: right after one of its transactions.
package struct HistoryPosition: Sendable {
  /// The transaction's number; 0 before the first.
  package var number: Int64
  /// The transaction's timestamp, if known.
  package var time: Double?

  package init(number: Int64, time: Double? = nil) { (self.number, self.time) = (number, time) }
}

/// The registry in which readers of a store's history record their positions, so that a purge keeps the transactions
/// that they still need (invariant 5).
///
/// An anonymous reader counts while it lives, and is gone with its process, however that ends. A named one is
/// remembered after its end, so that it can find its position again.
package protocol HistoryReaderRegistry: Sendable {
  /// Registers an anonymous reader.
  /// - Parameter position: called while no purge is running.
  func register(at position: () throws -> HistoryPosition) throws -> any HistoryReader

  /// Registers a named reader at the position remembered under its name, or else at `position`.
  /// - Throws: `.busy` if another reader has the name, `.unsupported` for an invalid name.
  func register(name: String, at position: () throws -> HistoryPosition) throws -> any HistoryReader

  /// Forgets the position of a name, unless its reader lives.
  func forget(name: String) throws

  /// Writes positions that wait to be written together. Those that cannot be written now are written later.
  func flush()
}

extension HistoryReaderRegistry {
  /// Positions are written as they move.
  package func flush() {}
}

/// A live reader of history. Used by one thread at a time.
package protocol HistoryReader: AnyObject, Sendable {
  /// After the last transaction that the reader is done with.
  var position: HistoryPosition { get }

  /// Records a position, immediately visible to all processes and durable if this process ends.
  func move(to position: HistoryPosition) throws

  /// Ends the reader; the position of a named one stays remembered.
  func end()
}
