/// The position of a row in a batch, for grouping rows that one statement can write.
package struct BatchPosition {
  package let entity: Int
  package let version: Int64?
  package let key: Int64
  package let index: Int

  package init(_ id: RowID, version: Int64?, index: Int) {
    (entity, key, self.version, self.index) = (id.entity, id.key, version, index)
  }

  /// Visits the rows in key order, those of one entity and expected version at a time.
  ///
  /// Sorts instead of grouping with a dictionary: the first dictionary with a custom key makes the program search all of
  /// its conformances.
  package static func forEachKind(
    _ places: [BatchPosition], body: (BatchPosition, ArraySlice<BatchPosition>) throws -> Void
  ) rethrows {
    var rest = places.sorted { $0.order < $1.order }[...]
    while let first = rest.first {
      let rows = rest.prefix { $0.entity == first.entity && $0.version == first.version }
      try body(first, rows)
      rest = rest.dropFirst(rows.count)
    }
  }

  private var order: (Int, Int64, Int64) { (entity, version ?? .min, key) }
}

extension ArraySlice<BatchPosition> {
  /// The keys of the rows.
  package var keys: [Int64] { map(\.key) }
}

extension ChangeBatch {
  /// The indexes of the updates in the order of keys.
  package var updatedInKeyOrder: [Int] {
    var order = Array(updated.indices)
    if order.count > 1 { order.sort { updated[$0].row.id.bits < updated[$1].row.id.bits } }
    return order
  }

  /// The versions of the updated rows after the commit.
  package var updatedVersions: [Int64] { updated.map { $0.row.version &+ 1 } }

  /// Those of the given updates that write no slot.
  package func unchangedPositions(_ indexes: [Int]) -> [BatchPosition] {
    indexes.compactMap { index in
      let update = updated[index]
      let isBare = update.slots.allSatisfy { $0 == 0 }
      return isBare ? BatchPosition(update.row.id, version: update.row.version, index: index) : nil
    }
  }

  /// The deleted rows, in the order of the batch.
  package var deletedPositions: [BatchPosition] {
    deleted.enumerated().map { BatchPosition($1.id, version: $1.version, index: $0) }
  }
}
