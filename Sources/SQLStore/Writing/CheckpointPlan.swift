import StrataSQLiteEngine

/// When the WAL is copied back into the file. Used only under the writer lock.
///
/// Pages that many saves wrote are copied once, and a checkpoint waits for the disk twice, however small it is: of the time
/// of single saves steps of 250 pages took 40 %, of 1,000 pages 26 %, of 2,000 pages 20 %. So it comes in a pause between
/// saves, in which it holds up nobody; only a long WAL does not wait for one.
struct CheckpointPlan {
  /// 8 MiB: with so many pages a pause is waited for.
  private static let step = 2_000
  /// 64 MiB: with so many pages none is waited for. Whoever opens the store after a crash reads them in 30 ms.
  private static let most = 16_000
  /// Microseconds without a save that are a pause. Saves in a loop follow each other within a fraction of a millisecond.
  static let pause: UInt32 = 20_000

  private let open: () throws -> Connection
  private var connection: Connection?
  /// A reader can keep the WAL from starting anew; then the next try is a step further, not after every commit.
  private var threshold = step
  private var pages = 0
  private var commits = 0
  /// How many commits there were when a pause was last looked for.
  private var seen = 0

  init(open: @escaping () throws -> Connection) { self.open = open }

  /// Whether a checkpoint is to be asked for, after a commit that left the WAL with so many pages.
  mutating func isDue(pages: Int) -> Bool {
    commits += 1
    self.pages = pages
    if pages < threshold - Self.step { threshold = Self.step }
    return pages >= threshold
  }

  /// Whether saves follow each other so closely that a pause is still to be waited for.
  mutating func waitsForPause() -> Bool {
    defer { seen = commits }
    return commits != seen && pages < threshold - Self.step + Self.most
  }

  /// The write lock keeps foreign writers out while a second connection copies.
  mutating func run(beside writer: Connection) throws {
    let checkpointer = try connection ?? open()
    connection = checkpointer
    // A connection that has not read since it was opened does not know the WAL, and copies nothing.
    _ = try checkpointer.dataVersion()
    _ = try checkpointer.integer("SELECT count(*) FROM Z_METADATA")
    // A foreign writer that is at work right now is not waited for: our own writers stand behind us.
    let busyTimeout = writer.busyTimeout
    writer.busyTimeout = 0
    defer { writer.busyTimeout = busyTimeout }
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
