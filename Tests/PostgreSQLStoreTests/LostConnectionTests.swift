import CoreDataPostgreSQL
import Foundation
import StrataPostgreSQLServer
import StrataPostgreSQLStore
import StrataTestSupport
import Testing

/// A server that ends connections, is unavailable for some time, or does not respond.
@Suite(.waitsForProcesses, .serialized) struct LostConnectionTests {
  /// A separate server, because other tests run concurrently on theirs.
  private static let own: Result<PostgreSQLServer, any Error> = Result { try PostgreSQLServer(isDurable: true) }
  private let server: PostgreSQLServer

  init() throws { server = try Self.own.get() }

  @Test func `reading and saving continue after every connection is lost`() throws {
    let url = server.freshURL()
    let notes = try Notes(url)
    let first = try notes.save("first")
    for number in 0..<3 {
      try server.endConnections(url)
      notes.forget()
      #expect(notes.text(of: first) == "first")
      try server.endConnections(url)
      try notes.save("\(number)")
    }
    #expect(try notes.texts() == ["0", "1", "2", "first"])
    #expect(try notes.historyCount() == 4)
  }

  @Test(arguments: [PostgreSQLServer.End.immediate, .fast])
  func `both programs continue after the server restarts`(_ end: PostgreSQLServer.End) throws {
    let url = server.freshURL()
    let (one, other) = (try Notes(url), try Notes(url))
    try one.save("before")
    #expect(other.merges("before"))
    try server.restart(end)
    try one.save("after")
    #expect(other.merges("after"))
    try other.save("back")
    #expect(one.merges("back"))
    #expect(try one.texts() == ["after", "back", "before"])
  }

  @Test func `fetches and saves wait for a server that restarts`() async throws {
    try await onOwnThread {
      let notes = try Notes(server.freshURL())
      let first = try notes.save("first")
      let restart = Thread { [server] in for _ in 0..<3 { try? server.restart(.immediate) } }
      restart.start()
      for number in 0..<20 {
        notes.forget()
        #expect(notes.text(of: first) == "first")
        try notes.save("\(number)")
      }
      while !restart.isFinished { usleep(10_000) }
      #expect(try notes.texts().count == 21)
      #expect(try notes.historyCount() == 21)
    }
  }

  /// The outcome of the save is reported correctly, and the save is not repeated.
  @Test(arguments: [CuttingProxy.Cut.response, .request, .late])
  func `a commit without a response is executed once`(_ cut: CuttingProxy.Cut) async throws {
    try await onOwnThread {
      let proxy = try CuttingProxy(before: server.socketPath)
      defer { proxy.close() }
      let url = server.freshURL(at: proxy.folder)
      let (notes, other) = (try Notes(url), try Notes(url))
      proxy.cutNextCommit(cut)
      try notes.save("once")
      // Wait for the late COMMIT.
      if cut == .late { usleep(1_500_000) }
      try notes.save("more")
      #expect(try notes.texts() == ["more", "once"])
      #expect(try notes.historyCount() == 2)
      #expect(other.merges("more") && other.merges("once"))
    }
  }

  /// A store without history cannot find out whether the commit succeeded.
  @Test func `a commit without a response is not repeated without history`() throws {
    let proxy = try CuttingProxy(before: server.socketPath)
    defer { proxy.close() }
    let url = server.freshURL(at: proxy.folder)
    // Creates the store, so that the next COMMIT is the first of its connection.
    _ = try Notes(url, keepsHistory: false)
    let notes = try Notes(url, keepsHistory: false)
    proxy.cutNextCommit(.response)
    #expect(throws: CocoaError.self) { try notes.save("once") }
    #expect(try notes.texts() == ["once"])
  }

  /// A reader whose connection was ended still needs the history.
  @Test func `a purge keeps transactions that a disconnected reader needs`() throws {
    let url = server.freshURL()
    let (one, other) = (try Notes(url), try Notes(url))
    try one.save("first")
    let store = try #require(other.container.persistentStoreCoordinator.persistentStores.first)
    let follower = try HistoryFollower(of: store)
    try follower.catchUp { _ in }
    try server.endConnections(url)
    try one.save("second")
    let own = try #require(one.container.persistentStoreCoordinator.persistentStores.first)
    try HistoryFollower.purgeHistory(of: own)
    var count = 0
    try follower.catchUp { _ in count += 1 }
    #expect(count == 1)
    #expect(other.merges("second"))
  }

  @Test func `a follower's name is free after the follower ends`() throws {
    let notes = try Notes(server.freshURL())
    let store = try #require(notes.container.persistentStoreCoordinator.persistentStores.first)
    let others = try HistoryFollower(of: store)
    let first = try HistoryFollower(of: store, name: "a")
    #expect(throws: CocoaError.self) { try HistoryFollower(of: store, name: "a") }
    first.end()
    #expect(throws: Never.self) { try HistoryFollower(of: store, name: "a") }
    others.end()
  }
}

extension PostgreSQLServer {
  /// Ends every connection, and waits until all are closed.
  fileprivate func endConnections(_ url: URL) throws {
    let others = "FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
    while try rows("SELECT pg_terminate_backend(pid) \(others)", in: url).count > 0 { usleep(5_000) }
  }
}
