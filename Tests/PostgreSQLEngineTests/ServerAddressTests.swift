import Foundation
import StrataPostgreSQLStore
import StrataRowStore
import Testing

/// URLs that name a server, a database and a schema, and whose password is never shown.
@Suite struct ServerAddressTests {
  private func address(_ text: String) throws -> ServerAddress { try ServerAddress(#require(URL(string: text))) }

  @Test func `the schema is given or named after the database`() throws {
    #expect(try address("postgresql://host/db?schema=books").schema == "books")
    #expect(try address("postgres://host:5433/quakes?sslmode=require").schema == "quakes")
    #expect(try address("postgresql:///db?host=/run/postgresql&schema=B%20%22x").schema == "B \"x")
  }

  @Test func `the description does not contain the password`() throws {
    let found = try address("postgresql://me:secret@host/db?schema=books&password=secret2&sslmode=require")
    #expect(found.description == "postgresql://me@host/db?schema=books&sslmode=require")
  }

  @Test(arguments: [
    "file:///tmp/a.sqlite", "postgresql://host", "postgresql://host/db?schema=", "postgresql://host/db?schema=pg_temp",
    "postgresql://host/public", "postgresql://host/db?schema=information_schema",
    "postgresql://host/db?schema=0123456789012345678901234567890123456789012345678901234567890123",
  ])
  func `an address without a valid schema is refused`(_ text: String) {
    let error = #expect(throws: StoreError.self) { _ = try address(text) }
    #expect(error?.code == .notOpen)
  }
}
