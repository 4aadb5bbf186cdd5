import StrataRowStore
import StrataSQLText
import StrataSQLiteEngine
import StrataTestSupport
import Testing

/// Lists bound as a single parameter.
@Suite struct CArrayTableTests {
  let folder: TemporaryFolder
  let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(path: folder.file(), mode: .create, busyTimeout: 5)
    connection.defineLists()
  }

  private func members(_ values: [StoredValue]) throws -> [StoredValue] {
    let list = try #require(StoredList(values))
    return try connection.rows("SELECT value FROM STRATA_LIST(?)", bindings: [.list(list)]).map { $0[0] }
  }

  @Test func `members are distinct and in index order`() throws {
    #expect(
      try members([.integer(3), .integer(.min), .integer(3), .integer(.max), .integer(-1)])
        == [.integer(.min), .integer(-1), .integer(3), .integer(.max)])
    let texts = ["abcdefgh", "č", "abcdefg", "", "abcdefgh\0", "a", "abcdefgi", "abcdefgha", "a\0", "abcdefgh", "a"]
    _ = try connection.run("CREATE TABLE texts (text TEXT UNIQUE)")
    for text in texts { try connection.run("INSERT OR IGNORE INTO texts VALUES (?)", bindings: [.text(text)]) }
    let inOrder = try connection.rows("SELECT text FROM texts ORDER BY text").map { $0[0] }
    #expect(inOrder.count == 9)
    #expect(try members(texts.map(StoredValue.text)) == inOrder)
    #expect(
      try members([.blob([1, 2]), .blob([]), .blob([0xFF]), .blob([1]), .blob([1, 2])])
        == [.blob([]), .blob([1]), .blob([1, 2]), .blob([0xFF])])
  }

  @Test func `values that may equal each other in another form are not a list`() {
    #expect(StoredList([.real(0), .real(-0.0)]) == nil)
    #expect(StoredList([.integer(1), .text("1")]) == nil)
    #expect(StoredList([.text("1"), .blob([49])]) == nil)
    #expect(StoredList([.text("1"), .null]) == nil)
  }

  @Test func `a list stays bound until another is bound`() throws {
    try connection.run("CREATE TABLE things (number INTEGER PRIMARY KEY, name TEXT UNIQUE)")
    for number in 1...9 as ClosedRange<Int64> {
      try connection.run("INSERT INTO things VALUES (?, ?)", bindings: [.integer(number), .text("thing \(number)")])
    }
    let statement = try connection.statement(
      "SELECT number FROM STRATA_LIST(?) list CROSS JOIN things ON name = list.value")
    for wanted in [[2, 9, 4], [7], [1, 2, 3, 4, 5]] as [[Int64]] {
      let names = wanted.map { StoredValue.text("thing \($0)") } + [.text("none")]
      try statement.bind([.list(try #require(StoredList(names)))])
      for _ in 1...2 {
        var found: [Int64] = []
        while try statement.step() { found.append(statement.integer(0)) }
        #expect(found == wanted.sorted())
        statement.reset()
      }
    }
    let list = try #require(StoredList([.integer(3), .integer(5)]))
    try connection.run("DELETE FROM things WHERE number IN (SELECT value FROM STRATA_LIST(?))", bindings: [.list(list)])
    #expect(connection.changes == 2)
  }

  @Test func `a value that is not a list has no members`() throws {
    #expect(try connection.rows("SELECT value FROM STRATA_LIST(?)", bindings: [.text("[1,2]")]).isEmpty)
    #expect(try connection.rows("SELECT value FROM STRATA_LIST(NULL)").isEmpty)
    #expect(throws: StoreError.self) { try connection.rows("SELECT value FROM STRATA_LIST") }
  }
}
