import ManagedModel
import SQLText

/// How the rows of one entity are read, without what a slot that is not stored would cost.
struct RowReading {
  enum Filling {
    case integer, boolean, double, text, bytes, reference, decimal, uuid, external
  }

  struct Slot {
    let number: Int
    let column: Int32
    let entityColumn: Int32
    let destination: Int
    let filling: Filling
  }

  let layout: EntityLayout
  let slots: [Slot]

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
