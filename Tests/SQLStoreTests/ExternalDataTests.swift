import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataSQLiteEngine
import StrataTestSupport
import Synchronization
import Testing

/// Large values of attributes with external storage, which are stored in files next to the store.
@Suite struct ExternalDataTests {
  let folder: TemporaryFolder
  let quakes: QuakeStore

  init() throws {
    folder = try TemporaryFolder()
    quakes = try QuakeStore(in: folder)
  }

  private static func photo(_ byte: UInt8, _ count: Int = 200_000) -> SlotValue {
    .data(Array(repeating: byte, count: count))
  }

  private var support: URL { folder.url(".Test_SUPPORT") }

  private func files() -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: support.appendingPathComponent("_EXTERNAL_DATA").path)
    return (names ?? []).sorted()
  }

  private func isUnfinished() -> Bool {
    FileManager.default.fileExists(atPath: support.appendingPathComponent("unfinished").path)
  }

  private func insert(_ name: String, _ photo: SlotValue) throws -> RowID {
    try quakes.insert([quakes.row("Quake", ["name": .string(name), "photo": photo])]).inserted[0]
  }

  @Test func `small data are stored in the row and large data in a file`() throws {
    let small = try insert("small", Self.photo(1, 100_000))
    #expect(files().isEmpty)
    let large = try insert("large", Self.photo(2))
    let name = try #require(files().first)
    #expect(files().count == 1 && !isUnfinished())
    #expect(
      try quakes.shell().value("SELECT ZPHOTO FROM ZQUAKE WHERE ZNAME = 'large'") == .blob([2] + name.utf8 + [0]))
    #expect(
      try quakes.shell().rows("SELECT length(ZPHOTO), substr(ZPHOTO, 1, 1) FROM ZQUAKE WHERE ZNAME = 'small'")
        == [[.integer(100_001), .blob([1])]])
    #expect(UUID(uuidString: name) != nil)
    #expect(try quakes.value(small, "photo") == Self.photo(1, 100_000))
    #expect(try quakes.value(large, "photo") == Self.photo(2))
    quakes.store.close()
    #expect(try QuakeStore(in: folder).value(large, "photo") == Self.photo(2))
  }

  /// Opening a FIFO would wait for a writer.
  @Test func `a FIFO instead of a data file is read as nil`() throws {
    let id = try insert("a", Self.photo(1))
    let file = support.appendingPathComponent("_EXTERNAL_DATA/\(try #require(files().first))").path
    try #require(unlink(file) == 0 && mkfifo(file, 0o600) == 0)
    #expect(try quakes.value(id, "photo") == .null)
    #expect(try quakes.value(id, "name") == .string("a"))
  }

  @Test func `data files have the store's permissions`() throws {
    try #require(chmod(quakes.store.url.path, 0o600) == 0)
    _ = try insert("a", Self.photo(1))
    func permissions(_ url: URL) throws -> Int {
      try #require(FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber).intValue
    }
    let folder = support.appendingPathComponent("_EXTERNAL_DATA")
    #expect(try permissions(folder.appendingPathComponent(try #require(files().first))) == 0o600)
    #expect(try permissions(folder) == 0o700)
    #expect(try permissions(support) == 0o700)
  }

  @Test func `a data file is deleted with its value and with its row`() throws {
    let id = try insert("a", Self.photo(1))
    let first = files()
    var batch = ChangeBatch()
    batch.updated = [quakes.update(try #require(try quakes.stored(id)), "name", .string("b"))]
    _ = try quakes.store.commit(batch)
    #expect(files() == first)
    batch.updated = [quakes.update(try #require(try quakes.stored(id)), "photo", Self.photo(2))]
    _ = try quakes.store.commit(batch)
    #expect(files().count == 1 && files() != first)
    #expect(try quakes.value(id, "photo") == Self.photo(2))
    batch = ChangeBatch()
    batch.deleted = [RowDeletion(id: id, version: nil)]
    _ = try quakes.store.commit(batch)
    #expect(files().isEmpty && !isUnfinished())
  }

  @Test func `a failed save neither adds nor removes files`() throws {
    let id = try insert("a", Self.photo(1))
    let before = files()
    _ = try quakes.insert([quakes.row("Region", ["name": .string("Chile")])])
    var batch = ChangeBatch()
    batch.inserted = [quakes.row("Quake", ["photo": Self.photo(3)]), quakes.row("Region", ["name": .string("Chile")])]
    batch.deleted = [RowDeletion(id: id, version: nil)]
    #expect(throws: StoreError.self) { try quakes.store.commit(batch) }
    #expect(files() == before && !isUnfinished())
    #expect(try quakes.value(id, "photo") == Self.photo(1))
  }

  @Test func `opening a store removes files that a dead process left`() throws {
    let id = try insert("a", Self.photo(1))
    let kept = files()
    quakes.store.close()
    // The process wrote a file and did not commit the row.
    let orphan = support.appendingPathComponent("_EXTERNAL_DATA/\(UUID().uuidString)")
    try Data([1]).write(to: orphan)
    try Data().write(to: support.appendingPathComponent("unfinished"))
    let again = try QuakeStore(in: folder)
    #expect(files() == kept && !isUnfinished())
    #expect(try again.value(id, "photo") == Self.photo(1))
  }

  @Test func `destroying a store deletes its data files`() throws {
    _ = try insert("a", Self.photo(1))
    quakes.store.close()
    try SQLStore.destroy(at: folder.url())
    #expect(!FileManager.default.fileExists(atPath: support.path))
  }

  private func file(_ name: String) -> URL { support.appendingPathComponent("_EXTERNAL_DATA/\(name)") }

  @Test func `a missing file loses only its value`() throws {
    let id = try insert("a", Self.photo(1))
    let other = try insert("b", Self.photo(2))
    let reference = try quakes.shell().value("SELECT ZPHOTO FROM ZQUAKE WHERE ZNAME = 'a'")
    guard case .blob(let bytes)? = reference else { return #expect(Bool(false), "\(String(describing: reference))") }
    let name = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    let data = try Data(contentsOf: file(name))
    try FileManager.default.removeItem(at: file(name))
    #expect(try quakes.value(id, "photo") == .some(.null) && quakes.value(id, "name") == .string("a"))
    #expect(try quakes.value(other, "photo") == Self.photo(2))
    // Saving other properties keeps the reference.
    var batch = ChangeBatch()
    batch.updated = [quakes.update(try #require(try quakes.stored(id)), "name", .string("c"))]
    _ = try quakes.store.commit(batch)
    #expect(try quakes.shell().value("SELECT ZPHOTO FROM ZQUAKE WHERE ZNAME = 'c'") == reference)
    #expect(try IntegrityCheck(of: folder.url()).flaws.map(\.kind) == [.missingFile])
    try data.write(to: file(name))
    #expect(try quakes.value(id, "photo") == Self.photo(1))
    #expect(try IntegrityCheck(of: folder.url()).flaws == [])
    try FileManager.default.removeItem(at: file(name))
    batch.updated = [quakes.update(try #require(try quakes.stored(id)), "photo", Self.photo(3))]
    _ = try quakes.store.commit(batch)
    #expect(try quakes.value(id, "photo") == Self.photo(3) && files().count == 2)
  }

  @Test(arguments: ["empty", "folder", "name", "path"]) func `a damaged file loses only its value`(_ damage: String)
    throws
  {
    let id = try insert("a", Self.photo(1))
    let name = try #require(files().first)
    switch damage {
    case "empty": try Data().write(to: file(name))
    case "folder":
      try FileManager.default.removeItem(at: file(name))
      try FileManager.default.createDirectory(at: file(name), withIntermediateDirectories: false)
    case "path":
      // A slash with a combining accent is still a path separator.
      try FileManager.default.createDirectory(at: file("x"), withIntermediateDirectories: false)
      try Data([1, 2]).write(to: file("x").appendingPathComponent("\u{301}y"))
      try quakes.shell().run("UPDATE ZQUAKE SET ZPHOTO = x'02782FCC817900'")
    default: try quakes.shell().run("UPDATE ZQUAKE SET ZPHOTO = x'022E2E2F6100'")
    }
    #expect(try quakes.value(id, "photo") == (damage == "empty" ? .data([]) : .null))
    #expect(try quakes.value(id, "name") == .string("a"))
    let kinds = Set(try IntegrityCheck(of: folder.url()).flaws.map(\.kind))
    #expect(kinds == (damage == "name" || damage == "path" ? [.unusedFile] : [.damagedFile]))
  }

  /// Files outside the folder are neither read nor deleted.
  @Test(arguments: ["../../Secret", "/etc/passwd", "..", "sub/../../../Secret", "sub/\u{301}Secret", "link"])
  func `a file name that leads outside the folder is read as nil`(_ name: String) throws {
    let secret = folder.url("Secret")
    try Data([9]).write(to: secret)
    let id = try insert("a", Self.photo(1))
    let inside = file("sub")
    try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: false)
    try Data([9]).write(to: inside.appendingPathComponent("\u{301}Secret"))
    try FileManager.default.createSymbolicLink(at: file("link"), withDestinationURL: secret)
    try quakes.shell().run("UPDATE ZQUAKE SET ZPHOTO = CAST(x'02' || ? AS BLOB)", bindings: [.text(name)])
    #expect(try quakes.value(id, "photo") == .null)
    var batch = ChangeBatch()
    batch.updated = [quakes.update(try #require(try quakes.stored(id)), "photo", Self.photo(2))]
    _ = try quakes.store.commit(batch)
    #expect(try Data(contentsOf: secret) == Data([9]))
    #expect(try quakes.value(id, "photo") == Self.photo(2))
  }

  @Test func `a required value without its file is empty`() throws {
    let model = QuakeStore.model { quake, _ in quake.properties.first { $0.name == "photo" }?.isOptional = false }
    let store = try SQLStore(opening: folder.url("Strict.sqlite"), model: model, number: 1, options: .test)
    let strict = QuakeStore(store, in: folder)
    let id = try strict.insert([strict.row("Quake", ["photo": Self.photo(1)])]).inserted[0]
    try FileManager.default.removeItem(at: folder.url(".Strict_SUPPORT"))
    #expect(try strict.value(id, "photo") == .data([]))
  }

  @Test func `a store with a missing data file can be copied`() throws {
    _ = try insert("a", Self.photo(1))
    _ = try insert("b", Self.photo(2))
    let reference = try quakes.shell().rows("SELECT ZPHOTO FROM ZQUAKE ORDER BY Z_PK")
    try FileManager.default.removeItem(at: file(try #require(files().first)))
    try SQLStore.replace(at: folder.url("Copy.sqlite"), with: folder.url())
    let copy = try QuakeStore(in: folder, "Copy.sqlite")
    #expect(try copy.shell().rows("SELECT ZPHOTO FROM ZQUAKE ORDER BY Z_PK") == reference)
    #expect(throws: StoreError.self) { try copy.store.checkExternalData() }
  }

  /// A writer may delete a replaced file after a reader has read the row, and before it reads the file.
  @Test func `a reader finds a file that is being replaced`() throws {
    let id = try insert("a", Self.photo(0))
    let others = try QuakeStore(in: folder, number: 2)
    let isDone = Atomic(false)
    let reads = Atomic(0)
    let misses = Atomic(0)
    let reader = Thread {
      let query = FetchQuery(layout: others.layout("Quake"))
      let other = RowID(store: 2, entity: id.entity, key: id.key)
      while !isDone.load(ordering: .acquiring) {
        for rows in [try? others.store.rows(with: [other]), try? others.store.rows(for: query)] {
          let photo = (rows?.rows.first).flatMap { row in row.layout.slot(named: "photo").map { row[$0] } }
          reads.add(1, ordering: .relaxed)
          if case .data(let bytes)? = photo, bytes.count == 200_000 { continue }
          misses.add(1, ordering: .relaxed)
        }
      }
    }
    reader.start()
    for byte in 1...150 {
      let row = try #require(try quakes.stored(id))
      var batch = ChangeBatch()
      batch.updated = [quakes.update(row, "photo", Self.photo(UInt8(byte)))]
      _ = try quakes.store.commit(batch)
    }
    isDone.store(true, ordering: .releasing)
    while !reader.isFinished { usleep(1_000) }
    #expect(misses.load(ordering: .relaxed) == 0 && reads.load(ordering: .relaxed) > 10)
  }

  /// The rows are copied after the files, and a commit in between replaces a file.
  @Test func `a copy has all files despite concurrent writes`() throws {
    let id = try insert("a", Self.photo(0))
    let isDone = Atomic(false)
    let others = try QuakeStore(in: folder, number: 2)
    let other = RowID(store: 2, entity: id.entity, key: id.key)
    let writer = Thread {
      var byte: UInt8 = 0
      while !isDone.load(ordering: .acquiring) {
        byte &+= 1
        guard let row = try? others.stored(other) else { continue }
        var batch = ChangeBatch()
        batch.updated = [others.update(row, "photo", Self.photo(byte))]
        _ = try? others.store.commit(batch)
      }
    }
    writer.start()
    for number in 0..<20 {
      let copy = folder.url("Copy\(number).sqlite")
      try SQLStore.replace(at: copy, with: folder.url())
      #expect(try IntegrityCheck(of: copy).flaws.filter { $0.kind == .missingFile } == [])
    }
    isDone.store(true, ordering: .releasing)
    while !writer.isFinished { usleep(1_000) }
  }
}
