/// A value as an SQL engine takes and gives it.
package enum StoredValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  /// The argument of `SQLDialect.list`.
  case list(StoredList)
}

/// A statement's text and the values of its placeholders, in the order of the text.
///
/// The text depends on the shape of a request alone and never on its constants, so that a prepared statement serves
/// every request of the same shape. A statement inside another is interpolated with its values, and a value as
/// `\(bind: value)`.
package struct SQLStatement: Hashable, Sendable {
  /// What the engine prepares.
  package var text: String
  /// A value for each placeholder.
  package var bindings: [StoredValue]

  /// A text with the values of its placeholders.
  package init(_ text: String = "", _ bindings: [StoredValue] = []) {
    self.text = text
    self.bindings = bindings
  }

  /// Writes another statement, with its values, behind this one.
  package mutating func append(_ other: SQLStatement) {
    text += other.text
    bindings += other.bindings
  }

  /// Writes a placeholder and remembers its value.
  package mutating func bind(_ value: StoredValue) {
    text += "?"
    bindings.append(value)
  }
}

extension SQLStatement: ExpressibleByStringInterpolation {
  /// A text without placeholders.
  package init(stringLiteral text: String) { self.init(text) }

  /// A text with statements and values in it.
  package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.statement }

  /// Gathers the pieces of an interpolation.
  package struct StringInterpolation: StringInterpolationProtocol {
    var statement = SQLStatement()

    /// Begins without a text.
    package init(literalCapacity: Int, interpolationCount: Int) {}

    /// Writes a piece of text.
    package mutating func appendLiteral(_ text: String) { statement.text += text }
    /// Writes a name or another piece of text, which must not come from outside.
    package mutating func appendInterpolation(_ text: String) { statement.text += text }
    /// Writes a number into the text itself.
    package mutating func appendInterpolation(_ number: Int) { statement.text += String(number) }
    /// Writes a statement with its values.
    package mutating func appendInterpolation(_ other: SQLStatement) { statement.append(other) }
    /// Writes a placeholder for a value.
    package mutating func appendInterpolation(bind value: StoredValue) { statement.bind(value) }
  }
}

extension [SQLStatement] {
  func joined(separator: String) -> SQLStatement {
    SQLStatement(map(\.text).joined(separator: separator), flatMap(\.bindings))
  }
}
