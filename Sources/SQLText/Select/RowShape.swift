import StrataManagedModel

/// What the columns of a SELECT of rows are: 0 is Z_PK, 1 Z_ENT, 2 Z_OPT, and the others as `shape(ofStored:)` says.
///
/// An object: a copy counts one reference.
@usableFromInline
package final class RowShape: Sendable {
  /// How the rows of one entity are read.
  @usableFromInline
  package struct EntityShape: Sendable {
    /// The entity's slots.
    @usableFromInline package let layout: EntityLayout
    /// By slot.
    @usableFromInline package let slots: [SlotSource]
  }

  /// Where a slot's value is in the result.
  @usableFromInline
  package struct SlotSource: Sendable {
    /// The result's column; -1 where the slot is not stored.
    @usableFromInline package let column: Int32
    /// The result's column with the Z_ENT of a to-one destination; -1 if that is always `destination`.
    @usableFromInline package let entityColumn: Int32
    /// The number in the model of the declared destination; 0 for attributes.
    @usableFromInline package let destination: Int
    @usableFromInline package let kind: SlotKind
    /// Whether the bytes start with one that says where they are.
    @usableFromInline package let isExternal: Bool
  }

  /// The columns of the table that the result's columns are.
  package let names: [String]
  /// How many columns the result has.
  package var columnCount: Int { names.count }
  /// By Z_ENT in the file.
  @usableFromInline let entities: [EntityShape?]
  /// The same as whoever reads many rows wants it.
  private let readings: [RowReading?]
  /// The Z_ENT of all rows, if they are of one entity.
  package let onlyEntity: Int?

  init(names: [String], entities: [EntityShape?]) {
    self.names = names
    self.entities = entities
    readings = entities.map { $0.map(RowReading.init) }
    let numbers = entities.indices.filter { entities[$0] != nil }
    onlyEntity = numbers.count == 1 ? numbers[0] : nil
  }

  /// How rows with a Z_ENT are read; nil if the query cannot have found such.
  package func reading(ofStored number: Int) -> RowReading? {
    readings.indices.contains(number) ? readings[number] : nil
  }

  /// The shape of rows with a Z_ENT; nil if the query cannot have found such.
  @inlinable package func shape(ofStored number: Int) -> EntityShape? {
    entities.indices.contains(number) ? entities[number] : nil
  }
}
