/// Something wrong in a store.
package struct IntegrityIssue: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    /// SQLite finds the file damaged.
    case damaged
    /// The metadata's hashes, digest or checksum do not match the model.
    case modelDiffers = "model-differs"
    /// A table or column of the model is missing.
    case missingColumn = "missing-column"
    /// An index, or a table that serves as one, is missing, which costs nothing but speed.
    case missingIndex = "missing-index"
    /// Z_PRIMARYKEY does not list the entities of the model.
    case entityTable = "entity-table"
    /// Z_MAX is below an existing key, which a new row would get again.
    case keyCounter = "key-counter"
    case unknownEntity = "unknown-entity"
    case noVersion = "no-version"
    case danglingReference = "dangling-reference"
    case wrongEntityNumber = "wrong-entity-number"
    case noPlace = "no-place"
    case orphanPair = "orphan-pair"
    /// A row of a one-to-one relationship refers to one that refers to another, or to none.
    case oneSided = "one-sided"
    /// A change or a transaction refers to a missing row of the history.
    case brokenHistory = "broken-history"
    /// The last change of a row contradicts the row.
    case falseHistory = "false-history"
    /// A file with large data is missing.
    case missingFile = "missing-file"
    /// A file with large data is empty or unreadable.
    case damagedFile = "damaged-file"
    /// No row refers to a file with large data.
    case unusedFile = "unused-file"
  }

  package var kind: Kind
  /// The table or file.
  package var place: String
  /// The number of rows with the issue.
  package var count: Int
  /// The keys of the first of them.
  package var keys: [Int64]
  /// A sentence that describes it.
  package var text: String
  /// Whether it does no harm: the model allows it, or the next opening repairs it.
  package var isHarmless: Bool

  package init(
    _ kind: Kind, _ place: String, _ text: String, count: Int = 1, keys: [Int64] = [], isHarmless: Bool = false
  ) {
    self.kind = kind
    self.place = place
    self.count = count
    self.keys = keys
    self.text = text
    self.isHarmless = isHarmless
  }
}
