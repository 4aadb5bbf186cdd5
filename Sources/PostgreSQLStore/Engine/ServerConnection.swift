import Foundation
import Glibc
import StrataCPostgreSQL
import StrataRowStore
import StrataSQLText

/// A connection to a PostgreSQL server, in which names without a schema are the store's. One thread at a time uses it.
///
/// Values cross in the server's binary format: text would cost a third more.
package final class ServerConnection: @unchecked Sendable {
  // Sendable: one thread at a time uses it, and threads pass it on under a lock.
  package let address: ServerAddress
  let handle: OpaquePointer
  /// The process that connected: a connection is of no use to a child of `fork`, and must not be closed by it.
  private let process = getpid()
  var statements = PreparedStatements()
  /// Its session, if another connection may have to end it.
  package var session: Session?
  /// Whether it is lost, although libpq may not know yet.
  var isBroken = false

  /// Parameters that a URL may override: how long to wait for a server that does not respond, in seconds and, once
  /// connected, milliseconds.
  private static let defaults = [
    "connect_timeout": "10", "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3",
    "tcp_user_timeout": "30000",
  ]

  /// The server too notices within a minute that the host at the other end is gone, and releases that host's locks.
  private static let settings = """
    SELECT set_config('search_path', $1, false), set_config('tcp_keepalives_idle', '30', false), \
    set_config('tcp_keepalives_interval', '10', false), set_config('tcp_keepalives_count', '3', false), \
    set_config('tcp_user_timeout', '60000', false)
    """

  /// Connects to the server.
  /// - Parameter name: what `pg_stat_activity` shows of this connection.
  /// - Throws: `StoreError`: `.io` if the server does not respond, `.permission` if it rejects the role, `.notOpen` if
  ///   the database does not exist.
  package init(to address: ServerAddress, name: String) throws {
    self.address = address
    // A later word overrides an earlier one, and the URL is expanded in its place.
    let words =
      Self.defaults.sorted { $0.key < $1.key } + [("dbname", address.connectionString)]
      + [("client_encoding", "UTF8"), ("application_name", name)]
    let (keys, values) = (words.map { strdup($0.0) }, words.map { strdup($0.1) })
    defer { for word in keys + values { free(word) } }
    let opened = PQconnectdbParams(keys.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
    guard let opened, PQstatus(opened) == CONNECTION_OK else {
      let failure = ServerFailure(nil, of: opened, sql: nil)
      PQfinish(opened)
      throw failure.refusal.storeError("open", address)
    }
    handle = opened
    PQsetNoticeProcessor(handle, { _, _ in }, nil)  // Notices are not errors, and the program's stderr is its own.
    try run(SQLStatement(Self.settings, [.text(Self.quoted(address.schema))]))
  }

  deinit { if process == getpid() { PQfinish(handle) } }

  /// False once the connection is known to be broken.
  package var isAlive: Bool { PQstatus(handle) == CONNECTION_OK && !isBroken }

  /// The server's version: 150020 is 15.20.
  package var serverVersion: Int { Int(PQserverVersion(handle)) }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

  /// A name as spelled in statements.
  package static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

  /// The failure of a result. A server that ends a connection may report it before libpq notices.
  func failure(_ result: OpaquePointer?, sql: String?) -> ServerFailure {
    let failure = ServerFailure(result, of: handle, sql: sql)
    if failure.isLost { isBroken = true }
    return failure
  }
}

extension ServerFailure {
  /// The state of a refused connection, which libpq gives only as part of its message.
  fileprivate var refusal: ServerFailure {
    let states = [
      ("password authentication failed", "28P01"), ("no pg_hba.conf entry", "28000"), ("role \"", "28000"),
      ("database \"", "3D000"), ("too many clients", "53300"), ("remaining connection slots", "53300"),
      ("starting up", "57P03"), ("shutting down", "57P03"), ("accepting connections", "57P03"), ("recovery", "57P03"),
    ]
    let state = states.first { message.contains($0.0) }?.1
    return ServerFailure(state: state, message: message, detail: detail, constraint: nil, sql: nil)
  }
}
