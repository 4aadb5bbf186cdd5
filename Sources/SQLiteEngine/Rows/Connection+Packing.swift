import StrataCSQLite
import StrataSQLText

/// The collectors for the running statement's rows, IDs or members.
///
/// Access is exclusive without checks: a connection runs one statement at a time, on one thread, and sets the collector around
/// it.
final class Packing {
  @exclusivity(unchecked) var builder: Unmanaged<RowPageBuilder>?
  @exclusivity(unchecked) var ids: Unmanaged<IDList>?
  @exclusivity(unchecked) var members: Unmanaged<RelationshipCollector>?

  static func refuse(_ context: OpaquePointer?) {
    sqlite3_result_error(context, "The function is for the framework's own statements.", -1)
  }

  /// Packs the arguments of a function.
  /// - Returns: the row's position; nil if no builder is set or the row could not be packed.
  @inline(__always)
  static func pack(_ values: UnsafeMutablePointer<OpaquePointer?>?, for context: OpaquePointer?) -> UInt64? {
    Unmanaged<Packing>.fromOpaque(sqlite3_user_data(context))._withUnsafeGuaranteedRef { packing in
      guard let builder = packing.builder, let values else {
        refuse(context)
        return nil
      }
      return builder._withUnsafeGuaranteedRef { $0.packNext(values, for: context) }
    }
  }
}

extension Connection {
  /// Registers the functions that pack rows (`SQLiteDialect.packing`, `.packingAll`), gather IDs (`.gathering`) and
  /// collect members (`.taking`). They work only in the framework's own statements.
  package func definePacking() {
    defineTaking()
    sqlite3_create_function_v2(
      handle, SQLiteDialect.packingAll, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(packing).toOpaque(),
      nil, { context, _, values in _ = Packing.pack(values, for: context) }, { sqlite3_result_null($0) },
      { Unmanaged<Packing>.fromOpaque($0!).release() })
    sqlite3_create_function_v2(
      handle, SQLiteDialect.gathering, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(packing).toOpaque(),
      nil,
      { context, count, values in
        let packing = Unmanaged<Packing>.fromOpaque(sqlite3_user_data(context))
        guard let values else { return }
        packing._withUnsafeGuaranteedRef {
          $0.ids?._withUnsafeGuaranteedRef { count == 1 ? $0.append(values[0]) : $0.append(values[0], values[1]) }
        }
      }, { sqlite3_result_null($0) }, { Unmanaged<Packing>.fromOpaque($0!).release() })
    sqlite3_create_function_v2(
      handle, SQLiteDialect.packing, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(packing).toOpaque(),
      { context, _, values in
        guard let position = Packing.pack(values, for: context) else { return }
        sqlite3_result_int64(context, Int64(bitPattern: position))
      }, nil, nil, { Unmanaged<Packing>.fromOpaque($0!).release() })
  }
}
