import Foundation
import StrataPostgreSQLServer
import StrataPostgreSQLStore
import StrataRowStore
import StrataSQLText
import StrataStoreConformance
import StrataTestSupport
import Testing

/// The schema that a store's URL names, and the permission to use it.
@Suite(.waitsForProcesses) struct SchemaNameTests {
  private let server: PostgreSQLServer

  init() throws { server = try PostgreSQLServer.shared.get() }

  private func open(_ url: URL) throws -> PostgreSQLStore {
    try PostgreSQLStore(opening: url, model: StoreConformance.model, number: 1)
  }

  @Test(arguments: ["Neu", "NEU", "two words", "quo\"te", "Straße", "select"])
  func `a store's schema has the name in the URL`(_ name: String) throws {
    let spelled = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    let url = server.url(schema: spelled)
    let identifier = try open(url).identifier
    #expect(try open(url).identifier == identifier)
    let found = try server.rows("SELECT count(*) FROM pg_namespace WHERE nspname = current_schema()", in: url)
    #expect(found == [["1"]])
    try PostgreSQLStore.destroy(at: url, timeout: 60)
  }

  @Test func `a role without USAGE gets a permission error`() throws {
    let url = server.freshURL()
    try open(url).close()
    let schema = try ServerAddress(url).schema
    let role = "r\(UUID().uuidString.lowercased().prefix(8))"
    let administrator = try server.connect(url)
    try administrator.run(SQLStatement("CREATE ROLE \(role) LOGIN"))
    try administrator.run(
      SQLStatement("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(role)"))
    let text = url.absoluteString.replacingOccurrences(of: "//strata@", with: "//\(role)@")
    let other = try #require(URL(string: text))
    let error = #expect(throws: StoreError.self) { try open(other) }
    #expect(error?.code == .permission)
    #expect(error?.message.contains("permission denied for schema \(schema)") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("USAGE") == true && error?.message.contains("not match the model") == false)
    let reading = #expect(throws: StoreError.self) { try PostgreSQLStore.metadata(at: other) }
    #expect(reading?.code == .permission, "\(reading?.message ?? "")")
    try administrator.run(SQLStatement("DROP OWNED BY \(role)"))
    try administrator.run(SQLStatement("DROP ROLE \(role)"))
  }
}
