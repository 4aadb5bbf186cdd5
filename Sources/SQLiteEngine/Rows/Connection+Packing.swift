import StrataCSQLite
import StrataSQLText

/// Who packs the rows of the statement that runs, gathers their ids, or takes members.
final class Packing {
  @exclusivity(unchecked) var packer: Unmanaged<RowPageBuilder>?
  @exclusivity(unchecked) var ids: Unmanaged<IDList>?
  @exclusivity(unchecked) var members: Unmanaged<RelationshipCollector>?

  static func refuse(_ context: OpaquePointer?) {
    sqlite3_result_error(context, "The function is for the framework's own statements.", -1)
  }

  /// Packs the arguments of a function and answers where; nil where nobody packs, and of a row that could not be packed.
  @inline(__always)
  static func pack(_ values: UnsafeMutablePointer<OpaquePointer?>?, for context: OpaquePointer?) -> UInt64? {
    Unmanaged<Packing>.fromOpaque(sqlite3_user_data(context))._withUnsafeGuaranteedRef { packing in
      guard let packer = packing.packer, let values else {
        refuse(context)
        return nil
      }
      return packer._withUnsafeGuaranteedRef { $0.packNext(values, for: context) }
    }
  }
}

extension Connection {
  /// Lends SQL the functions that pack rows, `SQLDialect.packing` and `.packingAll`, the one that gathers ids,
  /// `SQLDialect.gathering`, and the one that takes members, `SQLDialect.taking`. They work in the framework's own
  /// statements alone.
  package func definePacking() {
    defineTaking()
    sqlite3_create_function_v2(
      handle, SQLDialect.packingAll, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(packing).toOpaque(),
      nil, { context, _, values in _ = Packing.pack(values, for: context) }, { sqlite3_result_null($0) },
      { Unmanaged<Packing>.fromOpaque($0!).release() })
    sqlite3_create_function_v2(
      handle, SQLDialect.gathering, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(packing).toOpaque(),
      nil,
      { context, count, values in
        let packing = Unmanaged<Packing>.fromOpaque(sqlite3_user_data(context))
        guard let values else { return }
        packing._withUnsafeGuaranteedRef {
          $0.ids?._withUnsafeGuaranteedRef { count == 1 ? $0.append(values[0]) : $0.append(values[0], values[1]) }
        }
      }, { sqlite3_result_null($0) }, { Unmanaged<Packing>.fromOpaque($0!).release() })
    sqlite3_create_function_v2(
      handle, SQLDialect.packing, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(packing).toOpaque(),
      { context, _, values in
        guard let place = Packing.pack(values, for: context) else { return }
        sqlite3_result_int64(context, Int64(bitPattern: place))
      }, nil, nil, { Unmanaged<Packing>.fromOpaque($0!).release() })
  }
}
