import StrataCPostgreSQL

/// An array with a value for each of many rows, in the server's binary format: one statement then writes them all.
///
/// It is memory of its own, which libpq is passed as it is, without another copy of all values.
package final class ServerColumn {
  private let memberType: ServerFields.ValueType
  /// The values behind room for the array's head.
  package let values = ServerFields()

  /// Dimensions, whether there are NULLs, the type, the number of members, the first index.
  private static let headSize = 20

  package init(of type: ServerFields.ValueType) {
    memberType = type
    values.append(raw: [UInt8](repeating: 0, count: Self.headSize))
  }

  /// The size of the members in bytes.
  package var size: Int { values.size &- Self.headSize }

  /// The whole array, valid while the column lives and nothing is appended. One without members has no dimensions.
  var array: UnsafeRawBufferPointer {
    values.replaceHead(
      with: [
        values.count == 0 ? 0 : 1, values.nulls == 0 ? 0 : 1, Int32(bitPattern: memberType.rawValue),
        Int32(truncatingIfNeeded: values.count), 1,
      ])
    return values.count == 0 ? UnsafeRawBufferPointer(rebasing: values.bytes[..<12]) : values.bytes
  }

  var type: Oid { memberType.array }
}
