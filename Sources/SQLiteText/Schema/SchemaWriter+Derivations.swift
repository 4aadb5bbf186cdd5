import StrataRowStore
import StrataSQLText

/// Derived attributes, which triggers compute whoever writes the rows.
///
/// The triggers of counts are those of Apple's stores to the letter; the others follow their pattern.
extension SchemaWriter {
  /// The triggers of all derived attributes.
  /// - Throws: `.unsupported` for an attribute that triggers cannot compute.
  package func derivations() throws -> [SQLStatement] {
    try schema.derivedColumns().flatMap { DerivationTriggers(of: $0, in: schema).statements }
  }
}
