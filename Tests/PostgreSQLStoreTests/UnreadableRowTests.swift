import CoreDataPostgreSQL
import Foundation
import StrataPostgreSQLServer
import StrataTestSupport
import Testing

/// Faults of a store on a server that is temporarily unreadable.
@Suite(.waitsForProcesses) struct UnreadableRowTests {
  private let server: PostgreSQLServer

  init() throws { server = try PostgreSQLServer.shared.get() }

  /// Reads a note as a fault of a new context, has `recover` make it readable, and saves.
  private func check(_ notes: Notes, recover: () throws -> Void, leave: () throws -> Void) throws {
    let id = try notes.save("first")
    // Another context of the container merges the save on its own queue, and opens a connection for it: one that it begins
    // to open before `leave` could be usable afterwards.
    #expect(notes.merges("first"))
    let context = notes.container.newBackgroundContext()
    try context.performAndWait {
      let note = context.object(with: id)
      try leave()
      #expect(note.value(forKey: "text") == nil && note.isFault && !note.isDeleted)
      note.setValue("overwritten", forKey: "text")
      #expect(throws: CocoaError.self) { try context.save() }
      try recover()
      #expect(note.value(forKey: "text") as? String == "first")
      #expect(throws: CocoaError.self) { try context.save() }
      context.refreshAllObjects()
      try context.save()
    }
    #expect(try notes.texts() == ["first"])
  }

  @Test func `a fault whose table is temporarily missing is not overwritten`() throws {
    let url = server.freshURL()
    let notes = try Notes(url, keepsHistory: false)
    try check(notes) {
      _ = try server.rows("ALTER TABLE moved RENAME TO znote", in: url)
    } leave: {
      _ = try server.rows("ALTER TABLE znote RENAME TO moved", in: url)
    }
  }

  /// Takes as long as the store waits for an unreachable server: 30 seconds for each of two reads.
  @Test func `a fault whose server is away is not overwritten`() async throws {
    try await onOwnThread {
      let own = try PostgreSQLServer()
      let proxy = try CuttingProxy(before: own.socketPath)
      defer { proxy.close() }
      let url = own.freshURL(at: proxy.folder)
      let notes = try Notes(url, keepsHistory: false)
      let away = proxy.folder + "-away"
      try check(notes) {
        try FileManager.default.moveItem(atPath: away, toPath: proxy.folder)
      } leave: {
        try FileManager.default.moveItem(atPath: proxy.folder, toPath: away)
        _ = try own.rows(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' "
            + "AND pid <> pg_backend_pid()", in: own.freshURL())
      }
    }
  }
}
