import StrataManagedModel

/// The columns of a SELECT of values.
package struct ValueShape: Sendable {
  /// The location of a value in the result.
  package struct Source: Sendable {
    /// The result's column.
    package var column: Int32
    /// The kind that the value is converted to; nil leaves it as it is.
    package var kind: SlotKind?
    /// The result's column with the Z_ENT of an object; -1 if that is always `destination`.
    package var entityColumn: Int32 = -1
    /// The number in the model of the entity of an object; 0 for other values.
    package var destination = 0
    /// Whether the bytes start with one that says where they are.
    package var isExternal = false
  }

  package var sources: [Source] = []
}
