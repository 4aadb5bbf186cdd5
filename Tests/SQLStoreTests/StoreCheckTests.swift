import Foundation
import StrataRowStore
import StrataSQLStore
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// A check reports what is wrong, and nothing else.
@Suite struct StoreCheckTests {
  private let folder: TemporaryFolder
  private let url: URL

  /// A store with two quakes and a region, closed.
  init() throws {
    folder = try TemporaryFolder()
    url = folder.url()
    let world = try QuakeStore(in: folder)
    try world.insert([world.row("Quake"), world.row("Quake"), world.row("Region", ["name": .string("Chile")])])
    world.store.close()
  }

  private func run(_ statements: String...) throws {
    let connection = try Connection(path: url.path, mode: .readWrite, busyTimeout: 1)
    for statement in statements { try connection.run(statement) }
    connection.close()
  }

  @Test func aUniqueConstraintMayBeOneOfTheTable() throws {
    try run("DROP INDEX Z_Region_UNIQUE_name")
    #expect(try StoreCheck(of: url).flaws.map(\.kind) == [.missingIndex])
    try run(
      "CREATE TABLE other (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, UNIQUE (ZNAME))",
      "INSERT INTO other SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZREGION", "DROP TABLE ZREGION",
      "ALTER TABLE other RENAME TO ZREGION")
    #expect(try StoreCheck(of: url).flaws.isEmpty)
  }

  @Test func aConstraintOfOtherColumnsIsAnother() throws {
    try run(
      "DROP INDEX Z_Region_UNIQUE_name",
      "CREATE TABLE other (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZNAME VARCHAR, UNIQUE (ZNAME, Z_OPT))",
      "INSERT INTO other SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZREGION", "DROP TABLE ZREGION",
      "ALTER TABLE other RENAME TO ZREGION")
    #expect(try StoreCheck(of: url).flaws.map(\.kind) == [.missingIndex])
  }

  @Test func rowsThatApplesFrameworkRemovedUnheardAreNoted() throws {
    try run("DELETE FROM ZQUAKE WHERE Z_PK = 2")
    let own = try StoreCheck(of: url).flaws
    #expect(own.map(\.kind) == [.falseHistory] && own.allSatisfy { !$0.isHarmless })
    try run("UPDATE ACHANGE SET Z_OPT = NULL")
    let foreign = try StoreCheck(of: url).flaws
    #expect(foreign.map(\.kind) == [.falseHistory] && foreign.allSatisfy(\.isHarmless))
  }
}
