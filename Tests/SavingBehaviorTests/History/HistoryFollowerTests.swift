import CoreData
import Foundation
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataBehaviorSupport

/// Followers: transactions in order, each once; positions that outlive a follower; purges that wait for all followers.
@Suite struct HistoryFollowerTests {
  private let container: NSPersistentContainer
  private var store: NSPersistentStore { container.persistentStoreCoordinator.persistentStores[0] }

  init() throws { container = try QuakeHistory.container() }

  private func numbers(_ follower: HistoryFollower) throws -> [Int64] {
    var numbers: [Int64] = []
    try follower.catchUp { numbers.append($0.transactionNumber) }
    return numbers
  }

  private func left() throws -> [Int64] {
    try container.transactions(.fetchHistory(after: Date.distantPast)).map(\.transactionNumber)
  }

  @Test func `catching up delivers each transaction once`() throws {
    try container.save("a", author: "me")
    try container.save("b")
    let follower = try HistoryFollower(of: store)
    var authors: [String?] = []
    #expect(try follower.catchUp { authors.append($0.author) } == 2)
    #expect(authors == ["me", nil])
    #expect(follower.token == container.token)
    #expect(try numbers(follower).isEmpty)
    try container.save("c")
    #expect(try numbers(follower) == [3])
    #expect(try numbers(HistoryFollower(of: store, after: container.token)).isEmpty)
    #expect(try numbers(HistoryFollower(of: store)) == [1, 2, 3])
  }

  /// Invariant 5, for a purge that has begun and waits for the writer lock.
  @Test func `a follower that starts during a purge misses nothing`() throws {
    for code in ["a", "b", "c"] { try container.save(code) }
    let lock = try HeldWriterLock(of: container.url)
    let store = store
    let purged = Mutex<Int?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let count = try? HistoryFollower.purgeHistory(of: store)
      purged.withLock { $0 = count }
      isDone.signal()
    }
    while try !lock.hasWaiter() { usleep(1_000) }
    let follower = try HistoryFollower(of: store)
    lock.release()
    isDone.wait()
    #expect(purged.withLock { $0 } == 0)
    #expect(try numbers(follower) == [1, 2, 3])
  }

  @Test func `transactions of several chunks arrive in order`() throws {
    for number in 0..<250 { try container.save("\(number)") }
    #expect(try numbers(HistoryFollower(of: store)) == Array(1...250))
  }

  @Test func `a failed transaction is delivered again`() throws {
    struct Trouble: Error {}
    for code in ["a", "b", "c"] { try container.save(code) }
    let follower = try HistoryFollower(of: store)
    var seen: [Int64] = []
    #expect(throws: Trouble.self) {
      try follower.catchUp { transaction in
        if transaction.transactionNumber == 2 { throw Trouble() }
        seen.append(transaction.transactionNumber)
      }
    }
    #expect(seen == [1])
    #expect(try numbers(follower) == [2, 3])
  }

  @Test func `a named follower resumes at its last position`() throws {
    try container.save("a")
    let first = try HistoryFollower(of: store, name: "indexer")
    #expect(try numbers(first) == [1])
    try container.save("b")
    first.end()
    #expect(try first.catchUp { _ in } == 0, "The follower has ended.")
    let second = try HistoryFollower(of: store, name: "indexer", after: container.token)
    #expect(try numbers(second) == [2], "The stored position takes precedence over the token.")
    let third = try HistoryFollower(of: store, name: "other")
    #expect(try numbers(third) == [1, 2])
  }

  /// As after a jump of the wall clock: other followers must not reuse the record of a name.
  @Test func `a named follower resumes after a year`() throws {
    try container.save("a")
    let first = try HistoryFollower(of: store, name: "indexer")
    #expect(try numbers(first) == [1])
    first.end()
    try makeEveryReaderOlder(by: 400 * 24 * 3600)
    let others = try (0..<3).map { _ in try HistoryFollower(of: store) }
    try container.save("b")
    #expect(try numbers(HistoryFollower(of: store, name: "indexer")) == [2])
    for other in others { other.end() }
  }

  /// The file must not grow with every name that was ever used.
  @Test func `new names reuse the records of old names`() throws {
    let file = container.url.path + "-readers"
    for number in 0..<200 {
      try HistoryFollower(of: store, name: "\(number)").end()
      try makeEveryReaderOlder(by: 8 * 24 * 3600)
    }
    let size = try #require(FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
    #expect(size <= 65 * 128)
  }

  /// Moves the time of the last write, in bytes 16 to 23 of each 128-byte record.
  private func makeEveryReaderOlder(by seconds: Double) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: container.url.path + "-readers"))
    defer { try? file.close() }
    let records = try #require(try file.readToEnd())
    for offset in stride(from: 16, to: records.count, by: 128) {
      let moved = records.subdata(in: offset..<offset + 8).withUnsafeBytes { $0.loadUnaligned(as: Double.self) }
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: withUnsafeBytes(of: moved - seconds) { Data($0) })
    }
  }

  @Test func `only one follower can use a name`() throws {
    let follower = try HistoryFollower(of: store, name: "indexer")
    let error = #expect(throws: CocoaError.self) { try HistoryFollower(of: store, name: "indexer") }
    #expect(error?.code.rawValue == NSPersistentStoreTimeoutError)
    #expect(error?.localizedDescription.contains("'indexer'") == true)
    follower.end()
    _ = try HistoryFollower(of: store, name: "indexer")
    #expect(throws: CocoaError.self) { try HistoryFollower(of: store, name: "") }
    #expect(throws: CocoaError.self) { try HistoryFollower(of: store, name: String(repeating: "n", count: 81)) }
  }

  @Test func `the loop delivers commits of all coordinators in order`() async throws {
    let other = try QuakeHistory.container(at: container.url)
    let follower = try HistoryFollower(of: store, name: "loop")
    let loop = Task {
      var numbers: [Int64] = []
      for try await transaction in follower.transactions {
        numbers.append(transaction.transactionNumber)
        if numbers.count == 40 { break }
      }
      return numbers
    }
    for number in 0..<20 {
      try other.save("other \(number)")
      try container.save("own \(number)")
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(try await loop.value == Array(1...40))
    // The last one was not processed: the loop did not request the next.
    #expect(try numbers(follower) == [40])
  }

  @Test func `the loop ends when its task is canceled or its follower ends`() async throws {
    let follower = try HistoryFollower(of: store)
    let loop = { () -> Task<Int, any Error> in
      Task {
        var count = 0
        for try await _ in follower.transactions { count += 1 }
        return count
      }
    }
    let cancelled = loop()
    try await Task.sleep(for: .milliseconds(50))
    cancelled.cancel()
    #expect(try await cancelled.value == 0)
    let ended = loop()
    try await Task.sleep(for: .milliseconds(50))
    follower.end()
    #expect(try await ended.value == 0)
  }

  @Test func `a purge keeps transactions that a follower has not read`() throws {
    for code in ["a", "b", "c", "d"] { try container.save(code) }
    let all = try container.transactions(.fetchHistory(after: Date.distantPast))
    let reader = try HistoryFollower(of: store, after: all[1].token)
    #expect(try HistoryFollower.purgeHistory(of: store) == 2)
    #expect(try left() == [3, 4])
    #expect(try container.history(.deleteHistory(before: Date.distantFuture), as: Bool.self))
    #expect(try left() == [3, 4], "Apple's request keeps them, too.")
    #expect(try numbers(reader) == [3, 4])
    #expect(try HistoryFollower.purgeHistory(of: store, before: all[3].timestamp) == 1)
    #expect(try left() == [4])
    reader.end()
    #expect(try HistoryFollower.purgeHistory(of: store) == 1)
  }

  @Test func `a purge waits for names without a running follower`() throws {
    try container.save("a")
    try HistoryFollower(of: store, name: "sleeper").end()
    try container.save("b")
    #expect(try HistoryFollower.purgeHistory(of: store) == 0)
    try HistoryFollower.forget(name: "sleeper", of: store)
    #expect(try HistoryFollower.purgeHistory(of: store) == 2)
  }

  @Test func `a follower reports a gap and continues`() async throws {
    try HistoryFollower(of: store, name: "late").end()
    for code in ["a", "b", "c"] { try container.save(code) }
    #expect(
      try container.history(.deleteHistory(before: Date.distantFuture), as: Bool.self),
      "Only running followers keep transactions.")
    let late = try HistoryFollower(of: store, name: "late")
    let error = #expect(throws: CocoaError.self) { try late.catchUp { _ in } }
    #expect(error?.code.rawValue == NSPersistentHistoryTokenExpiredError)
    await #expect(throws: CocoaError.self) { for try await _ in late.transactions {} }
    try late.move(to: container.token)
    try container.save("d")
    #expect(try numbers(late) == [4])
  }

  @Test func `following a store without history fails`() throws {
    let plain = try QuakeHistory.container(history: false)
    let store = plain.persistentStoreCoordinator.persistentStores[0]
    let error = #expect(throws: CocoaError.self) { try HistoryFollower(of: store) }
    #expect(error?.code.rawValue == NSPersistentStoreUnsupportedRequestTypeError)
    #expect(throws: CocoaError.self) { try HistoryFollower.purgeHistory(of: store) }
    let stranger = try QuakeHistory.container().token
    #expect(throws: CocoaError.self) { try HistoryFollower(of: self.store, after: stranger) }
  }
}
