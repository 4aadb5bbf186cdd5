import CoreDataPostgreSQL
import Foundation
import StrataPostgreSQLServer
import StrataTestSupport
import Testing

/// PgBouncer between a program and its store.
@Suite(.waitsForProcesses) struct PoolerTests {
  private let server: PostgreSQLServer

  init() throws { server = try PostgreSQLServer.shared.get() }

  /// Such a pooler silently loses notifications, locks and prepared statements.
  @Test func `a pooler that shares connections between transactions is refused`() throws {
    let url = server.freshURL()
    _ = try Notes(url)
    let pooled = try ConnectionPooler(of: server, mode: "transaction").url(url)
    for _ in 0..<20 {
      let error = #expect(throws: CocoaError.self) { try Notes(pooled) }
      #expect(error?.localizedDescription.contains("pool_mode = session") == true, "\(error.debugDescription)")
    }
  }

  @Test func `a pooler that shares connections between sessions works`() throws {
    let url = server.freshURL()
    let pooler = try ConnectionPooler(of: server, mode: "session")
    let (one, other) = (try Notes(pooler.url(url)), try Notes(pooler.url(url)))
    try one.save("first")
    #expect(other.merges("first"))
    try other.save("second")
    #expect(one.merges("second"))
  }
}
