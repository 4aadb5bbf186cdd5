import StrataCSQLite
import StrataManagedModel
import StrataPredicates

extension Connection {
  package typealias Aggregate = @Sendable ([PredicateValue]) throws -> FunctionResult

  /// Defines an aggregate function. Its first argument is a row's value, its second the raw value of that value's
  /// `SlotKind`. The function is called with the values that are not NULL.
  /// See https://www.sqlite.org/c3ref/aggregate_context.html
  package func defineAggregate(_ name: String, aggregate: @escaping Aggregate) {
    let box = Unmanaged.passRetained(AggregateBox(aggregate))
    sqlite3_create_function_v2(
      handle, name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, box.toOpaque(), nil,
      { context, _, values in
        guard let values, let gathered = GatheredValues.of(context) else { return }
        let arguments = FunctionArguments(values: values, count: 2)
        let value = arguments.value(0, SlotKind(rawValue: UInt8(arguments.integer(1))) ?? .double)
        if value != .null { gathered.values.append(value) }
      },
      { context in
        let box = Unmanaged<AggregateBox>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue()
        do {
          try box.aggregate(GatheredValues.detach(from: context)).hand(to: context)
        } catch {
          sqlite3_result_error(context, String(describing: error), -1)
          sqlite3_result_error_code(context, SQLiteFailure.refusedByFunction)
        }
      }, { Unmanaged<AggregateBox>.fromOpaque($0!).release() })
  }
}

private final class AggregateBox {
  let aggregate: Connection.Aggregate
  init(_ aggregate: @escaping Connection.Aggregate) { self.aggregate = aggregate }
}

/// The values of one group of rows, kept in SQLite's aggregate context.
private final class GatheredValues {
  var values: [PredicateValue] = []

  private typealias Place = UnsafeMutablePointer<Unmanaged<GatheredValues>?>

  /// The group's values, created with its first row; nil if out of memory.
  static func of(_ context: OpaquePointer?) -> GatheredValues? {
    let size = Int32(MemoryLayout<Unmanaged<GatheredValues>?>.size)
    guard let memory = sqlite3_aggregate_context(context, size) else { return nil }
    let slot = memory.assumingMemoryBound(to: Unmanaged<GatheredValues>?.self)
    if let known = slot.pointee { return known.takeUnretainedValue() }
    let new = GatheredValues()
    slot.pointee = .passRetained(new)
    return new
  }

  /// Removes and returns the values at the end of the group; empty if it has no rows.
  static func detach(from context: OpaquePointer?) -> [PredicateValue] {
    guard let memory = sqlite3_aggregate_context(context, 0) else { return [] }
    let slot = memory.assumingMemoryBound(to: Unmanaged<GatheredValues>?.self)
    defer { slot.pointee = nil }
    return slot.pointee?.takeRetainedValue().values ?? []
  }
}
