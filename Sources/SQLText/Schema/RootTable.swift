import StrataManagedModel

/// The table of a hierarchy of entities.
package struct RootTable: Sendable {
  package struct Column: Hashable, Sendable {
    package var name: String
    package var type: String
    /// The pattern of the name.
    var pattern: NamePattern

    init(_ name: String, type: String, pattern: NamePattern) {
      (self.name, self.type, self.pattern) = (name, type, pattern)
    }
  }

  package let root: EntityLayout
  /// The root and its descendants, in the order of their numbers.
  package let family: [EntityLayout]
  package let name: String
  /// All columns after Z_PK, Z_ENT and Z_OPT, in the order of the declaration.
  package internal(set) var columns: [Column] = []
  /// The columns that hold keys of other rows, each of which has an index.
  package internal(set) var references: [String] = []
}

/// The table of a many-to-many relationship.
package struct JoinTable: Hashable, Sendable {
  package let name: String
  /// The column with the key of the side that the table is named for, and that of the other side.
  package let own: String
  package let other: String
  /// The columns with positions, for each side that is ordered.
  package let orders: [String]
  /// The numbers in the model of both sides' entities.
  package let owner: Int
  package let destination: Int
}

/// The groups of columns in a declaration, in order; integers and to-one relationships come before them.
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
