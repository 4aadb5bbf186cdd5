import StrataCPostgreSQL
import StrataRowStore
import StrataSQLText

/// A statement whose placeholders are `$1`, `$2` and so on, in the order of its parameters.
package struct ServerStatement: Sendable {
  package var text: String
  package var parameters: [ServerParameter]

  package init(_ text: String, _ parameters: [ServerParameter] = []) {
    self.text = text
    self.parameters = parameters
  }

  package init(_ statement: SQLStatement) {
    self.init(statement.text, statement.bindings.map(ServerParameter.value))
  }
}

/// A parameter: a single value, or an array that `unnest` turns into a column.
package enum ServerParameter: Sendable {
  case value(StoredValue)
  case column(ServerColumn)
}

/// An array with a value for each of many rows, in the server's binary format: one statement then writes them all.
package struct ServerColumn: Sendable {
  package enum Kind: Sendable { case integers, reals, texts, bytes, uuids }

  package let kind: Kind
  package private(set) var count = 0
  private var hasNulls = false
  /// The members, each after its length; -1 for NULL.
  private var members: [UInt8] = []

  package init(_ kind: Kind) { self.kind = kind }

  package mutating func appendNull() {
    count += 1
    hasNulls = true
    members.append(bigEndian: Int32(-1))
  }

  package mutating func append(_ integer: Int64) {
    count += 1
    members.append(bigEndian: Int32(8))
    members.append(bigEndian: integer)
  }

  /// A real number; NaN becomes NULL, as in SQLite.
  package mutating func append(_ real: Double) {
    real.isNaN ? appendNull() : append(Int64(bitPattern: real.bitPattern))
  }

  /// A text, data or UUID of less than 1 GB, which is the server's limit.
  package mutating func append(_ value: UnsafeRawBufferPointer) {
    count += 1
    members.append(bigEndian: Int32(truncatingIfNeeded: value.count))
    members += value
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// The size of the members in bytes.
  package var size: Int { members.count }
}

extension ServerColumn {
  var type: Oid {
    switch kind {
    case .integers: ServerType.int8Array
    case .reals: ServerType.float8Array
    case .texts: ServerType.textArray
    case .bytes: ServerType.byteaArray
    case .uuids: ServerType.uuidArray
    }
  }

  private var memberType: Oid {
    switch kind {
    case .integers: ServerType.int8
    case .reals: ServerType.float8
    case .texts: ServerType.text
    case .bytes: ServerType.bytea
    case .uuids: ServerType.uuid
    }
  }

  /// Appends the array: dimensions, whether it has NULLs, type, length, lower bound, members.
  func write(to bytes: inout [UInt8]) {
    for word in [count == 0 ? 0 : 1, hasNulls ? 1 : 0, Int32(bitPattern: memberType)] { bytes.append(bigEndian: word) }
    guard count > 0 else { return }
    bytes.append(bigEndian: Int32(truncatingIfNeeded: count))
    bytes.append(bigEndian: Int32(1))
    bytes += members
  }
}
