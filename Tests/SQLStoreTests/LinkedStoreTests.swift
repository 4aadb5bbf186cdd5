import Foundation
import StrataRowStore
import StrataSQLStore
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// Stores opened through symbolic and hard links.
@Suite struct LinkedStoreTests {
  private let folder: TemporaryFolder
  private let manager = FileManager.default

  init() throws { folder = try TemporaryFolder() }

  private static func photo(_ byte: UInt8) -> SlotValue { .data(Array(repeating: byte, count: 200_000)) }

  private func link(_ name: String, to target: String) throws {
    try manager.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
  }

  @Test func `a store opened through a link has one writer lock and one data folder`() throws {
    let direct = try QuakeStore(in: folder)
    try manager.createDirectory(atPath: folder.file("links"), withIntermediateDirectories: false)
    try link("links/Bank.sqlite", to: "../Test.sqlite")
    let linked = try QuakeStore(in: folder, "links/Bank.sqlite", number: 2)
    #expect(linked.store.path == direct.store.path && linked.store.url == folder.url("links/Bank.sqlite"))
    let ids = try (0..<6).map { number in
      let quakes = number % 2 == 0 ? direct : linked
      return try quakes.insert([quakes.row("Quake", ["photo": Self.photo(UInt8(number))])]).inserted[0]
    }
    for quakes in [direct, linked] {
      for (number, id) in ids.enumerated() {
        let own = RowID(store: quakes.store.number, entity: id.entity, key: id.key)
        #expect(try quakes.value(own, "photo") == Self.photo(UInt8(number)))
      }
    }
    #expect(try manager.contentsOfDirectory(atPath: folder.file("links")) == ["Bank.sqlite"])
    // A writer that has the lock through one path excludes writers on the other.
    let isHeld = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    let holder = Thread {
      try? SQLStore.rebuild(at: direct.store.url, timeout: 60) {
        isHeld.signal()
        mayEnd.wait()
        return nil
      }
    }
    holder.start()
    isHeld.wait()
    defer { mayEnd.signal() }
    #expect(throws: StoreError.self) {
      try SQLStore.setMetadata(["note": "x"], at: folder.url("links/Bank.sqlite"), timeout: 0.1)
    }
  }

  @Test func `a store is created at the target of a link`() throws {
    try manager.createDirectory(atPath: folder.file("real"), withIntermediateDirectories: false)
    try link("first.sqlite", to: "second.sqlite")
    try link("second.sqlite", to: folder.file("real/Test.sqlite"))
    let quakes = try QuakeStore(in: folder, "first.sqlite")
    try quakes.insert([quakes.row("Quake", ["photo": Self.photo(1)])])
    #expect(quakes.store.path == folder.url.resolvingSymlinksInPath().path + "/real/Test.sqlite")
    #expect(
      try manager.contentsOfDirectory(atPath: folder.path).sorted() == ["first.sqlite", "real", "second.sqlite"])
    quakes.store.close()
    try SQLStore.destroy(at: folder.url("first.sqlite"))
    #expect(!manager.fileExists(atPath: folder.file("real/.Test_SUPPORT")))
    #expect(try QuakeStore(in: folder, "second.sqlite").count("Quake") == 0)
  }

  @Test func `copying a store onto a link to itself changes nothing`() throws {
    let quakes = try QuakeStore(in: folder)
    let id = try quakes.insert([quakes.row("Quake", ["photo": Self.photo(1)])]).inserted[0]
    try link("link.sqlite", to: "Test.sqlite")
    try SQLStore.replace(at: folder.url("link.sqlite"), with: folder.url())
    #expect(try quakes.value(id, "photo") == Self.photo(1))
  }

  @Test func `a file with two hard links is refused`() throws {
    try QuakeStore(in: folder).store.close()
    try manager.linkItem(atPath: folder.file("Test.sqlite"), toPath: folder.file("Other.sqlite"))
    let operations: [(URL) throws -> Void] = [
      { _ = try SQLStore(opening: $0, model: QuakeStore.model(), number: 1, options: .test) },
      {
        var options = SQLStoreOptions.test
        options.isReadOnly = true
        _ = try SQLStore(opening: $0, model: QuakeStore.model(), number: 1, options: options)
      },
      { _ = try SQLStore.metadata(at: $0) },
      { try SQLStore.setMetadata([:], at: $0) },
      { try SQLStore.destroy(at: $0) },
      { [folder] in try SQLStore.replace(at: folder.url("Copy.sqlite"), with: $0) },
      { _ = try IntegrityCheck(of: $0) },
    ]
    for operation in operations {
      for name in ["Test.sqlite", "Other.sqlite"] {
        let error = #expect(throws: StoreError.self) { try operation(folder.url(name)) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("the file has 2 names (hard links)") == true, "\(error?.message ?? "")")
      }
    }
    #expect(try manager.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("Other") } == ["Other.sqlite"])
    try manager.removeItem(atPath: folder.file("Other.sqlite"))
    #expect(try QuakeStore(in: folder).count("Quake") == 0)
  }

  @Test func `another user can read a file with two hard links`() throws {
    let folder = try TemporaryFolder(in: URL(fileURLWithPath: "/tmp"))
    try QuakeStore(in: folder).store.close()
    try manager.linkItem(atPath: folder.file("Test.sqlite"), toPath: folder.file("Other.sqlite"))
    try #require(chmod(folder.file("Test.sqlite"), 0o644) == 0 && chmod(folder.path, 0o755) == 0)
    let count = asStranger {
      Result {
        var options = SQLStoreOptions.test
        options.isReadOnly = true
        return try QuakeStore(in: folder, "Other.sqlite", options: options).count("Quake")
      }
    }
    if geteuid() == 0 { #expect(try count?.get() == 0) }
  }

  @Test func `a circular link is refused`() throws {
    try link("a.sqlite", to: "b.sqlite")
    try link("b.sqlite", to: "a.sqlite")
    let error = #expect(throws: StoreError.self) { try QuakeStore(in: folder, "a.sqlite") }
    #expect(error?.code == .notOpen)
    #expect(error?.message.contains("leads to itself") == true, "\(error?.message ?? "")")
  }

  @Test(arguments: ["-wal", "-shm", "-journal", "-turn"])
  func `a symbolic link instead of a store's auxiliary file is refused`(_ ending: String) throws {
    try QuakeStore(in: folder).store.close()
    let other = Data("not of the store".utf8)
    try other.write(to: folder.url("other"))
    try? manager.removeItem(atPath: folder.file("Test.sqlite\(ending)"))
    try link("Test.sqlite\(ending)", to: "other")
    let error = #expect(throws: StoreError.self) { try QuakeStore(in: folder) }
    #expect(error?.message.contains("symbolic link") == true, "\(error?.message ?? "")")
    #expect(try Data(contentsOf: folder.url("other")) == other)
    try manager.removeItem(atPath: folder.file("Test.sqlite\(ending)"))
    #expect(try QuakeStore(in: folder).count("Quake") == 0)
  }
}
