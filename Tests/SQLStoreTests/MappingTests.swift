import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataTestSupport
import Testing

/// Which reads map the file: look-ups do, scans do not.
@Suite struct MappingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ rows: Int, options: SQLStoreOptions = .test) throws -> QuakeStore {
    let quakes = try QuakeStore(in: folder, options: options)
    try quakes.insert((1...rows).map { quakes.row("Quake", ["name": .string("quake \($0)")]) })
    quakes.store.close()
    // The commits are checkpointed, so they are in the file and not in the WAL, which is never mapped.
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

  @Test func aScanDoesNotMapTheFileAndALookUpDoes() throws {
    let quakes = try store(5_000)
    let plan = FetchQuery(layout: quakes.layout("Quake"))
    #expect(try quakes.store.rows(for: plan).rows.map(\.id.key) == Array(1...5_000))
    #expect(try !isMapped(quakes))
    try lookUp(7, 4_000, in: quakes)
    #expect(try isMapped(quakes))
    #expect(try quakes.store.rows(for: plan).count == 5_000)
    #expect(try !isMapped(quakes))
    try lookUp(9, 3_000, in: quakes)
    #expect(try quakes.store.rows(with: quakes.store.ids(for: plan)).count == 5_000)
    #expect(try !isMapped(quakes), "a range of keys is a scan too")
  }

  @Test func aTableThatWasSmallIsReadAsItIs() throws {
    let quakes = try store(50)
    let plan = FetchQuery(layout: quakes.layout("Quake"))
    #expect(try quakes.store.rows(for: plan).count == 50)
    try lookUp(7, in: quakes)
    #expect(try quakes.store.rows(for: plan).count == 50)
    #expect(try isMapped(quakes))
  }

  @Test func aProgramThatSaysWhatIsMappedHasItsWay() throws {
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

  @Test func aScanIsOfTheMomentThatIsKept() throws {
    let quakes = try store(5_000)
    let view = try #require(try quakes.store.pinned())
    try lookUp(3, in: quakes)
    try quakes.insert([quakes.row("Quake")])
    let plan = FetchQuery(layout: quakes.layout("Quake"))
    #expect(try view.rows(for: plan).count == 5_000)
    #expect(try quakes.store.rows(for: plan).count == 5_001)
    #expect(try view.rows(for: plan).count == 5_000)
  }
}
