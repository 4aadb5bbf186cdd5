import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataTestSupport
import Testing

/// Stores read their files without mapping them into memory.
@Suite struct MemoryMappingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ rows: Int, options: SQLStoreOptions = .test) throws -> QuakeStore {
    let quakes = try QuakeStore(in: folder, options: options)
    try quakes.insert((1...rows).map { quakes.row("Quake", ["name": .string("quake \($0)")]) })
    quakes.store.close()
    // The commits are checkpointed, so they are in the file and not in the WAL, which SQLite never maps.
    return try QuakeStore(in: folder, options: options)
  }

  private func isMapped(_ quakes: QuakeStore) throws -> Bool {
    let path = quakes.store.url.resolvingSymlinksInPath().path
    // Line by line, because Foundation stops reading a file of unknown size at the first short read.
    let file = try #require(fopen("/proc/self/maps", "r"))
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 8_192)
    while fgets(&line, Int32(line.count), file) != nil {
      let bytes = line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      if String(decoding: bytes, as: UTF8.self).hasSuffix(path + "\n") { return true }
    }
    return false
  }

  private func lookUp(_ keys: Int64..., in quakes: QuakeStore) throws {
    let ids = keys.map { RowID(store: 1, entity: quakes.layout("Quake").number, key: $0) }
    #expect(try quakes.store.rows(with: ids).count == keys.count)
  }

  @Test func `reads do not map the file into memory`() throws {
    let quakes = try store(5_000)
    let plan = FetchQuery(layout: quakes.layout("Quake"))
    for _ in 0..<3 {
      try lookUp(7, 4_000, in: quakes)
      #expect(try quakes.store.rows(for: plan).rows.map(\.id.key) == Array(1...5_000))
      #expect(try quakes.store.rows(with: quakes.store.ids(for: plan)).count == 5_000)
    }
    #expect(try quakes.store.pinned()?.rows(for: plan).count == 5_000)
    #expect(try !isMapped(quakes))
  }

  @Test func `repeated reads of a small table return all rows`() throws {
    let quakes = try store(50)
    let plan = FetchQuery(layout: quakes.layout("Quake"))
    #expect(try quakes.store.rows(for: plan).count == 50)
    try lookUp(7, in: quakes)
    #expect(try quakes.store.rows(for: plan).count == 50)
  }

  @Test func `a program can choose the mapped size`() throws {
    var options = SQLStoreOptions.test
    options.pragmas = ["mmap_size": "1000000000"]
    let quakes = try store(5_000, options: options)
    #expect(try quakes.store.rows(for: FetchQuery(layout: quakes.layout("Quake"))).count == 5_000)
    #expect(try isMapped(quakes))
    options.pragmas = ["mmap_size": "0"]
    let unmapped = try QuakeStore(in: folder, "Other.sqlite", options: options)
    try unmapped.insert([unmapped.row("Quake")])
    try lookUp(1, in: unmapped)
    #expect(try !isMapped(unmapped))
  }

  @Test func `a table scan in a pinned snapshot does not see later rows`() throws {
    let quakes = try store(5_000)
    let view = try #require(try quakes.store.pinned())
    try lookUp(3, in: quakes)
    try quakes.insert([quakes.row("Quake")])
    let plan = FetchQuery(layout: quakes.layout("Quake"))
    #expect(try view.rows(for: plan).count == 5_000)
    #expect(try quakes.store.rows(for: plan).count == 5_001)
    #expect(try view.rows(for: plan).count == 5_000)
  }

  @Test func `reading a truncated file fails until the file is restored`() throws {
    let quakes = try store(5_000)
    for _ in 0..<2 { try lookUp(7, 4_000, in: quakes) }
    let file = try FileHandle(forUpdating: quakes.store.url)
    let bytes = try #require(try file.readToEnd())
    for size in [0, 4_096, bytes.count / 2] {
      try file.truncate(atOffset: UInt64(size))
      for _ in 0..<3 {
        #expect { try lookUp(4_990, in: quakes) } throws: { ($0 as? StoreError)?.code == .corrupt }
      }
      try file.seek(toOffset: 0)
      try file.write(contentsOf: bytes)
      try lookUp(7, 4_990, in: quakes)
    }
    var view = try quakes.store.pinned()
    let id = RowID(store: 1, entity: quakes.layout("Quake").number, key: 4_990)
    #expect(try view?.rows(with: [id]).count == 1)
    try file.truncate(atOffset: 0)
    let other = RowID(store: 1, entity: quakes.layout("Quake").number, key: 2_500)
    for _ in 0..<2 { #expect { try view?.rows(with: [other]) } throws: { ($0 as? StoreError)?.code == .corrupt } }
    try file.seek(toOffset: 0)
    try file.write(contentsOf: bytes)
    #expect(try view?.rows(with: [id, other]).count == 2)
    view = nil
    try lookUp(4_990, in: quakes)
  }

  @Test func `SIGBUS ends a process that has read a store`() async throws {
    await #expect(processExitsWith: .signal(SIGBUS)) {
      let quakes = try QuakeStore(in: TemporaryFolder())
      try quakes.insert([quakes.row("Quake")])
      let id = RowID(store: 1, entity: quakes.layout("Quake").number, key: 1)
      for _ in 0..<2 { _ = try quakes.store.rows(with: [id]) }
      raise(SIGBUS)
    }
    await #expect(processExitsWith: .signal(SIGBUS)) {
      let quakes = try QuakeStore(in: TemporaryFolder())
      try quakes.insert([quakes.row("Quake")])
      let id = RowID(store: 1, entity: quakes.layout("Quake").number, key: 1)
      for _ in 0..<2 { _ = try quakes.store.rows(with: [id]) }
      let file = try #require(fopen(quakes.folder.url("Other").path, "w+"))
      let start = mmap(nil, 4_096, PROT_READ, MAP_SHARED, fileno(file), 0)
      _ = try #require(start).load(as: UInt8.self)
    }
  }
}
