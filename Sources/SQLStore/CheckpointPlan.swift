import SQLiteEngine

/// When the WAL is copied back into the file. Used only under the writers' turn.
struct CheckpointPlan {
  /// A WAL of 250 pages is 1 MiB: copying it back takes 0.5 to 1.5 ms, and saves keep a p99 near 0.5 ms.
  private static let step = 250

  private let open: () throws -> Connection
  private var connection: Connection?
  /// A reader can keep the WAL from starting anew; then the next try is a step further, not after every commit.
  private var threshold = step
  private var isAsked = false

  init(open: @escaping () throws -> Connection) { self.open = open }

  /// Whether a checkpoint is to be asked for, after a commit that left the WAL with so many pages.
  mutating func isDue(pages: Int) -> Bool {
    if pages < threshold - Self.step { threshold = Self.step }
    guard pages >= threshold, !isAsked else { return false }
    isAsked = true
    return true
  }

  /// The write lock keeps foreign writers out while a second connection copies.
  mutating func run(beside writer: Connection) throws {
    isAsked = false
    let checkpointer = try connection ?? open()
    connection = checkpointer
    // A connection that has not read since it was opened does not know the WAL, and copies nothing.
    _ = try checkpointer.dataVersion()
    _ = try checkpointer.integer("SELECT count(*) FROM Z_METADATA")
    // A foreign writer that is at work right now is not waited for: our own writers stand behind us.
    let patience = writer.patience
    writer.patience = 0
    defer { writer.patience = patience }
    try writer.run("BEGIN IMMEDIATE")
    defer { writer.rollback() }
    let result = try checkpointer.checkpoint()
    threshold = result.pages + Self.step
  }

  mutating func close() {
    connection?.close()
    connection = nil
  }
}
