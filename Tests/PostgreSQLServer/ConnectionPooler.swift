import Foundation

/// PgBouncer in front of a test's server. It ends with this process, even if the process is killed.
public final class ConnectionPooler: Sendable {
  private let folder: String
  private let control = Pipe()

  /// - Parameter mode: The unit for which a client gets a connection: `session` or `transaction`.
  public init(of server: PostgreSQLServer, mode: String) throws {
    var template = Array("/tmp/strata-pgbouncer-XXXXXX\u{0}".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw PostgreSQLServer.Failure(description: "Cannot create a folder in /tmp.")
    }
    folder = String(cString: made)
    let pooler = Process()
    pooler.executableURL = URL(fileURLWithPath: "/bin/sh")
    pooler.arguments = [
      "-c", Self.script, "sh", folder, (server.socketPath as NSString).deletingLastPathComponent, mode,
    ]
    let output = Pipe()
    (pooler.standardInput, pooler.standardOutput) = (control, output)
    try pooler.run()
    guard output.fileHandleForReading.availableData.isEmpty else { return }
    let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
    throw PostgreSQLServer.Failure(description: "PgBouncer did not start (apt install pgbouncer): \(log)")
  }

  /// The URL of the same store through the pooler.
  public func url(_ url: URL) -> URL {
    var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
    let others = (parts?.queryItems ?? []).filter { $0.name != "host" }
    parts?.queryItems = others + [URLQueryItem(name: "host", value: folder), URLQueryItem(name: "port", value: "6432")]
    return parts?.url ?? url
  }

  /// PgBouncer refuses to run as root, like the server.
  private static let script = """
    as=
    if [ "$(id -u)" -eq 0 ]; then
      as='setpriv --reuid=nobody --regid=nogroup --clear-groups'
      chown nobody:nogroup "$1"
    fi
    trap 'rm -rf "$1"' EXIT
    cat >"$1/pgbouncer.ini" <<END
    [databases]
    * = host=$2 user=strata
    [pgbouncer]
    listen_addr =
    unix_socket_dir = $1
    auth_type = any
    pool_mode = $3
    END
    PATH=$PATH:/usr/sbin
    $as pgbouncer "$1/pgbouncer.ini" >"$1/log" 2>&1 </dev/null &
    pooler=$!
    until [ -S "$1/.s.PGSQL.6432" ]; do
      kill -0 $pooler 2>/dev/null || exit 1
      sleep 0.05
    done
    echo ready
    cat
    kill $pooler
    wait $pooler
    """
}
