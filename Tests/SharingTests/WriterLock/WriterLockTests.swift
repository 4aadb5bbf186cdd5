import Foundation
import StrataSharing
import StrataTestSupport
import Synchronization
import Testing

@Suite struct WriterLockTests {
  private let folder: TemporaryFolder
  private var store: String { folder.path + "/Quakes.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  /// Runs the bodies concurrently on threads of their own, and waits for them.
  private func runConcurrently(_ bodies: [@Sendable () -> Void]) async {
    await withCheckedContinuation { (all: CheckedContinuation<Void, Never>) in
      let group = DispatchGroup()
      for body in bodies {
        group.enter()
        Thread.detachNewThread {
          body()
          group.leave()
        }
      }
      group.notify(queue: .global()) { all.resume() }
    }
  }

  @Test func `the lock can be acquired until it is closed`() throws {
    let writerLock = try WriterLock(storePath: store)
    for _ in 0..<3 { #expect(try writerLock.withLock(timeout: 1) { 7 } == 7) }
    #expect(throws: CancellationError.self) { try writerLock.withLock(timeout: 1) { throw CancellationError() } }
    try writerLock.lock(timeout: 1)
    writerLock.unlock()
    writerLock.close()
    let error = #expect(throws: WriterLockError.self) { try writerLock.lock(timeout: 1) }
    #expect(error?.kind == .unusable)
  }

  /// A process that cannot open the file that now has the name releases the file that it had locked.
  @Test func `a process that fails to lock does not block others`() throws {
    let writerLock = try WriterLock(storePath: store)
    try writerLock.withLock(timeout: 1) {}
    try FileManager.default.moveItem(atPath: store + "-turn", toPath: store + "-away")
    try FileManager.default.createSymbolicLink(atPath: store + "-turn", withDestinationPath: "nowhere")
    #expect(throws: WriterLockError.self) { try writerLock.lock(timeout: 1) }
    #expect(WriterLock.unlistedCount(storePath: store, suffix: "-away")?.isLocked == false)
    try FileManager.default.removeItem(atPath: store + "-turn")
    try writerLock.withLock(timeout: 1) {}
  }

  /// The threads share one object, or have one object each. Separate objects exclude each other like processes.
  @Test(arguments: [1, 4]) func `only one thread holds the lock`(objects: Int) async throws {
    let locks = try (0..<objects).map { _ in try WriterLock(storePath: store) }
    let inside = Atomic<Int>(0)
    let maximumInside = Atomic<Int>(0)
    let done = Atomic<Int>(0)
    await runConcurrently(
      (0..<4).map { index in
        { [locks] in
          for _ in 0..<100 {
            try? locks[index % objects].withLock(timeout: 120) {
              maximumInside.max(
                inside.add(1, ordering: .sequentiallyConsistent).newValue, ordering: .sequentiallyConsistent)
              usleep(100)
              inside.subtract(1, ordering: .sequentiallyConsistent)
              done.add(1, ordering: .sequentiallyConsistent)
            }
          }
        }
      })
    #expect(maximumInside.load(ordering: .sequentiallyConsistent) == 1)
    #expect(done.load(ordering: .sequentiallyConsistent) == 400)
  }

  @Test func `threads of one object acquire the lock in order`() async throws {
    let writerLock = try WriterLock(storePath: store)
    let order = Mutex<[Int]>([])
    let starts = (0..<5).map { _ in DispatchSemaphore(value: 0) }
    let requests = DispatchSemaphore(value: 0)
    try writerLock.lock(timeout: 1)
    // Each thread requests the lock well after the previous one, and the lock is free once all have requested it.
    Thread.detachNewThread {
      for start in starts {
        start.signal()
        requests.wait()
        usleep(250_000)
      }
      writerLock.unlock()
    }
    await runConcurrently(
      starts.enumerated().map { index, start in
        {
          start.wait()
          requests.signal()
          try? writerLock.withLock(timeout: 120) { order.withLock { $0.append(index) } }
        }
      })
    #expect(order.withLock { $0 } == [0, 1, 2, 3, 4])
  }

  /// A writer that unlocks and immediately requests the lock again does not overtake the others.
  @Test func `busy writers share the lock evenly`() async throws {
    let locks = try (0..<8).map { _ in try WriterLock(storePath: store) }
    let counts = Mutex(Array(repeating: 0, count: 8))
    let longest = Mutex(Duration.zero)
    let started = Atomic<Int>(0)
    await runConcurrently(
      (0..<8).map { index in
        { [locks] in
          // A thread that starts late is not at a disadvantage.
          started.add(1, ordering: .sequentiallyConsistent)
          while started.load(ordering: .sequentiallyConsistent) < 8 { usleep(1000) }
          let end = ContinuousClock.now + .seconds(1)
          while ContinuousClock.now < end {
            let start = ContinuousClock.now
            guard (try? locks[index].lock(timeout: 120)) != nil else { return }
            longest.withLock { $0 = max($0, ContinuousClock.now - start) }
            usleep(2000)
            locks[index].unlock()
            counts.withLock { $0[index] += 1 }
          }
        }
      })
    let result = counts.withLock { $0 }
    print("acquisitions of 8 busy writers in 1 s: \(result), longest wait \(longest.withLock { $0 })")
    let minimum = result.min() ?? 0
    let maximum = result.max() ?? 0
    #expect(minimum * 5 > maximum, "\(result)")
  }

  @Test func `the timeout error names the possible holders`() throws {
    let holder = try WriterLock(storePath: store)
    let late = try WriterLock(storePath: store)
    try holder.lock(timeout: 1)
    let start = ContinuousClock.now
    let error = #expect(throws: WriterLockError.self) { try late.lock(timeout: 0.1) }
    #expect(ContinuousClock.now - start > .milliseconds(90))
    #expect(error?.kind == .timedOut)
    #expect(error?.message.contains("within 0.1 s") == true)
    #expect(error?.message.contains("\(getpid()) (") == true, "\(error?.message ?? "")")
    // A writer that timed out can wait again, and gets the lock.
    holder.unlock()
    try late.withLock(timeout: 120) {}
    try holder.withLock(timeout: 120) {}
  }

  @Test func `a long wait is reported once, with the holder of the lock`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let folder = try TemporaryFolder()
      let store = folder.file()
      let holder = try WriterLock(storePath: store)
      let late = try WriterLock(storePath: store, warningDelay: 0.05)
      try late.withLock(timeout: 120) {}
      try holder.lock(timeout: 1)
      #expect(throws: WriterLockError.self) { try late.lock(timeout: 0.01) }
      #expect(throws: WriterLockError.self) { try late.lock(timeout: 0.3) }
    }
    let text = result.errorText
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("CoreData: warning:") }
    #expect(lines.count == 1, "\(text)")
    #expect(lines.first?.contains("waiting up to 0.3 s to lock '") == true, "\(text)")
    #expect(lines.first?.contains(", this process)") == true, "\(text)")
  }

  @Test func `a writer that timed out does not hold the lock`() throws {
    let holder = try WriterLock(storePath: store)
    let late = try WriterLock(storePath: store)
    try holder.lock(timeout: 1)
    #expect(throws: WriterLockError.self) { try late.lock(timeout: 0.05) }
    holder.unlock()
    for _ in 0..<50 { try holder.withLock(timeout: 120) {} }
    late.close()
    try holder.withLock(timeout: 120) {}
  }

  @Test func `a thread of the same object times out too`() async throws {
    let writerLock = try WriterLock(storePath: store)
    try writerLock.lock(timeout: 1)
    let message = Mutex("")
    await runConcurrently([
      {
        do { try writerLock.lock(timeout: 0.05) } catch { message.withLock { $0 = "\(error)" } }
      }
    ])
    #expect(message.withLock { $0 }.contains("another thread of this process"))
    writerLock.unlock()
    try writerLock.withLock(timeout: 1) {}
  }

  /// The kernel releases a killed process's lock, because it closes the file. The process gets the locked file as its
  /// output, and is the only one that keeps it open.
  @Test func `the lock of a killed process is released`() async throws {
    let writerLock = try WriterLock(storePath: store)
    let file = try #require(FileHandle(forUpdatingAtPath: writerLock.path))
    var range = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 1, l_pid: 0)
    // F_OFD_SETLK, which the module of the C library lacks.
    try #require(fcntl(file.fileDescriptor, 37, &range) == 0)
    let process = try SpawnedProcess("/bin/sleep", ["3600"], output: file)
    try file.close()
    let error = #expect(throws: WriterLockError.self) { try writerLock.lock(timeout: 0.05) }
    #expect(error?.message.contains("has it: \(process.identifier) (sleep") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("this process") == false)
    process.signal(SIGKILL)
    try writerLock.withLock(timeout: 120) {}
    process.status()
  }

  @Test func `an older lock uses a recreated file`() throws {
    let first = try WriterLock(storePath: store)
    try FileManager.default.removeItem(atPath: first.path)
    let second = try WriterLock(storePath: store)
    try first.lock(timeout: 1)
    let error = #expect(throws: WriterLockError.self) { try second.lock(timeout: 0.05) }
    #expect(error?.kind == .timedOut)
    first.unlock()
  }

  @Test func `a symbolic link is refused`() throws {
    try FileManager.default.createSymbolicLink(atPath: store + "-turn", withDestinationPath: folder.path + "/other")
    let error = #expect(throws: WriterLockError.self) { try WriterLock(storePath: store) }
    #expect(error?.message.contains("symbolic link") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/other"))
  }

  @Test func `a FIFO or folder instead of a file is refused without waiting`() throws {
    try #require(mkfifo(store + "-turn", 0o600) == 0)
    let error = #expect(throws: WriterLockError.self) { try WriterLock(storePath: store) }
    #expect(error?.message.contains("it is a FIFO, not a file") == true, "\(error?.message ?? "")")
    remove(store + "-turn")
    try #require(mkdir(store + "-turn", 0o700) == 0)
    #expect(throws: WriterLockError.self) { try WriterLock(storePath: store) }
  }
}
