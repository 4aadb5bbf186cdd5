import Foundation
import StrataCSQLite
import StrataSupport

/// The output of `SQLDebug` for a connection.
/// See https://sqlite.org/c3ref/trace_v2.html
extension Connection {
  func startTracing() {
    guard SQLDebug.isOn else { return }
    let trace = StatementTrace()
    self.trace = trace
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE),
      { event, trace, statement, detail in
        guard let trace, let statement else { return 0 }
        Unmanaged<StatementTrace>.fromOpaque(trace).takeUnretainedValue()
          .note(event, statement: OpaquePointer(statement), detail: detail)
        return 0
      }, Unmanaged.passUnretained(trace).toOpaque())
  }
}

/// One connection's running statements, with their row counts and start times.
final class StatementTrace {
  // Used only by the thread that uses the connection.
  private var running: [OpaquePointer: (rows: Int, start: ContinuousClock.Instant)] = [:]
  /// Set while EXPLAIN QUERY PLAN runs, which is a statement too.
  private var isExplaining = false

  fileprivate func note(_ event: UInt32, statement: OpaquePointer, detail: UnsafeMutableRawPointer?) {
    guard !isExplaining else { return }
    switch Int32(event) {
    case SQLITE_TRACE_STMT: begin(statement, detail: detail)
    case SQLITE_TRACE_ROW: row(statement)
    case SQLITE_TRACE_PROFILE: end(statement)
    default: break
    }
  }

  private func begin(_ statement: OpaquePointer, detail: UnsafeMutableRawPointer?) {
    let text = detail.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
    // SQLite reports statements run by triggers as comments.
    guard !text.hasPrefix("--") else { return }
    show("sql: \(text)")
    if SQLDebug.level >= .bindings, sqlite3_bind_parameter_count(statement) > 0,
      let expanded = sqlite3_expanded_sql(statement)
    {
      show("details: SQLite bound: \(String(cString: expanded))")
      sqlite3_free(expanded)
    }
    if SQLDebug.level >= .plans { explain(statement) }
    running[statement] = (0, .now)
  }

  private func row(_ statement: OpaquePointer) {
    // Statements that SQLite runs for itself, such as reading the schema, report no start.
    guard running[statement] != nil else { return }
    running[statement]?.rows += 1
    guard SQLDebug.level >= .rows else { return }
    let values = (0..<sqlite3_column_count(statement)).map { column in
      "\(String(cString: sqlite3_column_name(statement, column))) = \(Self.value(statement, column))"
    }
    show("details: SQLite row: \(values.joined(separator: ", "))")
  }

  /// Measures the time itself: SQLite's clock has millisecond resolution.
  private func end(_ statement: OpaquePointer) {
    guard let (count, start) = running.removeValue(forKey: statement) else { return }
    let seconds = String(format: "%.6f", (ContinuousClock.now - start) / .seconds(1))
    let rows = sqlite3_column_count(statement) == 0 ? "" : count == 1 ? " for 1 row" : " for \(count) rows"
    show("annotation: sql execution time: \(seconds)s\(rows)")
  }

  private func explain(_ statement: OpaquePointer) {
    guard let text = sqlite3_sql(statement), sqlite3_stmt_isexplain(statement) == 0 else { return }
    isExplaining = true
    defer { isExplaining = false }
    var plan: OpaquePointer?
    defer { sqlite3_finalize(plan) }
    let question = "EXPLAIN QUERY PLAN " + String(cString: text)
    guard sqlite3_prepare_v2(sqlite3_db_handle(statement), question, -1, &plan, nil) == SQLITE_OK else { return }
    while sqlite3_step(plan) == SQLITE_ROW {
      show("details: SQLite plan: \(String(cString: sqlite3_column_text(plan, 3)))")
    }
  }

  private func show(_ text: String) {
    let context = SQLDebug.contextName.map { " [\($0)]" } ?? ""
    Diagnostics.write("CoreData:\(context) \(text)")
  }

  /// Never reads a value in another type than its own: the conversion would change it for the next read.
  private static func value(_ statement: OpaquePointer, _ column: Int32) -> String {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: "\(sqlite3_column_int64(statement, column))"
    case SQLITE_FLOAT: "\(sqlite3_column_double(statement, column))"
    case SQLITE_TEXT: "'\(String(cString: sqlite3_column_text(statement, column)))'"
    case SQLITE_BLOB: "\(sqlite3_column_bytes(statement, column)) bytes"
    default: "NULL"
    }
  }
}
