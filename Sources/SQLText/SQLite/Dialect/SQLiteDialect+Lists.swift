import StrataManagedModel

/// Lists and rows that cross the border to SQLite as a whole.
extension SQLiteDialect {
  /// The table-valued function whose rows are the members of its argument, a `StoredValue.list`, in order; its column
  /// is `value`.
  package static let list = "STRATA_LIST"

  /// A query for the members of a list that is a single binding.
  static let members = "SELECT value FROM \(list)(?)"

  /// Rounds lengths up, so that lists of similar lengths share a statement.
  package func isMember(
    _ value: SQLStatement, of list: [StoredValue], kind: SlotKind, holds: Bool
  ) -> SQLStatement? {
    let sign = holds ? "IN" : "NOT IN"
    if let minimumLeadingList, list.count >= minimumLeadingList, let list = StoredList(list) {
      return "\(value) \(sign) (\(SQLStatement(Self.members, [.list(list)])))"
    }
    guard list.count <= maximumBindings else { return nil }
    var padded = list
    if list.count > 8, let last = list.last {
      let length = min(1 << (Int.bitWidth - (list.count - 1).leadingZeroBitCount), maximumBindings)
      padded += repeatElement(last, count: length - list.count)
    }
    return "\(value) \(sign) (\(SQLStatement(Self.placeholders(padded.count), padded)))"
  }

  package func isMember(_ column: String, ofKeys count: Int?) -> String {
    "\(column) IN (\(count.map(Self.placeholders) ?? Self.members))"
  }

  private static func placeholders(_ count: Int) -> String {
    var text = count > 0 ? "?" : ""
    var written = 1
    while written < count {
      text += ", ?"
      written += 1
    }
    return text
  }

  /// See https://www.sqlite.org/optoverview.html (manual control of query plans using CROSS JOIN)
  package func leadingTable(of list: StoredList) -> (clause: SQLStatement, value: String)? {
    (SQLStatement("\(Self.list)(?) list CROSS JOIN ", [.list(list)]), "list.value")
  }

  /// The function that packs the columns of a row into a page and returns where, so that neither does the row pass
  /// through a sorter nor each value through a call of its own.
  package static let packing = "STRATA_ROW"

  /// The aggregate that packs all rows, in the order in which they are found, so that SQLite stays in its own loop.
  package static let packingAll = "STRATA_ROWS"

  /// The aggregate that gathers the keys and Z_ENTs of rows, in the order in which they are found.
  package static let gathering = "STRATA_IDS"

  /// The function that takes the keys of owners and members, with the member's Z_ENT if members may be of several
  /// entities, in the order in which they are found. It returns false, so that SQLite stays in its own loop, until the
  /// first row that is not wanted.
  package static let taking = "STRATA_MEMBER"

  package func packed(_ columns: [String], by form: RowPacking) -> String? {
    guard columns.count <= Self.maximumArguments else { return nil }
    let function =
      switch form {
      case .row: Self.packing
      case .rows: Self.packingAll
      case .rowIDs: Self.gathering
      case .pairs: Self.taking
      }
    return "\(function)(\(columns.joined(separator: ", ")))"
  }
}
