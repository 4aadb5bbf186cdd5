/// A statement that is run once for each of many rows, with values straight from their pages.
package struct RowStatement: Hashable, Sendable {
  /// The text, with a placeholder for each parameter.
  package let text: String
  /// The parameters of the placeholders, in order.
  package let parameters: [RowParameter]

  /// - Parameter parameters: as many as the text has placeholders.
  package init(text: String, parameters: [RowParameter]) {
    self.text = text
    self.parameters = parameters
  }
}

/// A placeholder's value.
package enum RowParameter: Hashable, Sendable {
  /// Z_PK.
  case key
  /// Z_ENT in the file.
  case entity
  /// The Z_OPT that the row gets.
  case version
  /// The Z_OPT that the row must still have.
  case expectedVersion
  /// The value of a slot; of a to-one relationship the key.
  case slot(Int)
  /// The Z_ENT in the file of what a to-one slot refers to; NULL if the slot is nil.
  case slotEntity(Int)
}
