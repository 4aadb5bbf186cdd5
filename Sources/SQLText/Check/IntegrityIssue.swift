/// Something in a store that is not as it must be.
package struct IntegrityIssue: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    /// SQLite finds the file damaged.
    case damaged
    /// The hashes, the digest or the checksum in the metadata are not those of the model.
    case modelDiffers = "model-differs"
    /// A table or column of the model is not there.
    case missingColumn = "missing-column"
    /// A table or index that the model asks for is not there; nothing is lost by that but speed.
    case missingIndex = "missing-index"
    /// Z_PRIMARYKEY does not have the entities of the model.
    case entityTable = "entity-table"
    /// Z_MAX is below a key that a row has: a new row would get it again.
    case keyCounter = "key-counter"
    case unknownEntity = "unknown-entity"
    case noVersion = "no-version"
    case danglingReference = "dangling-reference"
    case wrongEntityNumber = "wrong-entity-number"
    case noPlace = "no-place"
    case orphanPair = "orphan-pair"
    /// A change or a transaction refers to another row of the history that is not there.
    case brokenHistory = "broken-history"
    /// The history does not end where the rows are.
    case falseHistory = "false-history"
    /// A file with large data is not there.
    case missingFile = "missing-file"
    /// A file with large data is empty or cannot be read.
    case damagedFile = "damaged-file"
    /// No row refers to a file with large data.
    case unusedFile = "unused-file"
  }

  package var kind: Kind
  /// The table or file.
  package var place: String
  /// How many rows have it.
  package var count: Int
  /// The keys of the first of them.
  package var keys: [Int64]
  /// A sentence about it.
  package var text: String
  /// Whether nothing is lost by it: the model allows it, or the next who opens the store puts it right.
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
