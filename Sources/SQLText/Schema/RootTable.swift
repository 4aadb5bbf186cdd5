import StrataManagedModel

/// The table of a hierarchy of entities.
struct RootTable: Sendable {
  struct Column: Hashable, Sendable {
    var name: String
    var type: String
    /// What the name is made of.
    var pattern: NamePattern

    init(_ name: String, _ type: String, _ pattern: NamePattern) {
      (self.name, self.type, self.pattern) = (name, type, pattern)
    }
  }

  let root: EntityLayout
  /// The root and its descendants, in the order of their numbers.
  let family: [EntityLayout]
  let name: String
  /// All columns behind Z_PK, Z_ENT and Z_OPT, in the order of the declaration.
  var columns: [Column] = []
  /// The columns that hold keys of other rows, each of which has an index.
  var references: [String] = []
}

/// The table of a many-to-many relationship.
struct JoinTable: Hashable, Sendable {
  let name: String
  /// The column with the key of the side that the table is named for, and that of the other side.
  let own: String
  let other: String
  /// The columns with places, for each side that is ordered.
  let orders: [String]
  /// The numbers in the model of both sides' entities.
  let owner: Int
  let destination: Int
}

/// The groups of columns in a declaration, in their order; integers and to-one relationships come before all of them.
enum ColumnGroup: Int, CaseIterable {
  case order, real, decimal, text, uri, uuid, transformable, data

  init?(_ kind: SlotKind) {
    switch kind {
    case .double, .float, .date: self = .real
    case .decimal: self = .decimal
    case .string: self = .text
    case .uri: self = .uri
    case .uuid: self = .uuid
    case .transformable: self = .transformable
    case .data: self = .data
    case .integer16, .integer32, .integer64, .boolean, .toOne, .object: return nil
    }
  }
}

extension SlotKind {
  /// The declared type of a column; nil for what has no column.
  var columnType: String? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean, .toOne: "INTEGER"
    case .double, .float: "FLOAT"
    case .date: "TIMESTAMP"
    case .decimal: "DECIMAL"
    case .string, .uri: "VARCHAR"
    case .uuid, .data, .transformable: "BLOB"
    case .object: nil
    }
  }
}
