/// A value as SQL engines take and return it.
package enum StoredValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  /// Several values that are one binding.
  case list(StoredList)
}

/// A statement's text and the values of its placeholders, in the order of the text.
///
/// The text depends only on the shape of a request and never on its constants, so that one prepared statement serves
/// every request of that shape. Interpolate a statement to include it with its values, and a value as `\(bind: value)`.
/// Placeholders are written as `?`; `SQLDialect.finished(_:)` turns them into what the engine takes.
package struct SQLStatement: Hashable, Sendable {
  package var text: String
  /// A value for each placeholder.
  package var bindings: [StoredValue]

  package init(_ text: String = "", _ bindings: [StoredValue] = []) {
    self.text = text
    self.bindings = bindings
  }

  /// Appends another statement with its values.
  package mutating func append(_ other: SQLStatement) {
    text += other.text
    if !other.bindings.isEmpty { bindings += other.bindings }
  }

  /// Appends a placeholder for a value.
  package mutating func bind(_ value: StoredValue) {
    text += "?"
    bindings.append(value)
  }
}

extension SQLStatement: ExpressibleByStringInterpolation {
  /// A text without placeholders.
  package init(stringLiteral text: String) { self.init(text) }

  package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.statement }

  package struct StringInterpolation: StringInterpolationProtocol {
    var statement = SQLStatement()

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ text: String) { statement.text += text }
    /// A name or another piece of SQL, which must never come from outside the framework.
    package mutating func appendInterpolation(_ text: String) { statement.text += text }
    /// A number as a literal.
    package mutating func appendInterpolation(_ number: Int) { statement.text += String(number) }
    package mutating func appendInterpolation(_ other: SQLStatement) { statement.append(other) }
    package mutating func appendInterpolation(bind value: StoredValue) { statement.bind(value) }
  }
}

extension [SQLStatement] {
  package func joined(separator: String) -> SQLStatement {
    SQLStatement(map(\.text).joined(separator: separator), flatMap(\.bindings))
  }
}

extension [String] {
  /// The elements, separated by commas. Does not use `joined`, which is generic: this module is compiled without
  /// specialized generic code.
  var commaSeparated: String {
    var text = ""
    var isFirst = true
    for element in self {
      if !isFirst { text += ", " }
      text += element
      isFirst = false
    }
    return text
  }
}
