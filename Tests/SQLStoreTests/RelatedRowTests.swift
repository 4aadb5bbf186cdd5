import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// Rows and members by many keys, which are queried as ranges if they are close together.
@Suite struct RelatedRowTests {
  let folder: TemporaryFolder
  let quakes: QuakeStore
  let regions: [RowID]
  /// Quake `n` is in region `n % 40`.
  let all: [RowID]

  init() throws {
    folder = try TemporaryFolder()
    quakes = try QuakeStore(in: folder)
    let regionRows = (0..<40).map { [quakes] in quakes.row("Region", ["name": .string("\($0)")]) }
    let quakeRows = (0..<1_000).map { [quakes] number in
      quakes.row("Quake", ["name": .string("\(number)"), "region": .reference(regionRows[number % 40].id)])
    }
    let ids = try quakes.insert(regionRows + quakeRows).inserted
    regions = Array(ids[..<40])
    all = Array(ids[40...])
  }

  private func keys(_ ids: [RowID]) -> Set<Int64> { Set(ids.map(\.key)) }

  @Test(arguments: [1, 2, 3, 7, 100])
  func `rows by keys are exactly the requested rows`(_ step: Int) throws {
    for start in [0, 1, 500] {
      let wanted = stride(from: start, to: all.count, by: step).map { all[$0] }
      for asked in [wanted, wanted.reversed(), wanted.shuffled() + wanted.prefix(3)] {
        let rows = try quakes.store.rows(with: asked).rows
        #expect(rows.count == wanted.count && keys(rows.map(\.id)) == keys(wanted))
      }
    }
  }

  @Test func `omitted and unknown keys return no rows`() throws {
    let dense = Array(all[100..<200])
    let asked = dense.filter { $0.key % 5 != 0 } + [all[900], RowID(store: 1, entity: all[0].entity, key: 99_999)]
    let rows = try quakes.store.rows(with: asked).rows
    #expect(keys(rows.map(\.id)) == keys(asked.dropLast()))
    #expect(rows.count == asked.count - 1)
  }

  @Test(arguments: [1, 2, 9])
  func `members of many owners equal those of each owner`(_ step: Int) throws {
    let owners = stride(from: 0, to: 40, by: step).map { regions[$0] }
    for asked in [owners, owners.reversed()] {
      let lists = try quakes.store.related(to: asked, relationship: 0)
      for owner in owners {
        let members = try quakes.store.related(to: owner, relationship: 0)
        #expect(members.count == 25)
        #expect(lists.members(of: owner).map(Array.init) == members)
      }
    }
  }

  /// The statement stops at the last owner, even if owners with members follow.
  @Test(arguments: [0..<20, 5..<25, 20..<40])
  func `a range of owners ends with the last owner`(_ indexes: Range<Int>) throws {
    let owners = indexes.filter { $0 % 7 != 3 }.map { regions[$0] }
    let lists = try quakes.store.related(to: owners, relationship: 0)
    #expect(lists.owners == owners && lists.members.count == 25 * owners.count)
    for index in indexes {
      let expected = index % 7 == 3 ? nil : stride(from: index, to: 1_000, by: 40).map { all[$0] }
      #expect(lists.members(of: regions[index]).map(Array.init) == expected)
    }
  }

  /// Another program may have dropped the index, so that SQLite has to sort.
  @Test func `members are correct without an index`() throws {
    let expected = try regions.map { try quakes.store.related(to: $0, relationship: 0) }
    quakes.store.close()
    let connection = try Connection(path: quakes.store.url.path, mode: .readWrite, busyTimeout: 1)
    try connection.run("DROP INDEX ZQUAKE_ZREGION_INDEX")
    connection.close()
    let lists = try QuakeStore(in: folder).store.related(to: regions.reversed(), relationship: 0)
    #expect(regions.map { lists.members(of: $0).map(Array.init) } == expected)
  }

  @Test func `owners without members have empty lists`() throws {
    let lonely = try quakes.insert((0..<30).map { quakes.row("Region", ["name": .string("lonely \($0)")]) }).inserted
    let lists = try quakes.store.related(to: regions + lonely, relationship: 0)
    for owner in lonely { #expect(lists.members(of: owner) == []) }
    #expect(lists.members.count == 1_000)
  }

  /// Within a read burst, reading continues after the previous owner's members.
  @Test func `members of single owners are correct in any order`() throws {
    let expected = try regions.map { try quakes.store.related(to: $0, relationship: 0) }
    let stranger = RowID(store: 1, entity: regions[0].entity, key: regions[39].key + 5)
    try ReadBurst.run {
      let walks = [Array(0..<40), Array((0..<40).reversed()), (0..<40).shuffled(), [3, 3, 4, 4, 3], [0, 39, 20, 39]]
      for indexes in walks {
        for index in indexes {
          let members = try quakes.store.related(to: regions[index], relationship: 0)
          #expect(members == expected[index])
        }
        let none = try quakes.store.related(to: stranger, relationship: 0)
        #expect(none == [])
      }
    }
  }

  @Test func `a commit between reads is visible to the next read`() throws {
    let moved = try #require(try quakes.stored(all[0]))
    try ReadBurst.run {
      for region in regions[..<5] {
        let members = try quakes.store.related(to: region, relationship: 0)
        #expect(members.count == 25)
      }
      var batch = ChangeBatch()
      batch.updated = [quakes.update(moved, "region", .reference(regions[5]))]
      _ = try quakes.store.commit(batch)
      let gained = try quakes.store.related(to: regions[5], relationship: 0)
      let lost = try quakes.store.related(to: regions[0], relationship: 0)
      #expect(gained.count == 26 && gained.contains(all[0]) && lost.count == 24)
    }
  }
}
