import StrataCPostgreSQL
import StrataRowStore

/// An error of the server or of the connection to it, the cause of a `StoreError`. States:
/// https://www.postgresql.org/docs/current/errcodes-appendix.html
package struct ServerFailure: Error, Hashable, CustomStringConvertible {
  /// The SQLSTATE, such as "23505"; nil if libpq itself failed, as it does when the connection is lost.
  package let state: String?
  package let message: String
  package let detail: String?
  /// The constraint that was violated.
  package let constraint: String?
  /// The SQL of the statement, if there was one.
  package let sql: String?

  package var description: String {
    let text = [message, detail].compactMap(\.self).joined(separator: " ")
    return "PostgreSQL \(state ?? "connection"): \(text)" + (sql.map { " in: \($0)" } ?? "")
  }

  /// Whether a unique index was violated.
  package var isUniqueness: Bool { state == "23505" }

  /// Whether the transaction may succeed if it is run again: a serialization failure, or a deadlock.
  package var isTransient: Bool { state == "40001" || state == "40P01" }

  /// Whether a prepared statement no longer fits its tables, which another process has changed.
  package var isStalePlan: Bool { state == "0A000" || state == "26000" }

  /// Whether a table, a column or the schema was not found.
  package var isMissingTable: Bool { ["42P01", "42703", "3F000"].contains(state) }

  /// Whether COPY does not take what INSERT would: a column has another type, or the table has policies.
  package var isUncopyable: Bool { state == "22P03" || state == "0A000" }

  /// Whether the connection is gone. What it was doing may or may not have happened.
  package var isLost: Bool {
    guard let state else { return true }
    return state.hasPrefix("08") || state.hasPrefix("57P") || state == "25P03"
  }

  /// Whether a server that refused a connection may accept one soon.
  var isTemporary: Bool { isLost || state == "53300" }
}

extension ServerFailure {
  /// A number that a column cannot hold, in the server's words.
  /// - Parameter type: the column's type in SQL.
  package static func outOfRange(_ type: String) -> ServerFailure {
    ServerFailure(state: "22003", message: "\(type) out of range", detail: nil, constraint: nil, sql: nil)
  }
}

extension ServerFailure {
  /// - Parameter sql: the statement that failed.
  init(_ result: OpaquePointer?, of connection: OpaquePointer?, sql: String?) {
    func field(_ code: Character) -> String? {
      PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
    }
    state = field("C")
    let fallback = connection.flatMap { PQerrorMessage($0) }.map { String(cString: $0) } ?? "out of memory"
    message = (field("M") ?? fallback).split(separator: "\n").joined(separator: " ")
    detail = field("D")
    constraint = field("n")
    self.sql = sql
  }

  /// Converts the failure to a store's error: what was tried on which store, why it failed, what would help.
  /// - Parameter tried: completes "Cannot …", such as `open` or `write`.
  package func storeError(_ tried: String, _ address: ServerAddress) -> StoreError {
    let (code, help) = diagnosis
    return StoreError(code, "Cannot \(tried) the store '\(address)': \(message). \(help) (\(self))", cause: self)
  }

  private var diagnosis: (StoreError.Code, String) {
    switch state {
    case "23505": (.constraint, "Two rows would share values that must be unique.")
    case "40001", "40P01": (.busy, "The transaction conflicted with another writer's. Try again.")
    case "55P03", "57014": (.busy, "Another writer held the rows for longer than the time-out: find it in pg_locks.")
    case "53100": (.full, "The server's disk is full. Nothing was changed; free some space.")
    case "53300": (.io, "The server has no connection left: close some, or raise max_connections.")
    case "42501": (.permission, "This role lacks the privilege: ask the database's administrator for it.")
    case "28000", "28P01": (.permission, "The server rejects this role: check user, password and pg_hba.conf.")
    case "25006": (.readOnly, "The server is a standby, or the role is read-only.")
    case "3D000": (.notOpen, "Create the database with createdb, or name another.")
    case "42P01", "42703", "3F000": (.corrupt, "Its tables do not match the model: another program changed them.")
    case "54000": (.unsupported, "PostgreSQL stores values of at most 1 GB; store larger ones elsewhere.")
    case "22021": (.unsupported, "PostgreSQL cannot store text with U+0000.")
    case _ where isLost: (.io, "The server does not respond: check that it runs and that the network reaches it.")
    default: (.io, "The server rejected the statement.")
    }
  }
}
