import Foundation
import StrataRowStore
import StrataSQLStore
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// The `-shm` file is removed or replaced while a store is open: saves fail, and no earlier save is lost.
@Suite struct LostWALIndexTests {
  private let folder: TemporaryFolder
  private let manager = FileManager.default

  init() throws { folder = try TemporaryFolder() }

  private var index: String { folder.file("Test.sqlite-shm") }

  enum Loss { case deleted, replaced, movedAway, movedElsewhere }

  private func lose(_ loss: Loss) throws {
    switch loss {
    case .deleted: try manager.removeItem(atPath: index)
    case .movedAway: try manager.moveItem(atPath: index, toPath: folder.file("aside"))
    case .movedElsewhere:
      try manager.createDirectory(atPath: folder.file("backup"), withIntermediateDirectories: false)
      try manager.moveItem(atPath: index, toPath: folder.file("backup/Test.sqlite-shm"))
      try manager.copyItem(atPath: folder.file("backup/Test.sqlite-shm"), toPath: index)
    case .replaced:
      try manager.copyItem(atPath: index, toPath: folder.file("copy"))
      try #require(rename(folder.file("copy"), index) == 0)
    }
  }

  private func save(_ name: String, in quakes: QuakeStore) throws {
    try quakes.insert([quakes.row("Quake", ["name": .string(name)])])
  }

  @Test(arguments: [Loss.deleted, .replaced, .movedAway, .movedElsewhere])
  func `a save fails when the log's index is lost`(_ loss: Loss) throws {
    let quakes = try QuakeStore(in: folder)
    try save("a", in: quakes)
    try lose(loss)
    let error = #expect(throws: StoreError.self) { try save("b", in: quakes) }
    #expect(error?.code == .notOpen)
    #expect(error?.message.contains("'-shm'") == true && error?.message.contains("Nothing was written") == true)
    quakes.store.checkFileLocation()
    #expect(throws: StoreError.self) { try quakes.count("Quake") }
    if loss == .movedAway {
      try manager.moveItem(atPath: folder.file("aside"), toPath: index)
      try save("c", in: quakes)
      quakes.store.checkFileLocation()
      #expect(try quakes.count("Quake") == 2)
    }
    quakes.store.close()
    let again = try QuakeStore(in: folder)
    #expect(try again.count("Quake") == (loss == .movedAway ? 2 : 1))
    try save("d", in: again)
    #expect(try IntegrityCheck(of: folder.url()).flaws == [])
  }

  /// SQLite maps one index for the whole process, and continues to use the deleted one.
  @Test(arguments: [Loss.replaced, .movedElsewhere])
  func `a store whose index was lost before cannot be opened again in the same process`(_ loss: Loss) throws {
    let quakes = try QuakeStore(in: folder)
    try save("a", in: quakes)
    try lose(loss)
    for _ in 0..<2 {
      let error = #expect(throws: StoreError.self) { try QuakeStore(in: folder) }
      #expect(error?.code == .notOpen)
      #expect(error?.message.contains("was removed or replaced while this process had it open") == true)
    }
    let error = #expect(throws: StoreError.self) { try SQLStore.setMetadata(["a": 1], at: folder.url()) }
    #expect(error?.message.contains("Nothing was written") == true)
    quakes.store.close()
    let again = try QuakeStore(in: folder)
    try save("b", in: again)
    #expect(try again.count("Quake") == 2)
  }

  @Test func `opening a store whose index was lost neither writes nor deletes`() throws {
    let quakes = try QuakeStore(in: folder)
    try quakes.insert([quakes.row("Quake", ["photo": .data(Array(repeating: 1, count: 200_000))])])
    // One process was killed while it wrote a data file; another saved data that this process cannot see.
    let files = folder.file(".Test_SUPPORT/_EXTERNAL_DATA")
    let unseen = files + "/" + UUID().uuidString
    try Data(count: 10).write(to: URL(fileURLWithPath: unseen))
    try Data().write(to: URL(fileURLWithPath: files + "/unfinished"))
    try lose(.replaced)
    let log = try Data(contentsOf: folder.url("Test.sqlite-wal"))
    for change: (inout SQLStoreOptions) -> Void in [{ _ in }, { $0.vacuums = true }, { $0.analyzes = true }] {
      var options = SQLStoreOptions.test
      change(&options)
      let error = #expect(throws: StoreError.self) { try QuakeStore(in: folder, options: options) }
      #expect(error?.message.contains("Nothing was written") == true)
    }
    #expect(throws: StoreError.self) { try SQLStore.destroy(at: folder.url()) }
    let other = try QuakeStore(in: folder, "Other.sqlite")
    other.store.close()
    let error = #expect(throws: StoreError.self) {
      try SQLStore.replace(at: folder.url(), with: folder.url("Other.sqlite"))
    }
    #expect(error?.message.contains("Nothing was written") == true)
    #expect(try Data(contentsOf: folder.url("Test.sqlite-wal")) == log)
    #expect(manager.fileExists(atPath: unseen))
  }

  /// Another process may have read the log while the commit was not in it yet.
  @Test func `a save during which the log's index is lost is not acknowledged`() throws {
    let quakes = try QuakeStore(in: folder)
    try save("a", in: quakes)
    let watch = IndexRemover(index)
    quakes.store.observer = watch
    let error = #expect(throws: StoreError.self) { try save("b", in: quakes) }
    #expect(error?.code == .notOpen)
    #expect(error?.message.contains("The outcome of the save is unknown") == true, "\(error?.message ?? "")")
    #expect(watch.outcomes.values == ["will commit", "did not commit", "may have committed"])
    quakes.store.close()
    #expect(try QuakeStore(in: folder).count("Quake") == 2)
  }

  @Test func `a save during which the log's index is lost deletes no data file`() throws {
    let quakes = try QuakeStore(in: folder)
    let photo = SlotValue.data(Array(repeating: 1, count: 200_000))
    let id = try quakes.insert([quakes.row("Quake", ["photo": photo])]).inserted[0]
    quakes.store.observer = IndexRemover(index)
    let row = try #require(try quakes.stored(id))
    var batch = ChangeBatch()
    batch.updated = [quakes.update(row, "photo", .data(Array(repeating: 2, count: 200_000)))]
    #expect(throws: StoreError.self) { try quakes.store.commit(batch) }
    let files = folder.file(".Test_SUPPORT/_EXTERNAL_DATA")
    #expect(try manager.contentsOfDirectory(atPath: files).count == 2)
    quakes.store.close()
    let again = try QuakeStore(in: folder)
    #expect(try again.value(id, "photo") == .data(Array(repeating: 2, count: 200_000)))
    #expect(try manager.contentsOfDirectory(atPath: files).count == 1)
  }
}

/// Deletes a file while a transaction is open.
private final class IndexRemover: TransactionObserver {
  let outcomes = Collected<String>()
  private let index: String

  init(_ index: String) { self.index = index }

  func willCommit(transaction: Int64) {
    outcomes.add { "will commit" }
    try? FileManager.default.removeItem(atPath: index)
  }

  func didNotCommit(transaction: Int64) { outcomes.add { "did not commit" } }
  func mayHaveCommitted() { outcomes.add { "may have committed" } }
}
