import Foundation
import Glibc
import StrataPostgreSQLStore
import StrataSQLText

/// A server for tests, on a socket in a temporary folder. It ends with this process, even if the process is killed.
public final class PostgreSQLServer: Sendable {
  /// The server that the tests of this process share. Each test uses a separate schema.
  public static let shared: Result<PostgreSQLServer, any Error> = Result { try PostgreSQLServer() }

  public struct Failure: Error, CustomStringConvertible {
    public let description: String

    package init(description: String) { self.description = description }
  }

  /// The way in which a server that is restarted ends.
  public enum End: String, Sendable {
    /// Immediately, as in a crash.
    case immediate = "QUIT"
    /// After it has closed all connections.
    case fast = "INT"
  }

  private let folder: String
  /// Receives the name of a signal for each restart. The server ends when this pipe is closed.
  private let control = Pipe()
  /// The shell prints a line when the server accepts connections.
  private let output = Pipe()

  /// - Parameters:
  ///   - isDurable: Whether commits wait for the disk.
  ///   - network: A process in whose network the server is available at `host`, without a password; nil for none.
  public init(isDurable: Bool = false, network: (process: pid_t, host: String)? = nil) throws {
    // Not in TMPDIR: only this user may enter it, and the path of a socket must be short. If TMPDIR is in memory, this folder
    // is too, because a schema has a hundred files.
    let isInMemory = ProcessInfo.processInfo.environment["TMPDIR"]?.hasPrefix("/dev/shm/") == true
    let parent = isInMemory && !isDurable ? "/dev/shm" : "/tmp"
    var template = Array("\(parent)/strata-postgresql-XXXXXX\u{0}".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure(description: "Cannot create a folder in \(parent).") }
    folder = String(cString: made)
    guard let tools = Self.tools else { throw Failure(description: "PostgreSQL is missing: apt install postgresql") }
    let server = Process()
    server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    server.arguments =
      (network.map { ["nsenter", "-t", "\($0.process)", "-n"] } ?? [])
      + ["sh", "-c", Self.script, "sh", folder, tools, isDurable ? "on" : "off", network?.host ?? ""]
    server.standardInput = control
    server.standardOutput = output
    try server.run()
    try awaitReady()
  }

  private func awaitReady() throws {
    guard output.fileHandleForReading.availableData.isEmpty else { return }
    let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
    throw Failure(description: "The server did not start: \(log)")
  }

  /// Ends the server and starts it again on the same files. Only one thread at a time may call this.
  public func restart(_ end: End) throws {
    try control.fileHandleForWriting.write(contentsOf: Data("\(end.rawValue)\n".utf8))
    try awaitReady()
  }

  /// The server refuses to run as root: for root, it runs as a user without rights.
  private static let script = """
    as=
    if [ "$(id -u)" -eq 0 ]; then
      as='setpriv --reuid=nobody --regid=nogroup --clear-groups'
      chown nobody:nogroup "$1"
    fi
    trap 'rm -rf "$1"' EXIT
    $as "$2/initdb" -D "$1/data" -U strata --auth=trust -E UTF8 --locale=C.UTF-8 --no-sync >"$1/log" 2>&1 || exit 1
    if [ -n "$4" ]; then echo "host all all $4/24 trust" >>"$1/data/pg_hba.conf"; fi
    # Each connection is a fork of the server: this looks up symbols of libraries once, instead of once per connection.
    export LD_BIND_NOW=1
    start() {
      $as "$2/postgres" -D "$1/data" -k "$1" -c listen_addresses="$4" -c fsync="$3" -c max_connections=500 >>"$1/log" 2>&1 </dev/null &
      server=$!
      until $as "$2/pg_isready" -q -h "$1"; do
        kill -0 $server 2>/dev/null || exit 1
        sleep 0.05
      done
      echo ready
    }
    start "$@"
    while read -r signal; do
      kill -"$signal" $server
      wait $server || true
      start "$@"
    done
    kill -QUIT $server
    wait $server
    """

  private static var tools: String? {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    return versions.compactMap(Int.init).max().map { "/usr/lib/postgresql/\($0)/bin" }
  }

  /// The URL of a schema that no other test uses.
  public func freshURL(at host: String? = nil, _ parameters: String = "") -> URL {
    url(schema: "s\(UUID().uuidString.lowercased().prefix(8))", at: host, parameters)
  }

  /// The URL of a schema.
  /// - Parameter host: the address of the server in its network; nil for its socket.
  public func url(schema: String, at host: String? = nil, _ parameters: String = "") -> URL {
    URL(string: "postgresql://strata@/postgres?host=\(host ?? folder)&schema=\(schema)\(parameters)")
      ?? URL(fileURLWithPath: folder)
  }

  /// The path of the socket, for a proxy.
  package var socketPath: String { "\(folder)/.s.PGSQL.5432" }

  /// Connects to a schema, and creates it if necessary.
  package func connect(_ url: URL? = nil) throws -> ServerConnection {
    let connection = try ServerConnection(to: ServerAddress(url ?? freshURL()), name: "test")
    let schema = ServerConnection.quoted(connection.address.schema)
    try connection.run(SQLStatement("CREATE SCHEMA IF NOT EXISTS \(schema)"))
    return connection
  }

  /// Runs a query on a new connection and returns the rows as texts.
  /// - Parameter url: A URL that names the schema.
  public func rows(_ sql: String, in url: URL) throws -> [[String]] {
    let connection = try ServerConnection(to: ServerAddress(url), name: "test")
    return try connection.run(SQLStatement(sql)).rows.map { row in row.map(Self.text) }
  }

  private static func text(_ value: StoredValue) -> String {
    switch value {
    case .null, .list, .blob: ""
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): text
    }
  }
}
