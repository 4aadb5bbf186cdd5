import Foundation
import StrataCSQLite
import StrataPredicates
import StrataSQLText

extension Connection {
  /// Registers the collations that sort descriptors can ask for, so that a fetch sorts as memory does.
  /// See https://www.sqlite.org/c3ref/create_collation.html
  package func defineCollations() {
    for comparison in SortComparison.allCases {
      guard let name = SQLiteDialect.collation(comparison) else { continue }
      sqlite3_create_collation_v2(
        handle, name, SQLITE_UTF8, UnsafeMutableRawPointer(bitPattern: Int(comparison.rawValue)),
        { number, leftCount, left, rightCount, right in
          let comparison = SortComparison(rawValue: UInt8(Int(bitPattern: number))) ?? .binary
          return Int32(
            comparison.compare(
              UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
              UnsafeRawBufferPointer(start: right, count: Int(rightCount))
            ).rawValue)
        }, nil)
    }
  }
}
