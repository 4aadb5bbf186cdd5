import Foundation
import Glibc
import StrataPostgreSQLEngine
import StrataSQLText

/// A server of the tests' own, on a socket in a temporary folder. It ends with the process, however that ends.
public final class PostgreSQLServer: Sendable {
  /// The server that the tests of this process share, each in a schema of its own.
  public static let shared: Result<PostgreSQLServer, any Error> = Result { try PostgreSQLServer() }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  private let folder: String
  /// The server ends when it is closed.
  private let leash = Pipe()

  init() throws {
    // Not in TMPDIR, which only this user may enter, and with a short path, as sockets need.
    var template = Array("/tmp/strata-postgresql-XXXXXX\u{0}".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure(description: "Cannot make a folder in /tmp.") }
    folder = String(cString: made)
    guard let tools = Self.tools else { throw Failure(description: "PostgreSQL is missing: apt install postgresql") }
    let output = Pipe()
    let server = Process()
    server.executableURL = URL(fileURLWithPath: "/bin/sh")
    server.arguments = ["-c", Self.script, "sh", folder, tools]
    server.standardInput = leash
    server.standardOutput = output
    try server.run()
    // The shell prints a line when the server takes connections.
    guard !output.fileHandleForReading.availableData.isEmpty else {
      let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
      throw Failure(description: "The server did not start: \(log)")
    }
  }

  /// The server refuses to run as root, so that root becomes a user without rights.
  private static let script = """
    as=
    if [ "$(id -u)" -eq 0 ]; then
      as='setpriv --reuid=nobody --regid=nogroup --clear-groups'
      chown nobody:nogroup "$1"
    fi
    trap 'rm -rf "$1"' EXIT
    $as "$2/initdb" -D "$1/data" -U strata --auth=trust -E UTF8 --locale=C.UTF-8 --no-sync >"$1/log" 2>&1 || exit 1
    $as "$2/postgres" -D "$1/data" -k "$1" -c listen_addresses= -c fsync=off -c max_connections=500 >>"$1/log" 2>&1 </dev/null &
    server=$!
    until $as "$2/pg_isready" -q -h "$1"; do
      kill -0 $server 2>/dev/null || exit 1
      sleep 0.05
    done
    echo ready
    read -r line
    kill -QUIT $server
    wait $server
    """

  private static var tools: String? {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    return versions.compactMap(Int.init).max().map { "/usr/lib/postgresql/\($0)/bin" }
  }

  /// The URL of a schema that no other test uses.
  public func freshURL(_ parameters: String = "") -> URL {
    let schema = "s\(UUID().uuidString.lowercased().prefix(8))"
    return URL(string: "postgresql://strata@/postgres?host=\(folder)&schema=\(schema)\(parameters)")
      ?? URL(fileURLWithPath: folder)
  }

  /// Connects to a schema, and makes it.
  package func connect(_ url: URL? = nil) throws -> ServerConnection {
    let connection = try ServerConnection(to: ServerAddress(url ?? freshURL()), name: "test")
    let schema = ServerConnection.quoted(connection.address.schema)
    try connection.run(SQLStatement("CREATE SCHEMA IF NOT EXISTS \(schema)"))
    return connection
  }
}
