import Foundation
import StrataTestSupport
import Testing

/// SQL debugging on standard error, enabled as on Apple's systems.
@Suite(.waitsForProcesses) struct SQLDebugTests {
  private func write(_ arguments: String..., variables: [String: String] = [:]) throws -> [String] {
    let home = try Home()
    let probe = try Program(
      "strata-store-probe", ["write", home.url.path, "1"] + arguments, home: home.url, variables: variables)
    #expect(probe.status() == 0)
    return probe.errorText.split(separator: "\n").map(String.init)
  }

  @Test func `without the argument, SQL is not printed`() throws {
    #expect(try write().isEmpty)
    #expect(try write("-com.apple.CoreData.SQLDebug", "0").isEmpty)
  }

  @Test func `the first level prints statements with their time and context`() throws {
    let lines = try write("-com.apple.CoreData.SQLDebug", "1")
    let insertion = try #require(lines.firstIndex { $0.contains("sql: INSERT INTO ZEVENT") })
    #expect(lines[insertion].hasPrefix("CoreData: ["))
    #expect(lines[insertion...].contains { $0.contains("annotation: sql execution time: 0.") })
    #expect(!lines.contains { $0.contains("details:") })
  }

  @Test(arguments: [(2, "bound"), (3, "row"), (4, "plan")])
  func `each level adds details to the one below`(_ level: Int, _ word: String) throws {
    let below = try write(variables: ["COREDATA_SQL_DEBUG": "\(level - 1)"])
    let lines = try write(variables: ["COREDATA_SQL_DEBUG": "\(level)"])
    #expect(!below.contains { $0.contains("details: SQLite \(word):") })
    #expect(lines.contains { $0.contains("details: SQLite \(word):") })
    #expect(lines.contains { $0.contains("sql: INSERT INTO ZEVENT") })
  }
}
