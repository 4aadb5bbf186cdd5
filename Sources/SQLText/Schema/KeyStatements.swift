/// The statements that count keys: the root of each hierarchy has a row with the highest key that was ever given.
package enum KeyStatements {
  /// Takes `?1` more keys for the root with the Z_ENT `?2`.
  package static let reserve = "UPDATE Z_PRIMARYKEY SET Z_MAX = IFNULL(Z_MAX, 0) + ?1 WHERE Z_ENT = ?2"
  /// Says that `?1` is the last key that was given for the root with the Z_ENT `?2`, if it was `?3`.
  package static let advance = "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2 AND Z_MAX = ?3"
  /// The last key that was taken for the root with the Z_ENT `?1`. Asked by itself: RETURNING builds a table for its one
  /// row, which costs twice as much as both statements.
  package static let last = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?1"
  /// Z_ENT, Z_NAME, Z_SUPER, Z_MAX of every entity.
  package static let entities = "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT"
  /// Says that the key `?1` is in use in the hierarchy with the Z_ENT `?2`.
  package static let note = "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2 AND Z_MAX < ?1"
}
