/// The statements that allocate keys. The root of each hierarchy has a row with the highest key that was ever
/// allocated.
package enum KeyStatements {
  /// Allocates `?1` more keys for the root with the Z_ENT `?2`.
  package static let reserve = "UPDATE Z_PRIMARYKEY SET Z_MAX = IFNULL(Z_MAX, 0) + ?1 WHERE Z_ENT = ?2"
  /// Sets the last allocated key of the root with the Z_ENT `?2` to `?1` if it was `?3`.
  package static let advance = "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2 AND Z_MAX = ?3"
  /// The same where no key counts as 0.
  package static let take = "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2 AND IFNULL(Z_MAX, 0) = ?3"
  /// The last allocated key of the root with the Z_ENT `?1`. A statement of its own, as RETURNING would build a table
  /// for its single row, at twice the cost of both statements.
  package static let last = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?1"
  package static let entities = "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT"
  /// Makes sure that the key `?1` counts as allocated in the hierarchy with the Z_ENT `?2`.
  package static let note = "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2 AND Z_MAX < ?1"
}
