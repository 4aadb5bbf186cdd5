import Foundation
import StrataManagedModel
import StrataPredicates

/// SQLite's SQL, with the functions that this framework defines on its connections.
/// See https://www.sqlite.org/lang_expr.html and https://www.sqlite.org/limits.html
package struct SQLiteDialect: SQLDialect {
  /// The length from which on a list is a single binding; shorter ones are quicker with a placeholder for each member.
  /// nil for statements that must not use the framework's functions for lists.
  package var minimumLeadingList: Int? = 17

  /// The maximum number of arguments of a function.
  static let maximumArguments = 100

  package var hasDataFiles: Bool { true }
  package var hasPositionalPlaceholders: Bool { true }
  package var maximumBindings: Int { 32_000 }
  /// SQLite's limit is a depth of 1,000.
  package var maximumTerms: Int { 64 }
  package var noLimit: StoredValue { .integer(-1) }
  package var random: String { "(random() & 2147483647)" }

  package func placeholder(_ number: Int) -> String { "?\(number)" }

  package func identifier(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
        true
      default: false
      }
    }
    return isPlain ? name : name.quoted(by: "\"")
  }

  /// The name of what belongs to a table or a column, such as an index, from names as they are spelled in statements.
  package func identifier(joining names: String...) -> String {
    identifier(names.map(\.unquoted).joined(separator: "_"))
  }

  /// Apple's types; for their meaning see https://www.sqlite.org/datatype3.html
  package func columnType(_ kind: SlotKind) -> String? {
    switch kind {
    case .integer16, .integer32, .integer64, .boolean, .toOne: "INTEGER"
    case .double, .float: "FLOAT"
    case .date: "TIMESTAMP"
    case .decimal: "DECIMAL"
    case .string, .uri: "VARCHAR"
    case .uuid, .data, .transformable: "BLOB"
    case .object: nil
    }
  }

  package func literal(_ value: StoredValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    // SQL has no literal for infinity, but numbers that overflow to it.
    case .real(let real): real.isInfinite ? (real < 0 ? "-9e999" : "9e999") : String(real)
    case .text(let text): text.quoted(by: "'")
    case .list(let list): list.values.map(literal).joined(separator: ", ")
    case .blob(let bytes): "X'\(bytes.map { String(format: "%02X", $0) }.joined())'"
    }
  }

  package func condition(_ value: Bool) -> String { value ? "1" : "0" }

  package func isSame(_ left: SQLStatement, as right: SQLStatement, holds: Bool) -> SQLStatement {
    "\(left) \(holds ? "IS" : "IS NOT") \(right)"
  }

  package func ifNull(_ value: String, _ other: String) -> String { "IFNULL(\(value), \(other))" }

  /// See https://www.sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_
  package func unindexed(_ value: String) -> String { "+\(value)" }

  /// By default NULL comes first in ascending order, and texts are ordered by their bytes.
  package func orderTerm(_ value: SQLStatement, by comparison: SortComparison, isAscending: Bool) -> SQLStatement? {
    let collation = Self.collation(comparison).map { " COLLATE \($0)" } ?? ""
    return "\(value)\(collation)\(isAscending ? "" : " DESC")"
  }

  /// The collation of a sort, with Apple's name; nil for the order of bytes. Connections register them all.
  package static func collation(_ comparison: SortComparison) -> String? {
    switch comparison {
    case .binary: nil
    case .caseInsensitive: "NSCollateNoCase"
    case .localized: "NSCollateLocaleSensitive"
    case .localizedCaseInsensitive: "NSCollateLocaleSensitiveNoCase"
    case .localizedStandard: "NSCollateFinderlike"
    }
  }

  package func insertOrKeep(_ insertion: String) -> String { "INSERT OR IGNORE \(insertion)" }

  package func conflictClause(_ resolution: ConflictResolution) -> String? {
    switch resolution {
    case .keepStored: "ON CONFLICT DO NOTHING"
    case .update(let assignments, let condition): "ON CONFLICT DO UPDATE SET \(assignments) WHERE \(condition)"
    }
  }
}

extension SQLDialect where Self == SQLiteDialect {
  package static var sqlite: SQLiteDialect { SQLiteDialect() }
}
