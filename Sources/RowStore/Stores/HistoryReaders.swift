/// A place in the history of a store: right after one of its transactions.
package struct HistoryPlace: Sendable {
  /// The transaction's number; 0 before the first.
  package var number: Int64
  /// The transaction's timestamp, if known.
  package var time: Double?

  package init(number: Int64, time: Double? = nil) { (self.number, self.time) = (number, time) }
}

/// The registry in which readers of a store's history record how far they have come, so that a purge spares what they
/// still need (invariant 5).
///
/// An anonymous reader counts while it lives, and is gone with its process, however that ends. A named one is
/// remembered after its end, so that it can find its place again.
package protocol HistoryReaderRegistry: Sendable {
  /// Registers an anonymous reader.
  /// - Parameter place: called while no purge is running.
  func register(at place: () throws -> HistoryPlace) throws -> any HistoryReader

  /// Registers a named reader at the place remembered under its name, or else at `place`.
  /// - Throws: `.busy` if another reader has the name, `.unsupported` for an invalid name.
  func register(name: String, at place: () throws -> HistoryPlace) throws -> any HistoryReader

  /// Forgets the place of a name, unless its reader lives.
  func forget(name: String) throws
}

/// A live reader of history. Used by one thread at a time.
package protocol HistoryReader: AnyObject, Sendable {
  /// After the last transaction that the reader is done with.
  var place: HistoryPlace { get }

  /// Records a place: visible to everyone at once, whatever becomes of this process.
  func move(to place: HistoryPlace) throws

  /// Ends the reader; the place of a named one stays remembered.
  func end()
}
