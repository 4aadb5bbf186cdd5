import Dispatch
import StrataRowStore
import Synchronization
import Testing

@Suite struct MigrationNoticeTests {
  /// A lock that a store holds while it detects a migration, and takes again when it closes.
  private final class Lock: Sendable {
    let mutex = Mutex(0)

    func count() { mutex.withLock { $0 += 1 } }
  }

  private let queue = DispatchQueue(label: "notices")

  @Test func `a handler may take a lock that is held while the notice is posted`() {
    let (notice, lock) = (MigrationNotice(), Lock())
    notice.observe(on: queue) { lock.count() }
    lock.mutex.withLock { _ in notice.post() }
    queue.sync {}
    #expect(lock.mutex.withLock { $0 } == 1)
  }

  @Test func `a late handler may take a lock that is held while it is added`() {
    let (notice, lock) = (MigrationNotice(), Lock())
    notice.post()
    lock.mutex.withLock { _ in notice.observe(on: queue) { lock.count() } }
    queue.sync {}
    #expect(lock.mutex.withLock { $0 } == 1)
  }

  @Test func `a handler is called once`() {
    let (notice, lock) = (MigrationNotice(), Lock())
    notice.observe(on: queue) { lock.count() }
    for _ in 0..<3 { notice.post() }
    notice.observe(on: queue) { lock.count() }
    queue.sync {}
    #expect(lock.mutex.withLock { $0 } == 1)
  }
}
