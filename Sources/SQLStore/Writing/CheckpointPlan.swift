import Glibc
import StrataSQLiteEngine

/// When to checkpoint. Used only under the writer lock.
///
/// A checkpoint copies a page once however many saves wrote it, and waits for the disk twice however small it is: of
/// the time of single saves, checkpoints every 250 pages took 40 %, every 1,000 pages 26 %, every 2,000 pages 20 %. So
/// it waits for a pause between saves, where it delays no save; only a long WAL does not wait.
struct CheckpointPlan {
  /// 8 MiB: from this size on, checkpoint at the next pause.
  private static let step = 2_000
  /// This many pages later, do not wait for a pause. The WAL has to reach the disk before it can be copied: under load, one of
  /// 64 MiB takes 300 ms, during which it grows.
  private static let maximumExtraPages = 2_000
  /// How often to try again if a reader of an older commit was active, and the microseconds in between. Most readers take less;
  /// others keep the WAL until they are done.
  private static let (retries, retryDelay): (Int, UInt32) = (4, 250)
  /// Microseconds without a save that count as a pause. Saves in a loop are a fraction of a millisecond apart.
  static let pause: UInt32 = 20_000

  private let open: () throws -> Connection
  private var connection: Connection?
  /// A reader can keep the WAL from restarting; then the next try comes a step later, not after every commit.
  private var threshold = step
  private var pages = 0
  private var commits = 0
  /// The number of commits when a pause was last looked for.
  private var seen = 0

  init(open: @escaping () throws -> Connection) { self.open = open }

  /// Whether to ask for a checkpoint after a commit that left this many pages in the WAL.
  mutating func isDue(pages: Int) -> Bool {
    commits += 1
    self.pages = pages
    if pages < threshold - Self.step { threshold = Self.step }
    return pages >= threshold
  }

  /// Whether saves come so fast that the checkpoint should still wait for a pause.
  mutating func waitsForPause() -> Bool {
    defer { seen = commits }
    return commits != seen && pages < threshold + Self.maximumExtraPages
  }

  /// Flushes the WAL to the disk. Needs no writer lock, and closing the descriptor does not release a lock, because
  /// SQLite does not lock this file. A failure is harmless: the checkpoint syncs the WAL itself.
  static func syncWAL(ofStore path: String) {
    let descriptor = Glibc.open(path + "-wal", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fdatasync(descriptor)
    Glibc.close(descriptor)
  }

  /// Holds SQLite's write lock to keep foreign writers out while a second connection copies.
  mutating func run(beside writer: Connection) throws {
    let checkpointer = try connection ?? open()
    connection = checkpointer
    // A connection that has not read since it was opened does not know the WAL, and would copy nothing.
    _ = try checkpointer.dataVersion()
    _ = try checkpointer.integer("SELECT count(*) FROM Z_METADATA")
    // Does not wait for a foreign writer: our own writers queue behind us.
    let busyTimeout = writer.busyTimeout
    writer.busyTimeout = 0
    defer { writer.busyTimeout = busyTimeout }
    try writer.run("BEGIN IMMEDIATE")
    defer { writer.rollback() }
    var result = try checkpointer.checkpoint()
    for _ in 0..<Self.retries where result.copied < result.pages {
      usleep(Self.retryDelay)
      result = try checkpointer.checkpoint()
    }
    threshold = result.pages + Self.step
  }

  mutating func close() {
    connection?.close()
    connection = nil
  }
}
