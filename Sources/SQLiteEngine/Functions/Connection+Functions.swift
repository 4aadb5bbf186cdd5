import Foundation
import StrataCSQLite
import StrataManagedModel
import StrataPredicates

/// The arguments of an SQL function.
package struct FunctionArguments {
  let values: UnsafeMutablePointer<OpaquePointer?>
  let count: Int

  /// The text of an argument; nil for NULL.
  package func text(_ index: Int) -> String? {
    guard let start = sqlite3_value_text(values[index]) else { return nil }
    let count = Int(sqlite3_value_bytes(values[index]))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The bytes of a blob, valid while the function runs; nil for other values.
  package func blob(_ index: Int) -> UnsafeRawBufferPointer? {
    sqlite3_value_type(values[index]) == SQLITE_BLOB ? RowFetcher.blob(values[index]) : nil
  }

  package func integer(_ index: Int) -> Int64 { sqlite3_value_int64(values[index]) }

  /// Arguments that are each followed by the raw value of their kind.
  /// - Parameter count: how many values to return; nil for all.
  package func values(_ count: Int? = nil) -> [PredicateValue] {
    (0..<(count ?? self.count / 2)).map { index in
      value(2 * index, SlotKind(rawValue: UInt8(truncatingIfNeeded: integer(2 * index + 1))) ?? .double)
    }
  }

  /// An argument as a predicate compares it.
  /// - Parameter kind: the kind of the column or expression that the argument comes from.
  package func value(_ index: Int, _ kind: SlotKind) -> PredicateValue {
    let value = values[index]
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: return .null
    case SQLITE_INTEGER where kind == .boolean: return .bool(sqlite3_value_int64(value) != 0)
    case _ where kind == .decimal: return .decimal(RowFetcher.decimal(value))
    case SQLITE_INTEGER where kind != .date: return .integer(sqlite3_value_int64(value))
    case SQLITE_INTEGER, SQLITE_FLOAT:
      let real = sqlite3_value_double(value)
      return kind == .date ? .date(Date(timeIntervalSinceReferenceDate: real)) : .real(real)
    case SQLITE_TEXT:
      let text = text(index) ?? ""
      return kind == .uri ? URL(string: text).map(PredicateValue.url) ?? .string(text) : .string(text)
    default:
      let bytes = RowFetcher.blob(value)
      return kind == .uuid && bytes.count == 16
        ? .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))) : .data(Data(bytes))
    }
  }
}

/// The result of an SQL function.
package enum FunctionResult {
  case null
  case truth(Bool)
  case text(String)
  case value(PredicateValue)
}

extension Connection {
  package typealias Function = @Sendable (FunctionArguments) throws -> FunctionResult

  /// Defines an SQL function. An error it throws fails the statement.
  /// See https://sqlite.org/c3ref/create_function.html
  /// - Parameters:
  ///   - isDeterministic: whether equal arguments always give equal results.
  ///   - isForSchema: whether triggers and views of the file, which its author chose, may call it. Temporary triggers
  ///     always may.
  package func define(
    _ name: String, argumentCount: Int, isDeterministic: Bool = true, isForSchema: Bool = false,
    function: @escaping Function
  ) {
    let flags = (isDeterministic ? SQLITE_DETERMINISTIC : 0) | (isForSchema ? SQLITE_INNOCUOUS : SQLITE_DIRECTONLY)
    let box = Unmanaged.passRetained(FunctionBox(function))
    sqlite3_create_function_v2(
      handle, name, Int32(argumentCount), SQLITE_UTF8 | flags, box.toOpaque(),
      { context, count, values in
        let box = Unmanaged<FunctionBox>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue()
        // SQLite passes no array to a function without arguments.
        guard let values else { return sqlite3_result_null(context) }
        do {
          try box.function(FunctionArguments(values: values, count: Int(count))).hand(to: context)
        } catch {
          sqlite3_result_error(context, String(describing: error), -1)
          sqlite3_result_error_code(context, SQLiteFailure.refusedByFunction)
        }
      }, nil, nil, { Unmanaged<FunctionBox>.fromOpaque($0!).release() })
  }

  /// Defines stand-ins for the functions that Apple's triggers for derived attributes call. There they tell the
  /// framework which object changed; without them every write to such a table fails.
  package func defineTriggerFunctions() {
    for name in [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
      "NSCoreDataTriggerUpdateAffectedObjectValue",
    ] {
      define(name, argumentCount: -1, isForSchema: true) { _ in .null }
    }
  }
}

private final class FunctionBox {
  let function: Connection.Function
  init(_ function: @escaping Connection.Function) { self.function = function }
}

extension FunctionResult {
  func hand(to context: OpaquePointer?) {
    switch self {
    case .null: sqlite3_result_null(context)
    case .truth(let truth): sqlite3_result_int(context, truth ? 1 : 0)
    case .text(let text): Self.hand(text, to: context)
    case .value(let value): Self.hand(value, to: context)
    }
  }

  private static func hand(_ value: PredicateValue, to context: OpaquePointer?) {
    switch value {
    case .bool(let flag): sqlite3_result_int(context, flag ? 1 : 0)
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    case .decimal(let decimal): hand(decimal, to: context)
    case .string(let text): hand(text, to: context)
    case .url(let url): hand(url.absoluteString, to: context)
    case .date(let date): sqlite3_result_double(context, date.timeIntervalSinceReferenceDate)
    case .data(let data): data.withUnsafeBytes { hand($0, to: context) }
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { hand($0, to: context) }
    case .null, .list, .reference, .row: sqlite3_result_null(context)
    }
  }

  /// Returns a decimal number in the form in which a decimal column stores it.
  private static func hand(_ decimal: Decimal, to context: OpaquePointer?) {
    let number = NSDecimalNumber(decimal: decimal)
    if Decimal(number.int64Value) == decimal {
      sqlite3_result_int64(context, number.int64Value)
    } else {
      sqlite3_result_double(context, number.doubleValue)
    }
  }

  private static func hand(_ text: String, to context: OpaquePointer?) {
    var text = text
    text.withUTF8 {
      let start = UnsafeRawPointer($0.baseAddress ?? Statement.empty).assumingMemoryBound(to: CChar.self)
      sqlite3_result_text64(context, start, UInt64($0.count), Statement.copied, UInt8(SQLITE_UTF8))
    }
  }

  private static func hand(_ bytes: UnsafeRawBufferPointer, to context: OpaquePointer?) {
    sqlite3_result_blob64(
      context, bytes.baseAddress ?? UnsafeRawPointer(Statement.empty), UInt64(bytes.count), Statement.copied)
  }
}
