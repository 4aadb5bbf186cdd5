import Foundation
import StrataManagedModel
import StrataRowStore
import StrataSQLStore
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// Integrity checks, which report only real issues.
@Suite struct IntegrityCheckTests {
  private let folder: TemporaryFolder
  private let url: URL

  /// A store with two quakes and a region, closed.
  init() throws {
    folder = try TemporaryFolder()
    url = folder.url()
    let quakes = try QuakeStore(in: folder)
    try quakes.insert([quakes.row("Quake"), quakes.row("Quake"), quakes.row("Region", ["name": .string("Chile")])])
    quakes.store.close()
  }

  private func run(_ statements: String...) throws {
    let connection = try Connection(path: url.path, mode: .readWrite, busyTimeout: 1)
    for statement in statements { try connection.run(statement) }
    connection.close()
  }

  @Test func `a table constraint can replace a unique index`() throws {
    try run("DROP INDEX Z_Region_UNIQUE_name")
    #expect(try IntegrityCheck(of: url).flaws.map(\.kind) == [.missingIndex])
    try run(
      "CREATE TABLE other (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, UNIQUE (ZNAME))",
      "INSERT INTO other SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZREGION", "DROP TABLE ZREGION",
      "ALTER TABLE other RENAME TO ZREGION")
    #expect(try IntegrityCheck(of: url).flaws.isEmpty)
  }

  @Test func `a constraint on other columns does not replace a unique index`() throws {
    try run(
      "DROP INDEX Z_Region_UNIQUE_name",
      "CREATE TABLE other (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZNAME VARCHAR, UNIQUE (ZNAME, Z_OPT))",
      "INSERT INTO other SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZREGION", "DROP TABLE ZREGION",
      "ALTER TABLE other RENAME TO ZREGION")
    #expect(try IntegrityCheck(of: url).flaws.map(\.kind) == [.missingIndex])
  }

  @Test func `a row deleted without history is harmless if Apple's framework wrote the store`() throws {
    try run("DELETE FROM ZQUAKE WHERE Z_PK = 2")
    let own = try IntegrityCheck(of: url).flaws
    #expect(own.map(\.kind) == [.falseHistory] && own.allSatisfy { !$0.isHarmless })
    try run("UPDATE ACHANGE SET Z_OPT = NULL")
    let foreign = try IntegrityCheck(of: url).flaws
    #expect(foreign.map(\.kind) == [.falseHistory] && foreign.allSatisfy(\.isHarmless))
  }

  @Test func `a one-to-one relationship is checked at both ends`() throws {
    func change(_ quake: NSEntityDescription, _ region: NSEntityDescription) {
      let (strongest, holder) = (NSRelationshipDescription(), NSRelationshipDescription())
      (strongest.name, strongest.destinationEntity, strongest.maxCount) = ("strongest", quake, 1)
      (holder.name, holder.destinationEntity, holder.maxCount) = ("holder", region, 1)
      (strongest.inverseRelationship, holder.inverseRelationship) = (holder, strongest)
      region.properties.append(strongest)
      quake.properties.append(holder)
    }
    let other = folder.url("Pairs.sqlite")
    let store = try SQLStore(opening: other, model: QuakeStore.model(change), number: 1, options: .test)
    let quakes = QuakeStore(store, in: folder)
    try quakes.insert((0..<4).map { _ in quakes.row("Quake") })
    try quakes.insert(["a", "b", "c"].map { quakes.row("Region", ["name": .string($0)]) })
    store.close()
    let connection = try Connection(path: other.path, mode: .readWrite, busyTimeout: 1)
    for statement in [
      // Region and quake 1 agree; quake 2 does not refer to its region; two regions refer to one quake.
      "UPDATE ZREGION SET ZSTRONGEST = Z_PK", "UPDATE ZQUAKE SET ZHOLDER = 1 WHERE Z_PK = 1",
    ] { try connection.run(statement) }
    try connection.run("UPDATE ZREGION SET ZSTRONGEST = 1 WHERE Z_PK = 3")
    connection.close()
    let flaws = try IntegrityCheck(of: other).flaws
    #expect(flaws.map(\.kind) == [.oneSided] && flaws.first.map { Set($0.keys) } == [2, 3], "\(flaws)")
    let steps = try StoreRepair(of: other).steps
    #expect(steps.map(\.text) == ["ZHOLDER set to the row whose ZSTRONGEST refers to it"] && steps.first?.count == 1)
    let left = try IntegrityCheck(of: other).flaws
    #expect(left.map(\.kind) == [.oneSided] && left.first?.keys == [3], "\(left)")
  }
}
