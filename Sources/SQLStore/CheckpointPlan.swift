import SQLiteEngine

/// When the WAL is copied back into the file. Used only under the writers' turn.
struct CheckpointPlan {
  /// 8 MiB. Pages that many saves wrote are copied once, and a checkpoint waits for the disk twice, however small it is:
  /// of the time of single saves steps of 250 pages took 40 %, of 1,000 pages 26 %, of 2,000 pages 20 %. The writers' turn
  /// is held for 1.3 times as long as for 1,000 pages, half as often.
  private static let step = 2_000

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
