import StrataPredicates

/// What engines say in different words.
package struct SQLDialect: Sendable {
  /// Equality that is true for two NULLs, and its opposite.
  let same: String
  let notSame: String
  let truth: String
  let falsehood: String
  /// Before and after the columns of an insertion that leaves an existing row alone.
  let insertOrKeep: String
  let insertOrKeepEnd: String
  /// The most placeholders of one statement.
  let mostBindings: Int
  /// The most arguments of a function.
  let mostArguments: Int

  /// See https://www.sqlite.org/lang_expr.html and https://www.sqlite.org/limits.html
  package static let sqlite = SQLDialect(
    same: "IS", notSame: "IS NOT", truth: "1", falsehood: "0", insertOrKeep: "INSERT OR IGNORE INTO",
    insertOrKeepEnd: "", mostBindings: 32_000,
    mostArguments: 100)

  /// The function that packs the columns of a row into a page and answers where: rows need not go through a sorter, nor
  /// each value through a call of its own.
  package static let packing = "STRATA_ROW"

  /// The aggregate that does the same with all rows, in the order in which they are found: the engine stays in its own loop
  /// from the first row to the last.
  package static let packingAll = "STRATA_ROWS"

  /// The aggregate that gathers the keys and Z_ENTs of rows, in the order in which they are found.
  package static let gathering = "STRATA_IDS"

  /// The function that takes an owner's key and the key of a member, with its Z_ENT where members are of several entities, in
  /// the order in which they are found. It is false, so that the engine stays in its own loop, up to the first row that
  /// nobody wants.
  package static let taking = "STRATA_MEMBER"

  /// The table of the members of its argument, a `StoredValue.list`, in their order; its column is `value`.
  package static let list = "STRATA_LIST"

  /// A query over the members of a list that is one binding.
  static let members = "SELECT value FROM \(list)(?)"

  /// The collation of a sort, by Apple's names; nil for the order of bytes. The engine registers them all.
  package func collation(_ comparison: SortComparison) -> String? {
    switch comparison {
    case .binary: nil
    case .caseInsensitive: "NSCollateNoCase"
    case .localized: "NSCollateLocaleSensitive"
    case .localizedCaseInsensitive: "NSCollateLocaleSensitiveNoCase"
    case .localizedStandard: "NSCollateFinderlike"
    }
  }

  /// The name under which an engine has a function of predicates. A number behind each argument is the raw value of the
  /// argument's `SlotKind`. Of those about collections there are two: an aggregate, and one with `_OF` behind its name for
  /// several values of one row.
  package static func functionName(_ function: ExpressionFunction) -> String {
    // Once for each function and connection: as bytes, which costs a twentieth of `replacing`.
    "STRATA_" + String(decoding: function.rawValue.utf8.filter { $0 != UInt8(ascii: ":") }, as: UTF8.self).uppercased()
  }

  /// A name as the statement says it: as it is if it is made of letters, digits and underscores.
  func identifier(_ name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0 == "_" || $0.value > 127 || $0.properties.isAlphabetic || ("0"..."9").contains($0)
    }
    return isPlain ? name : "\"\(name.replacing("\"", with: "\"\""))\""
  }
}
