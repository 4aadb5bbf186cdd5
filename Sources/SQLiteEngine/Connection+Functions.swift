import CSQLite
import Foundation

/// What an SQL function is given.
package struct FunctionArguments {
  let values: UnsafeMutablePointer<OpaquePointer?>

  /// The text of an argument; nil for NULL.
  package func text(_ index: Int) -> String? {
    guard let start = sqlite3_value_text(values[index]) else { return nil }
    let count = Int(sqlite3_value_bytes(values[index]))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package func integer(_ index: Int) -> Int64 { sqlite3_value_int64(values[index]) }
}

/// What an SQL function answers.
package enum FunctionResult {
  case null
  case truth(Bool)
  case text(String)
}

extension Connection {
  package typealias Function = @Sendable (FunctionArguments) throws -> FunctionResult

  /// Lends SQL a function that always answers the same to the same arguments. What it throws fails the statement.
  /// See https://sqlite.org/c3ref/create_function.html
  package func define(_ name: String, argumentCount: Int, _ function: @escaping Function) {
    let box = Unmanaged.passRetained(FunctionBox(function))
    sqlite3_create_function_v2(
      handle, name, Int32(argumentCount), SQLITE_UTF8 | SQLITE_DETERMINISTIC, box.toOpaque(),
      { context, _, values in
        let box = Unmanaged<FunctionBox>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue()
        // A function without arguments gets no list of them.
        guard let values else { return sqlite3_result_null(context) }
        do {
          switch try box.function(FunctionArguments(values: values)) {
          case .null: sqlite3_result_null(context)
          case .truth(let truth): sqlite3_result_int(context, truth ? 1 : 0)
          case .text(var text):
            text.withUTF8 {
              let start = UnsafeRawPointer($0.baseAddress ?? Statement.empty).assumingMemoryBound(to: CChar.self)
              sqlite3_result_text(context, start, Int32($0.count), Statement.copied)
            }
          }
        } catch {
          sqlite3_result_error(context, String(describing: error), -1)
        }
      }, nil, nil, { Unmanaged<FunctionBox>.fromOpaque($0!).release() })
  }

  /// Stand-ins for the functions that the triggers of Apple's derived attributes call: there they tell the framework
  /// which object changed. Without them a write to such a table fails.
  package func defineTriggerFunctions() {
    for name in [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
      "NSCoreDataTriggerUpdateAffectedObjectValue",
    ] {
      define(name, argumentCount: -1) { _ in .null }
    }
  }
}

private final class FunctionBox {
  let function: Connection.Function
  init(_ function: @escaping Connection.Function) { self.function = function }
}
