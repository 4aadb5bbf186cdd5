import Foundation
import StrataRowStore
import StrataSQLStore
import StrataSQLiteEngine
import StrataSharing
import StrataTestSupport
import Synchronization
import Testing

/// Readers that arrive while a store is being created.
@Suite struct CreationRaceTests {
  private static let readOnly: SQLStoreOptions = {
    var options = SQLStoreOptions.test
    options.isReadOnly = true
    return options
  }()

  @Test func `readers fail or wait while a store is being created`() throws {
    for _ in 0..<30 {
      let folder = try TemporaryFolder()
      let stores = Collected<Int>()
      let isCreated = Atomic(false)
      let readers = (1...3).map { number in
        Thread {
          repeat {
            stores.add { try QuakeStore(in: folder, number: number, options: Self.readOnly).count("Quake") }
            stores.add { try SQLStore.metadata(at: folder.url()).count > 5 ? 0 : 1 }
          } while !isCreated.load(ordering: .acquiring)
        }
      }
      for reader in readers { reader.start() }
      usleep(.random(in: 0...3_000))
      let quakes = try QuakeStore(in: folder)
      isCreated.store(true, ordering: .releasing)
      while !readers.allSatisfy(\.isFinished) { usleep(1_000) }
      let errors = stores.errors.filter { ($0 as? StoreError)?.code != .notOpen }
      #expect(errors.isEmpty, "\(errors)")
      #expect(Set(stores.values).isSubset(of: [0]))
      quakes.store.close()
    }
  }

  @Test func `a reader waits for a process that is creating the store`() throws {
    let folder = try TemporaryFolder()
    let path = folder.url().resolvingSymlinksInPath().path
    // The state after the first step of a creation.
    let creator = try Connection(path: path, mode: .create, busyTimeout: 1)
    try creator.run("PRAGMA journal_mode = WAL")
    creator.close()
    let lock = try WriterLock(storePath: path)
    try lock.lock(timeout: 1)
    let stores = Collected<Int>()
    let reader = Thread {
      stores.add { try QuakeStore(in: folder, options: Self.readOnly).count("Quake") }
    }
    reader.start()
    usleep(50_000)
    #expect(!reader.isFinished)
    lock.unlock()
    try QuakeStore(in: folder).store.close()
    while !reader.isFinished { usleep(1_000) }
    // The lock was free for a short time, so the reader may have failed.
    if let error = stores.errors.first as? StoreError {
      #expect(error.message.contains("is creating the store at the moment"), "\(error)")
    } else {
      #expect(stores.values == [0])
    }
  }

  @Test func `the error for an emptied store says that it is empty`() throws {
    let folder = try TemporaryFolder()
    try QuakeStore(in: folder).store.close()
    try SQLStore.destroy(at: folder.url())
    for open: () throws -> Void in [
      { _ = try QuakeStore(in: folder, options: Self.readOnly) }, { _ = try SQLStore.metadata(at: folder.url()) },
    ] {
      let start = ContinuousClock.now
      let error = #expect(throws: StoreError.self) { try open() }
      #expect(error?.code == .corrupt)
      #expect(error?.message.contains("the file is empty") == true, "\(error?.message ?? "")")
      #expect(ContinuousClock.now - start < .seconds(60))
    }
  }
}
