import Dispatch
import Glibc
import StrataRowStore
import Synchronization

/// The turn of saves that must be repeated because others have committed the same rows; one at a time for each source.
///
/// Each commit makes all saves of the same rows stale that wait for the store. If all of them repeated simultaneously, only
/// one in each round would succeed, and one of many might lose in every round. A save that has lost therefore takes the
/// turn first, and only then reads the rows and resolves the conflicts. A first attempt that writes a row of the save that
/// has the turn queues behind it; other first attempts do not wait.
final class RetryTurn: Sendable {
  private typealias Lines = [ObjectIdentifier: Line]

  /// The saves of each source that have or await the turn.
  private static let lines = Mutex<Lines>([:])
  /// The number of these sources, so that a save without contention reads only this.
  private static let lineCount = Atomic(0)

  /// The number of seconds for which a save may keep the turn while others wait: a merge policy that runs in a turn may
  /// wait for a context whose save waits for the turn. A save that loses its turn this way has twice the time in the next.
  private static let patience = 1.0

  private let source: ObjectIdentifier
  private let waiter: Waiter
  /// Whether another save had the turn first and may have committed the same rows.
  let hasWaited: Bool

  private init(_ waiter: Waiter, of source: ObjectIdentifier, hasWaited: Bool) {
    (self.source, self.waiter, self.hasWaited) = (source, waiter, hasWaited)
  }

  /// Waits for the turn. The caller ends it.
  /// - Parameters:
  ///   - rows: the rows that the save writes.
  ///   - last: the save's previous turn, if it lost one.
  /// - Returns: nil for a save inside one that has the turn, which would wait forever.
  static func take(
    of source: any ObjectSource, for context: NSManagedObjectContext, writing rows: Set<RowID>, after last: RetryTurn?
  ) -> RetryTurn? {
    let patience = last.map { $0.waiter.patience * 2 } ?? patience
    return take(of: source, for: context, writing: rows, patience: patience) { _ in true }
  }

  /// Waits for the turn if the save that has it writes one of the same rows.
  static func queue(
    behindSavesOf batch: ChangeBatch, in source: any ObjectSource, for context: NSManagedObjectContext
  ) -> RetryTurn? {
    guard lineCount.load(ordering: .relaxed) > 0 else { return nil }
    let rows = batch.storedIDs
    return take(of: source, for: context, writing: rows, patience: patience) { line in
      line.map { !$0.holder.rows.isDisjoint(with: rows) } ?? false
    }
  }

  private static func take(
    of source: any ObjectSource, for context: NSManagedObjectContext, writing rows: Set<RowID>, patience: Double,
    if isWanted: (Line?) -> Bool
  ) -> RetryTurn? {
    let source = ObjectIdentifier(source as AnyObject)
    let waiter = Waiter(context, writing: rows, patience: patience)
    let hasWaited: Bool? = lines.withLock { lines in
      guard isWanted(lines[source]) else { return nil }
      guard let holder = lines[source]?.holder else {
        lines[source] = Line(holder: waiter)
        lineCount.add(1, ordering: .relaxed)
        waiter.begin()
        return false
      }
      if holder.isAroundCaller { return nil }
      lines[source]?.waiting.append(waiter)
      return true
    }
    guard let hasWaited else { return nil }
    if hasWaited { wait(for: waiter, of: source) }
    return RetryTurn(waiter, of: source, hasWaited: hasWaited)
  }

  /// Waits until a save gets the turn, which others lose if they keep it for too long.
  private static func wait(for waiter: Waiter, of source: ObjectIdentifier) {
    while true {
      let deadline = lines.withLock { $0[source]?.holder.deadline ?? .now() }
      if waiter.called.wait(timeout: deadline) == .success { return }
      lines.withLock { lines in
        if let holder = lines[source]?.holder, holder !== waiter, holder.deadline <= .now() { pass(source, in: &lines) }
      }
    }
  }

  /// Gives the turn to the next save.
  private static func pass(_ source: ObjectIdentifier, in lines: inout Lines) {
    guard var line = lines[source] else { return }
    if line.waiting.isEmpty {
      lines[source] = nil
      lineCount.subtract(1, ordering: .relaxed)
    } else {
      line.holder = line.waiting.removeFirst()
      line.holder.begin()
      line.holder.called.signal()
      lines[source] = line
    }
  }

  /// Adds rows to those that first attempts wait for.
  /// - Returns: whether the save still has the turn.
  func add(_ rows: Set<RowID>) -> Bool {
    Self.lines.withLock { lines in
      guard lines[source]?.holder === waiter else { return false }
      waiter.rows.formUnion(rows)
      return true
    }
  }

  func end() {
    Self.lines.withLock { lines in
      if lines[source]?.holder === waiter { Self.pass(source, in: &lines) }
    }
  }
}

/// The save that has the turn, and those that await it, in the order in which they came.
private struct Line: Sendable {
  var holder: Waiter
  var waiting: [Waiter] = []
}

/// A save that has or awaits the turn.
private final class Waiter: @unchecked Sendable {
  // Sendable: the lock of the lines guards the variables, and the context is only compared.

  let patience: Double
  /// Signaled when the save gets the turn.
  let called = DispatchSemaphore(value: 0)
  var rows: Set<RowID>
  private(set) var deadline = DispatchTime.distantFuture
  private let context: NSManagedObjectContext
  private let thread = pthread_self()

  init(_ context: NSManagedObjectContext, writing rows: Set<RowID>, patience: Double) {
    (self.context, self.rows, self.patience) = (context, rows, patience)
  }

  func begin() { deadline = .now() + patience }

  /// Whether the caller runs inside this save: in its merge policy, or in a block that its merge policy waits for.
  var isAroundCaller: Bool {
    pthread_equal(thread, pthread_self()) != 0 || ContextBlock.current?.contains(context) == true
  }
}

extension ChangeBatch {
  /// The IDs of the stored rows that the batch changes, deletes or checks.
  fileprivate var storedIDs: Set<RowID> {
    var ids = Set(updated.map(\.row.id))
    ids.formUnion(deleted.map(\.id))
    ids.formUnion(checked.map(\.id))
    return ids
  }

  /// The IDs of the stored rows that a save needs unchanged to succeed.
  /// - Parameter error: what the source says about the batch.
  func contendedIDs(_ error: StoreError) -> Set<RowID> {
    storedIDs.union(error.conflicts.flatMap { [$0.id, $0.stored?.id ?? $0.id] })
  }
}
