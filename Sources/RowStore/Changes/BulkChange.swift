import StrataManagedModel
import StrataPredicates

/// A batch request: one atomic change of many rows that bypasses objects.
package struct BulkChange {
  package enum Work {
    case insert(BulkInsertion)
    case update(BulkUpdate)
    case delete(BulkDeletion)
  }

  package var work: Work
  /// The numbers of the stores to change; nil for all that contain the entity.
  package var stores: Set<Int>?
  /// Whether the receipt lists the rows' IDs, or only counts them.
  package var wantsIDs: Bool
  /// `transactionAuthor` of the executing context, for the history.
  package var author: String?
  /// `name` of that context, for the history.
  package var contextName: String?

  package init(
    _ work: Work, stores: Set<Int>? = nil, wantsIDs: Bool = false, author: String? = nil, contextName: String? = nil
  ) {
    self.work = work
    self.stores = stores
    self.wantsIDs = wantsIDs
    self.author = author
    self.contextName = contextName
  }

  /// The requested entity.
  package var layout: EntityLayout {
    switch work {
    case .insert(let insertion): insertion.layout
    case .update(let update): update.layout
    case .delete(let deletion): deletion.layout
    }
  }
}

/// New rows of one entity.
package struct BulkInsertion {
  /// The treatment of a row whose values of a uniqueness constraint already exist.
  package enum Conflict: Sendable {
    /// Fail the request.
    case fail
    /// Keep the stored row.
    case keepStored
    /// Update the stored row with the given values; its other values and relationships stay.
    case takeGiven
    /// Update all attributes of the stored row, including defaults; its relationships stay.
    case takeAll
  }

  package var layout: EntityLayout
  package var rows: any BulkRows
  package var onConflict: Conflict

  package init(layout: EntityLayout, rows: any BulkRows, onConflict: Conflict) {
    self.layout = layout
    self.rows = rows
    self.onConflict = onConflict
  }
}

/// Rows generated page by page while they are written, so that memory holds one page at a time.
package protocol BulkRows: AnyObject {
  /// The next page; nil at the end. Ids and versions of its rows are ignored. Valid until the next call.
  func next() throws -> BulkPage?
}

/// Rows to insert.
package struct BulkPage {
  package var page: RowPage
  /// Per row, a bit set of the slots with given values, as wide as the layout's null bit set. The other slots have
  /// their defaults.
  package var given: [UInt64]

  package init(page: RowPage, given: [UInt64]) {
    self.page = page
    self.given = given
  }

  /// The bit set of a row's given slots.
  package func given(_ row: Int) -> ArraySlice<UInt64> {
    let words = page.layout.nullWords
    return given[row * words..<(row + 1) * words]
  }
}

/// New values for the rows that a filter selects.
package struct BulkUpdate {
  /// A slot whose new value is computed from the old row.
  package struct Computed {
    package var slot: Int
    package var value: ExpressionNode

    /// - Parameter value: evaluated on the row; key paths are slot names.
    package init(slot: Int, value: ExpressionNode) {
      self.slot = slot
      self.value = value
    }
  }

  package var layout: EntityLayout
  package var includesSubentities: Bool
  /// nil for every row.
  package var filter: PredicateNode?
  /// A row that contains the constants.
  package var values: Row
  /// The slots that are set to constants, as a bit set.
  package var constants: [UInt64]
  package var computed: [Computed]

  /// Creates an empty update, to be filled in.
  package init(layout: EntityLayout, includesSubentities: Bool, filter: PredicateNode?) {
    self.layout = layout
    self.includesSubentities = includesSubentities
    self.filter = filter.map(layout.flattened)
    let page = RowPage(layout: layout, capacity: 1)
    values = Row(page: page, index: page.append(id: .none, version: 0))
    constants = Array(repeating: 0, count: layout.nullWords)
    computed = []
  }

  /// The query for the rows to change.
  package var query: FetchQuery { FetchQuery(layout: layout, includesSubentities: includesSubentities, filter: filter) }

  /// All slots that are written, as a bit set.
  package var slots: [UInt64] {
    var bits = constants
    for assignment in computed { bits[assignment.slot >> 6] |= 1 << UInt64(assignment.slot & 63) }
    return bits
  }
}

/// Rows to delete, following their delete rules.
package struct BulkDeletion {
  package enum Selection {
    case query(FetchQuery)
    /// Rows of one entity; those already deleted are ignored.
    case ids([RowID])
  }

  package var layout: EntityLayout
  package var selection: Selection

  package init(layout: EntityLayout, selection: Selection) {
    self.layout = layout
    self.selection = selection
  }
}

/// The result of a batch request.
package struct BulkReceipt: Sendable {
  /// The numbers of inserted, updated and deleted rows, including those reached by delete rules.
  package var insertedCount = 0
  package var updatedCount = 0
  package var deletedCount = 0
  /// The IDs of those rows, if requested.
  package var inserted: [RowID] = []
  package var updated: [RowID] = []
  package var deleted: [RowID] = []
  /// The transaction's number in the history; nil without history, and if nothing changed.
  package var transaction: Int64?

  package init() {}

  package var isEmpty: Bool { insertedCount + updatedCount + deletedCount == 0 }

  /// Adds the result of another store.
  package mutating func append(_ other: BulkReceipt) {
    insertedCount += other.insertedCount
    updatedCount += other.updatedCount
    deletedCount += other.deletedCount
    inserted += other.inserted
    updated += other.updated
    deleted += other.deleted
    transaction = other.transaction
  }
}

extension BulkDeletion {
  /// Apple's batch deletes do not support the deny rule, which requires objects.
  package static func refusal(of layout: EntityLayout) -> StoreError {
    StoreError(
      .unsupported,
      "A batch delete of '\(layout.name)' was refused: the entity has a relationship with the delete rule deny. Delete its objects in a context and save."
    )
  }
}
