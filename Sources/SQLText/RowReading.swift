import ManagedModel

/// How the rows of one entity are read, without what a slot that is not stored would cost.
package struct RowReading: Sendable {
  /// What is made of a column's value.
  package enum Filling: Sendable {
    case integer, boolean, double, text, bytes, reference, decimal, uuid, external
  }

  /// A slot that is stored, and its columns: see `RowShape.SlotSource`.
  package struct Slot: Sendable {
    package let number: Int
    package let column: Int32
    package let entityColumn: Int32
    package let destination: Int
    package let filling: Filling
  }

  package let layout: EntityLayout
  package let slots: [Slot]

  init(_ shape: RowShape.EntityShape) {
    layout = shape.layout
    slots = shape.slots.enumerated().compactMap { number, source in
      guard source.column >= 0, let filling = Filling(source) else { return nil }
      return Slot(
        number: number, column: source.column, entityColumn: source.entityColumn, destination: source.destination,
        filling: filling)
    }
  }
}

extension RowReading.Filling {
  init?(_ source: RowShape.SlotSource) {
    switch source.kind {
    case .integer16, .integer32, .integer64: self = .integer
    case .boolean: self = .boolean
    case .double, .float, .date: self = .double
    case .string, .uri: self = .text
    case .data, .transformable: self = source.isExternal ? .external : .bytes
    case .uuid: self = .uuid
    case .decimal: self = .decimal
    case .toOne: self = .reference
    case .object: return nil
    }
  }
}
