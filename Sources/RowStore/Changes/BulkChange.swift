import StrataManagedModel
import StrataPredicates

/// What a batch request asks of a source: one change to many rows, past all objects, done whole or not at all.
package struct BulkChange {
  package enum Work {
    case insert(BulkInsertion)
    case update(BulkUpdate)
    case delete(BulkDeletion)
  }

  package var work: Work
  /// The numbers of the stores that are asked; nil is all that hold the entity.
  package var stores: Set<Int>?
  /// Whether the receipt is to name the rows; else it counts them only.
  package var wantsIDs: Bool
  /// `transactionAuthor` of the context that executes the request, for the history.
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

  /// The entity that the request is about.
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
  /// What becomes of a row whose values of a uniqueness constraint another row has.
  package enum Conflict: Sendable {
    /// The request fails.
    case fail
    /// The other row stays as it is.
    case keepStored
    /// The other row takes the values that were given; its other values and its relationships stay.
    case takeGiven
    /// The other row takes all attributes, defaults too; its relationships stay.
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

/// Rows that are made while they are written, so that there is never more than a page of them.
package protocol BulkRows: AnyObject {
  /// The next page; nil at the end. Ids and versions of its rows mean nothing. The page is not used any more once the
  /// next one is asked for.
  func next() throws -> BulkPage?
}

/// Rows to insert.
package struct BulkPage {
  package var page: RowPage
  /// For each row as many words as the layout has for nulls: the slots whose values were given, as bits. The others
  /// have their defaults.
  package var given: [UInt64]

  package init(page: RowPage, given: [UInt64]) {
    self.page = page
    self.given = given
  }

  /// The slots of a row that were given.
  package func given(_ row: Int) -> ArraySlice<UInt64> {
    let words = page.layout.nullWords
    return given[row * words..<(row + 1) * words]
  }
}

/// New values of slots of the rows that a filter selects.
package struct BulkUpdate {
  /// A slot whose value is worked out from the row as it was.
  package struct Computed {
    package var slot: Int
    package var value: ExpressionNode

    /// - Parameter value: about a row, with the names of slots.
    package init(slot: Int, value: ExpressionNode) {
      self.slot = slot
      self.value = value
    }
  }

  package var layout: EntityLayout
  package var includesSubentities: Bool
  /// nil is every row.
  package var filter: PredicateNode?
  /// A row with the constants.
  package var values: Row
  /// The slots that take their constants, as bits.
  package var constants: [UInt64]
  package var computed: [Computed]

  /// A change of nothing, to be filled.
  package init(layout: EntityLayout, includesSubentities: Bool, filter: PredicateNode?) {
    self.layout = layout
    self.includesSubentities = includesSubentities
    self.filter = filter.map(layout.flattened)
    let page = RowPage(layout: layout, capacity: 1)
    values = Row(page: page, index: page.append(id: .none, version: 0))
    constants = Array(repeating: 0, count: layout.nullWords)
    computed = []
  }

  /// The rows that are changed.
  package var plan: FetchQuery { FetchQuery(layout: layout, includesSubentities: includesSubentities, filter: filter) }

  /// The slots that are written, as bits.
  package var slots: [UInt64] {
    var bits = constants
    for assignment in computed { bits[assignment.slot >> 6] |= 1 << UInt64(assignment.slot & 63) }
    return bits
  }
}

/// Rows to remove, with what their delete rules ask.
package struct BulkDeletion {
  package enum Selection {
    case plan(FetchQuery)
    /// Rows of one entity; those that are gone already do not count.
    case ids([RowID])
  }

  package var layout: EntityLayout
  package var selection: Selection

  package init(layout: EntityLayout, selection: Selection) {
    self.layout = layout
    self.selection = selection
  }
}

/// What became of a batch request.
package struct BulkReceipt: Sendable {
  /// How many rows are new, changed and gone, rows that delete rules reached included.
  package var insertedCount = 0
  package var updatedCount = 0
  package var deletedCount = 0
  /// The same rows by id, if the change asked for them.
  package var inserted: [RowID] = []
  package var updated: [RowID] = []
  package var deleted: [RowID] = []
  /// The number of the transaction in the store's history; nil without history, and if nothing changed.
  package var transaction: Int64?

  package init() {}

  package var isEmpty: Bool { insertedCount + updatedCount + deletedCount == 0 }

  /// Adds what became of the request in another store.
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
  /// Apple's batch deletes are not compatible with the rule deny, which asks objects.
  package static func refusal(of layout: EntityLayout) -> StoreError {
    StoreError(
      .unsupported,
      "A batch delete of '\(layout.name)' was refused: the entity has a relationship with the delete rule deny. Delete its objects in a context and save."
    )
  }
}

extension EntityLayout {
  /// Whether a relationship has the delete rule deny.
  package var deniesDeletion: Bool {
    slots.contains { $0.relationship?.deleteRule == .denyDeleteRule }
      || toMany.contains { $0.relationship.deleteRule == .denyDeleteRule }
  }
}
