import StrataManagedModel

/// The columns of a SELECT of rows: 0 is Z_PK, 1 Z_ENT, 2 Z_OPT, and the others are as `shape(ofStored:)` says.
///
/// A class, so that a copy retains a single reference.
@usableFromInline
package final class RowShape: Sendable {
  /// The reading of one entity's rows.
  @usableFromInline
  package struct EntityShape: Sendable {
    /// The entity's slots.
    @usableFromInline package let layout: EntityLayout
    /// By slot.
    @usableFromInline package let slots: [SlotSource]

    package init(layout: EntityLayout, slots: [SlotSource]) { (self.layout, self.slots) = (layout, slots) }
  }

  /// The location of a slot's value in the result.
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

    package init(column: Int32, entityColumn: Int32, destination: Int, kind: SlotKind, isExternal: Bool) {
      (self.column, self.entityColumn) = (column, entityColumn)
      (self.destination, self.kind, self.isExternal) = (destination, kind, isExternal)
    }
  }

  /// The names of the columns.
  package let names: [String]
  package var columnCount: Int { names.count }
  /// By Z_ENT in the file.
  @usableFromInline let entities: [EntityShape?]
  /// The same, prepared for reading many rows.
  private let readings: [RowReading?]
  /// The Z_ENT of all rows, if they are of one entity.
  package let onlyEntity: Int?

  package init(names: [String], entities: [EntityShape?]) {
    self.names = names
    self.entities = entities
    readings = entities.map { $0.map(RowReading.init) }
    let numbers = entities.indices.filter { entities[$0] != nil }
    onlyEntity = numbers.count == 1 ? numbers[0] : nil
  }

  /// The reading of rows with a Z_ENT; nil if the query cannot return such rows.
  package func reading(ofStored number: Int) -> RowReading? {
    readings.indices.contains(number) ? readings[number] : nil
  }

  /// The shape of rows with a Z_ENT; nil if the query cannot return any.
  @inlinable package func shape(ofStored number: Int) -> EntityShape? {
    entities.indices.contains(number) ? entities[number] : nil
  }
}
